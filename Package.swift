// swift-tools-version: 6.2
// WidgetFleet. SPDX-License-Identifier: GPL-3.0-or-later
import PackageDescription

/// Whether this is a build of our own, with warnings as errors and optimised tests: the Makefile exports
/// `WIDGETFLEET_DEVELOP=1`.
///
/// SwiftPM refuses a dependency with unsafe flags, so packages that depend on this one get none.
let isDevelopment = Context.environment["WIDGETFLEET_DEVELOP"] == "1"

/// The sanitizers of `make fuzz-deep` for all targets: `fuzzer,address` or `fuzzer`.
///
/// They also add the program that links libFuzzer, and release builds keep the checks of debug builds.
let sanitizers = Context.environment["WIDGETFLEET_FUZZ"]
let isFuzzed = sanitizers != nil
let fuzzLinking: [LinkerSetting] =
  sanitizers?.contains("address") == true ? [.unsafeFlags(["-sanitize=address"])] : []

let instrumented: [SwiftSetting] =
  sanitizers.map { words in
    [.unsafeFlags(["-sanitize=\(words)", "-assert-config", "Debug", "-enable-testing"])]
  } ?? []

/// The defines of `WIDGETFLEET_PLAIN=1 swift build`, which compiles the code paths of another processor or macOS.
///
/// Vectors are not wider than Swift's own, and the compiler embeds files instead of the assembler.
let plain = Context.environment["WIDGETFLEET_PLAIN"] == "1" ? ["WIDGETFLEET_PLAIN"] : []

/// The place of the charts' script, if it differs from Debian's.
let chartFile: [CSetting] =
  Context.environment["WIDGETFLEET_DYGRAPHS"].map { [.define("WF_DYGRAPHS", to: "\"\($0)\"")] } ?? []

let strict: [SwiftSetting] =
  instrumented + plain.map { .unsafeFlags(["-Xcc", "-D" + $0]) }
  + (isDevelopment ? [.treatAllWarnings(as: .error)] : []) + [.enableUpcomingFeature("InternalImportsByDefault")]

/// The settings of tests that simulate whole fleets: their targets are optimised in debug builds, too, with assertions.
///
/// This makes them seven times as fast.
let fast: [SwiftSetting] =
  strict
  + (isDevelopment ? [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))] : [])

/// The layers of the package from the bottom up; imports go down only.
let storeys = [
  "Kernel": ["SimulationKernel", "Numerics", "Platform"],
  "Model": ["Scenario", "Planning", "BackendModel", "DeviceModel"],
  "Engine": ["FleetEngine", "MPIRanks"],
  "Files": ["ScenarioFiles"],
  "Studies": ["Studies", "StudyStore"],
  "Logs": ["RequestStatistics", "RequestLogs", "Calibration"],
  "Reports": ["FleetReports", "Pictures"],
  "Library": ["WidgetFleet", "WidgetFleetFiles"],
  "Program": ["PageServer", "WidgetFleetCommand"],
  "Words": ["Words"],
]

func folder(of room: String) -> String {
  "Sources/" + (storeys.first { $0.value.contains(room) }?.key ?? "Libraries") + "/" + room
}

func room(_ name: String, _ imports: Target.Dependency...) -> Target {
  .target(name: name, dependencies: imports, path: folder(of: name), swiftSettings: fast)
}

/// Returns a test target.
///
/// - Parameter excluded: the files of the tests that are not Swift.
func tests(_ name: String, excluding excluded: [String] = [], _ imports: Target.Dependency...) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: imports + [.byName(name: name)], exclude: excluded, swiftSettings: strict)
}

/// Returns a program for tests alone.
func tool(_ name: String, path: String, linking: [LinkerSetting] = [], _ imports: Target.Dependency...) -> Target {
  .executableTarget(
    name: name, dependencies: imports, path: path, swiftSettings: strict, linkerSettings: linking)
}

let package = Package(
  name: "WidgetFleet",
  platforms: [.macOS(.v26)],
  products: [
    .library(name: "WidgetFleet", targets: ["WidgetFleet"]),
    .library(name: "WidgetFleetFiles", targets: ["WidgetFleetFiles"]),
    .library(name: "WidgetFleetCommand", targets: ["WidgetFleetCommand"]),
    .executable(name: "widgetfleet", targets: ["WidgetFleetProgram"]),
  ],
  targets: [
    .systemLibrary(
      name: "CGSL", path: "Sources/Libraries/CGSL", pkgConfig: "gsl", providers: [.apt(["libgsl-dev"]), .brew(["gsl"])]),
    .systemLibrary(
      name: "CYAML", path: "Sources/Libraries/CYAML", pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .systemLibrary(
      name: "CSQLite", path: "Sources/Libraries/CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CNettle", path: "Sources/Libraries/CNettle", pkgConfig: "nettle",
      providers: [.apt(["nettle-dev"]), .brew(["nettle"])]),
    .systemLibrary(
      name: "CZlib", path: "Sources/Libraries/CZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CZstd", path: "Sources/Libraries/CZstd", pkgConfig: "libzstd",
      providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .systemLibrary(
      name: "CMicrohttpd", path: "Sources/Libraries/CMicrohttpd", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .target(name: "CYAMLEvents", path: "Sources/Libraries/CYAMLEvents"),
    .target(name: "CYAMLReader", dependencies: ["CYAML", "CYAMLEvents"], path: "Sources/Libraries/CYAMLReader"),
    .target(name: "CDygraphs", path: "Sources/Libraries/CDygraphs", cSettings: plain.map { .define($0) } + chartFile),
    .systemLibrary(name: "CLinux", path: "Sources/Libraries/CLinux"),
    .systemLibrary(name: "CMPI", path: "Sources/Libraries/CMPI"),
    .systemLibrary(name: "CRsvg", path: "Sources/Libraries/CRsvg"),
    .systemLibrary(name: "CProcessor", path: "Sources/Libraries/CProcessor"),
    .target(name: "CWords", path: "Sources/Words/CWords", exclude: ["catalogue", "exports", "pages", "starters"]),
    room("Words", "CWords"),
    room("Platform", "CLinux"),
    room("SimulationKernel", "CProcessor"),
    room("Scenario", "SimulationKernel", "Words"),
    room("Planning", "Scenario", "SimulationKernel"),
    room("BackendModel", "SimulationKernel", "Scenario"),
    room("DeviceModel", "SimulationKernel", "Scenario", "BackendModel"),
    room("Numerics", "CGSL", "SimulationKernel"),
    room("FleetEngine", "Platform", "SimulationKernel", "Scenario", "BackendModel", "DeviceModel", "Numerics"),
    room("MPIRanks", "CMPI", "FleetEngine"),
    room("Pictures", "CRsvg"),
    room("PageServer", "CMicrohttpd", "Platform", "SimulationKernel"),
    room("ScenarioFiles", "Planning", "Scenario", "SimulationKernel", "Words", "CYAMLEvents"),
    room("RequestStatistics", "SimulationKernel", "Words"),
    room("RequestLogs", "CZlib", "CZstd", "Platform", "RequestStatistics", "SimulationKernel"),
    room("Calibration", "RequestStatistics", "Numerics", "Scenario", "SimulationKernel"),
    room("Studies", "FleetEngine", "Numerics", "Planning", "Scenario", "SimulationKernel"),
    room("StudyStore", "CSQLite", "Platform", "Studies", "Scenario"),
    room(
      "FleetReports", "CDygraphs", "CNettle", "RequestLogs", "RequestStatistics", "Calibration", "Studies",
      "FleetEngine", "Numerics", "Planning", "Scenario", "SimulationKernel", "Words"),
    room(
      "WidgetFleet", "ScenarioFiles", "Studies", "FleetEngine", "DeviceModel", "Platform", "Scenario",
      "SimulationKernel"),
    room("WidgetFleetFiles", "CYAMLReader", "WidgetFleet", "ScenarioFiles"),
    room(
      "WidgetFleetCommand", "CYAMLReader", "Platform", "FleetReports", "StudyStore", "Studies", "ScenarioFiles",
      "MPIRanks", "PageServer", "Pictures", "FleetEngine", "DeviceModel", "BackendModel", "Planning", "Scenario",
      "SimulationKernel", "RequestLogs", "RequestStatistics", "Calibration", "Words"),
    .executableTarget(
      name: "WidgetFleetProgram", dependencies: ["WidgetFleetCommand"], path: "Sources/Program/WidgetFleetProgram",
      swiftSettings: fast),
    tests("Platform"),
    tests("SimulationKernel"),
    tool(
      "fleetbench", path: "Bench/Speed", "CYAMLReader", "Platform", "FleetReports", "FleetEngine", "ScenarioFiles",
      "Scenario",
      "SimulationKernel"),
    .testTarget(name: "SpeedTests", dependencies: ["fleetbench"], swiftSettings: strict),
    tool("rngdump", path: "Tests/RandomWords", "Platform", "SimulationKernel"),
    tests("Scenario", "SimulationKernel", "Words"),
    tests("Planning", "Scenario"),
    tests("BackendModel", "Scenario", "SimulationKernel"),
    tests("DeviceModel", "Scenario", "BackendModel", "SimulationKernel"),
    tests("Numerics", "SimulationKernel"),
    tests(
      "FleetEngine", "CYAMLReader", "RandomScenario", "ScenarioFiles", "BackendModel", "DeviceModel", "Numerics",
      "Scenario",
      "SimulationKernel"),
    .target(name: "SchemaCheck", path: "Tests/SchemaCheck", swiftSettings: strict),
    tests("ScenarioFiles", "CYAMLReader", "SchemaCheck", "Planning", "Scenario", "SimulationKernel"),
    .target(
      name: "SyntheticResults", dependencies: ["FleetEngine", "BackendModel", "Scenario", "SimulationKernel"],
      path: "Tests/SyntheticResults", swiftSettings: strict),
    tests("Studies", "SyntheticResults", "FleetEngine", "Numerics", "BackendModel", "Scenario", "SimulationKernel"),
    tests("RequestStatistics", "SimulationKernel"),
    tests("RequestLogs", "RequestStatistics", "SimulationKernel"),
    tests("Calibration", "RequestStatistics", "Numerics", "Scenario", "SimulationKernel"),
    tests("StudyStore", "Studies", "Scenario"),
    tests(
      "FleetReports", "SyntheticResults", "RequestLogs", "RequestStatistics", "Calibration", "Studies", "FleetEngine",
      "BackendModel", "Scenario", "SimulationKernel"),
    .testTarget(
      name: "widgetfleetTests",
      dependencies: [
        "WidgetFleetProgram", "WidgetFleetCommand", "SchemaCheck", "Calibration", "FleetReports", "FleetEngine",
        "ScenarioFiles", "Scenario", "SimulationKernel",
      ],
      exclude: ["CommandCatalogue.txt"], swiftSettings: strict),
    .testTarget(
      name: "LibraryTests", dependencies: ["WidgetFleet", "WidgetFleetFiles"], path: "Tests/LibraryTests",
      swiftSettings: strict),
    .target(
      name: "RandomScenario", dependencies: ["Scenario", "SimulationKernel"], path: "Tests/RandomScenario",
      swiftSettings: strict),
    tests(
      "RandomScenario", "CYAMLReader", "FleetEngine", "DeviceModel", "ScenarioFiles", "Scenario", "SimulationKernel"),
    .target(
      name: "FuzzHarness",
      dependencies: [
        "CYAMLReader", "RandomScenario", "FleetReports", "StudyStore", "Studies", "FleetEngine", "BackendModel",
        "Calibration",
        "RequestLogs", "RequestStatistics", "ScenarioFiles", "Scenario",
      ],
      path: "Tests/Fuzz/Harness", swiftSettings: strict),
    .testTarget(name: "FuzzCorpusTests", dependencies: ["FuzzHarness"], swiftSettings: strict),
    .testTarget(name: "ArchitectureTests", swiftSettings: strict),
    .testTarget(
      name: "ScenarioGoldenTests",
      dependencies: [
        "FuzzHarness", "FleetReports", "Studies", "FleetEngine", "DeviceModel", "ScenarioFiles", "Scenario",
        "SimulationKernel",
      ],
      exclude: ["Catalogue", "Diagnostics", "Golden"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

if isFuzzed {
  package.targets += [
    .systemLibrary(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
    tool(
      "widgetfuzz", path: "Tests/Fuzz/Program", linking: fuzzLinking, "CFuzzer", "FuzzHarness"
    ),
  ]
}
