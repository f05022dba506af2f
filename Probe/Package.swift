// swift-tools-version: 6.0
// WidgetFleetProbe. SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
  name: "WidgetFleetProbe",
  platforms: [.iOS(.v16), .macOS(.v13)],
  products: [.library(name: "WidgetFleetProbe", targets: ["WidgetFleetProbe"])],
  targets: [
    .target(name: "WidgetFleetProbe", resources: [.copy("PrivacyInfo.xcprivacy")]),
    .testTarget(name: "WidgetFleetProbeTests", dependencies: ["WidgetFleetProbe"]),
  ],
  swiftLanguageModes: [.v6]
)
