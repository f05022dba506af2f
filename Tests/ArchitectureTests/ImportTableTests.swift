import Testing

/// The imports allowed for each target, as in the table of ARCHITECTURE.md. A change here is a change of the
/// architecture.
@Suite struct ImportTableTests {
  /// The project's own targets that a target uses, as Package.swift must declare them, and toolchain modules.
  struct Row {
    var targets: Set<String>
    var toolchain: Set<String> = []
  }

  static let table: [String: Row] = [
    "CGSL": Row(targets: []),
    "CYAML": Row(targets: []),
    "CYAMLEvents": Row(targets: []),
    "CYAMLReader": Row(targets: ["CYAML", "CYAMLEvents"]),
    "CSQLite": Row(targets: []),
    "CDygraphs": Row(targets: []),
    "CLinux": Row(targets: []),
    "CMPI": Row(targets: []),
    "CMicrohttpd": Row(targets: []),
    "CNettle": Row(targets: []),
    "CProcessor": Row(targets: []),
    "CRsvg": Row(targets: []),
    "CWords": Row(targets: []),
    "CZlib": Row(targets: []),
    "CZstd": Row(targets: []),
    "Words": Row(targets: ["CWords"]),
    "Platform": Row(targets: ["CLinux"], toolchain: ["Darwin", "Glibc"]),
    "SimulationKernel": Row(targets: ["CProcessor"], toolchain: ["Synchronization"]),
    "Scenario": Row(targets: ["SimulationKernel", "Words"]),
    "Planning": Row(targets: ["Scenario", "SimulationKernel"]),
    "BackendModel": Row(targets: ["SimulationKernel", "Scenario"]),
    "DeviceModel": Row(targets: ["SimulationKernel", "Scenario", "BackendModel"]),
    "Numerics": Row(targets: ["CGSL", "SimulationKernel"]),
    "FleetEngine": Row(
      targets: ["Platform", "SimulationKernel", "Scenario", "BackendModel", "DeviceModel", "Numerics"],
      toolchain: ["Synchronization"]),
    "MPIRanks": Row(targets: ["CMPI", "FleetEngine"], toolchain: ["Synchronization"]),
    "Pictures": Row(targets: ["CRsvg"]),
    "PageServer": Row(targets: ["CMicrohttpd", "Platform", "SimulationKernel"]),
    "ScenarioFiles": Row(
      targets: ["Planning", "Scenario", "SimulationKernel", "Words", "CYAMLEvents"], toolchain: ["Foundation"]),
    "RequestStatistics": Row(targets: ["SimulationKernel", "Words"], toolchain: ["Synchronization"]),
    "RequestLogs": Row(
      targets: ["CZlib", "CZstd", "Platform", "RequestStatistics", "SimulationKernel"],
      toolchain: ["Synchronization"]),
    "Calibration": Row(targets: ["RequestStatistics", "Numerics", "Scenario", "SimulationKernel"]),
    "Studies": Row(targets: ["FleetEngine", "Numerics", "Planning", "Scenario", "SimulationKernel"]),
    "StudyStore": Row(targets: ["CSQLite", "Platform", "Studies", "Scenario"]),
    "FleetReports": Row(
      targets: [
        "CDygraphs", "CNettle", "RequestLogs", "RequestStatistics", "Calibration", "Studies", "FleetEngine", "Numerics",
        "Planning", "Scenario", "SimulationKernel", "Words",
      ]),
    "WidgetFleet": Row(
      targets: [
        "ScenarioFiles", "Studies", "FleetEngine", "DeviceModel", "Platform", "Scenario", "SimulationKernel",
      ]),
    "WidgetFleetFiles": Row(targets: ["CYAMLReader", "WidgetFleet", "ScenarioFiles"], toolchain: ["Foundation"]),
    "WidgetFleetProgram": Row(targets: ["WidgetFleetCommand"]),
    "WidgetFleetCommand": Row(
      targets: [
        "CYAMLReader", "Platform", "FleetReports", "StudyStore", "Studies", "ScenarioFiles", "MPIRanks", "PageServer",
        "Pictures",
        "FleetEngine", "DeviceModel", "BackendModel", "Planning", "Scenario", "SimulationKernel", "RequestLogs",
        "RequestStatistics", "Calibration", "Words",
      ],
      toolchain: ["Synchronization"]),
  ]

  let repository = Repository()

  @Test func packageDeclaresTheTable() throws {
    #expect(try repository.declaredDependencies() == Self.table.mapValues(\.targets))
  }

  @Test func importsAreListedInTheTable() throws {
    for source in try repository.sources() {
      let row = try #require(Self.table[source.target], "\(source.path): a target that is not in the table")
      let strangers = Set(source.imports).subtracting(row.targets).subtracting(row.toolchain)
      #expect(strangers.isEmpty, "\(source.path) imports \(strangers.sorted())")
    }
  }

  /// The event path and its preparation run without Foundation or Dispatch.
  @Test func engineTargetsStayPlain() throws {
    let engine: Set = ["SimulationKernel", "Scenario", "BackendModel", "DeviceModel", "Numerics", "FleetEngine"]
    for source in try repository.sources() where engine.contains(source.target) {
      #expect(!source.imports.contains { $0.hasPrefix("Foundation") || $0 == "Dispatch" }, "\(source.path)")
    }
  }

  /// A single Swift file stands between a C library and the rest.
  @Test(arguments: ["CGSL", "CYAMLEvents", "CDygraphs", "CSQLite", "CMPI", "CMicrohttpd", "CRsvg"])
  func eachLibraryIsImportedByOneFile(library: String) throws {
    let importers = try repository.sources().filter { $0.imports.contains(library) }.map(\.path)
    #expect(importers.count == 1, "\(importers)")
  }

  /// A package that depends on the library needs GSL, and libyaml only to read files.
  @Test func libraryNeedsOnlyGSL() throws {
    #expect(libraries(below: "WidgetFleet") == ["CGSL"])
    #expect(libraries(below: "WidgetFleetFiles") == ["CGSL", "CYAML"])
  }

  /// Returns the system libraries of a target and of all targets below it.
  private func libraries(below target: String) -> Set<String> {
    let own: Set = ["CLinux", "CProcessor", "CWords", "CYAMLEvents", "CYAMLReader"]
    let targets = Self.table[target]?.targets ?? []
    let found = targets.reduce(into: targets.filter { $0.hasPrefix("C") && Self.table[$0]?.targets.isEmpty == true }) {
      $0.formUnion(libraries(below: $1))
    }
    return found.subtracting(own)
  }

  /// Differences between Linux and macOS are confined to one folder: no other code checks the system.
  @Test func onlyPlatformChecksTheSystem() throws {
    let systems: Set = ["Darwin", "Glibc", "CLinux", "Musl"]
    for source in try repository.sources() where source.target != "Platform" {
      #expect(systems.isDisjoint(with: source.imports), "\(source.path)")
      let lines = source.lines.map { $0.drop { $0 == " " } }
      let conditions = lines.filter { $0.hasPrefix("#if") || $0.hasPrefix("#else") }
      #expect(!conditions.contains { $0.contains("os(") || $0.contains("canImport(") }, "\(source.path)")
    }
    let platform = try repository.sources().filter { $0.target == "Platform" }
    #expect(Set(platform.flatMap(\.imports)) == ["Darwin", "Glibc", "CLinux"])
  }

  /// The parser finds imports.
  @Test func importsAreParsed() {
    let text = "import A\ninternal import B\n@testable import C\npackage import struct D.E\n// import F\nlet g = 1"
    #expect(Repository.Source(target: "T", path: "t.swift", text: text).imports == ["A", "B", "C", "D"])
  }
}
