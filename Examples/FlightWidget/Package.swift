// swift-tools-version: 6.2
// An app's refresh policy with its simulation. SPDX-License-Identifier: GPL-3.0-or-later
import PackageDescription

let package = Package(
  name: "FlightWidget",
  platforms: [.macOS(.v26)],
  dependencies: [
    // In a project of your own: .package(url: "https://...", from: "0.2.0")
    .package(name: "WidgetFleet", path: "../..")
  ],
  targets: [
    // The policy, which app and simulation share; it links nothing.
    .target(name: "FlightPolicy"),
    // The widget's provider, for iOS.
    .target(name: "FlightWidget", dependencies: ["FlightPolicy"]),
    // A program that needs no YAML.
    .executableTarget(
      name: "flightload", dependencies: ["FlightPolicy", .product(name: "WidgetFleet", package: "WidgetFleet")]),
    .testTarget(
      name: "FlightPolicyTests",
      dependencies: [
        "FlightPolicy", .product(name: "WidgetFleet", package: "WidgetFleet"),
        .product(name: "WidgetFleetFiles", package: "WidgetFleet"),
      ],
      resources: [.copy("flight.yaml")]),
  ]
)
