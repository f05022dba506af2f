import Foundation
import Testing
import WidgetFleet
import WidgetFleetFiles

/// The library and the program are one simulator: a scenario has the same figures in both.
@Suite struct ProgramTests {
  /// A row of summary.json, and the part of it that the library also has.
  private struct Summary: Decodable {
    struct Row: Decodable {
      var metric: String
      var value: Double?
      var low: Double?
      var high: Double?
    }

    var rows: [Row]
  }

  /// Phones with users and a bracket; a backend with a queue, a CDN and an outage.
  @Test(arguments: ["morning-unlock", "weather-launch"])
  func figuresAreThoseOfTheProgram(scenario name: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "widgetfleet-library-" + UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = Process()
    program.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "widgetfleet")
    program.arguments = [
      "run", Sample.path(of: name), "--set", "run.simulate=200", "--set", "run.seed=5", "--exit-zero", "-q", "-o",
      folder.path,
    ]
    program.standardOutput = FileHandle.nullDevice
    program.standardError = FileHandle.nullDevice
    try program.run()
    program.waitUntilExit()
    let text = try Data(contentsOf: folder.appending(path: "summary.json"))
    let rows = try JSONDecoder().decode(Summary.self, from: text).rows
    let figures = try Simulation(try Scenario(contentsOf: Sample.path(of: name))).run(devices: 200, seed: 5).figures
    #expect(rows.count == figures.count && rows.count > 100)
    for (row, figure) in zip(rows, figures) {
      #expect(figure.name.contains(row.metric))
      #expect(row.value == (figure.value.isNaN ? nil : figure.value), "\(figure.name)")
      #expect(row.low == figure.interval?.lowerBound && row.high == figure.interval?.upperBound, "\(figure.name)")
    }
  }
}
