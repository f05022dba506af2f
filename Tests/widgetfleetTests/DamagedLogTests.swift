import Foundation
import Testing

/// Compressed logs with missing parts are refused, or accepted and mentioned in every file meant for people.
struct DamagedLogTests {
  /// Ways to damage a gzip file, with the reasons reported.
  private static let damages: [(reason: String, damage: @Sendable (Data) -> Data)] = [
    ("contains damaged compressed data", { $0.prefix($0.count / 2) + Data(repeating: 0xFF, count: 400) }),
    ("is truncated", { $0.prefix($0.count * 2 / 3) }),
    ("has other data after its compressed data", { $0 + Data("x".utf8) }),
  ]

  private func child(_ damage: (Data) -> Data) throws -> Child {
    let child = try CalibrateTests.child("jsonl", phones: 20)
    let packing = try child.start(["-kn", "log"], executable: URL(fileURLWithPath: "/usr/bin/gzip"))
    packing.waitUntilExit()
    try damage(try child.bytes("log.gz")).write(to: URL(fileURLWithPath: child.path("part.gz")))
    try FileManager.default.removeItem(atPath: child.path("Reports"))
    return child
  }

  private static let commands = [
    ["logs", "part.gz"], ["calibrate", "guess.yaml", "--id", "id", "--no-simulation", "--log", "part.gz"],
    ["backtest", "guess.yaml", "--id", "id", "--train", "1-2", "--log", "part.gz"],
  ]

  @Test(arguments: damages.indices) func logWithMissingPartIsRefused(_ index: Int) throws {
    let (reason, damage) = Self.damages[index]
    let child = try child(damage)
    defer { child.remove() }
    for command in Self.commands {
      let outcome = try child.run(command)
      #expect(outcome.status == 4, "\(command): \(outcome)")
      #expect((outcome.output + outcome.error).contains("'part.gz' " + reason), "\(outcome)")
      #expect(child.names(in: "Reports").isEmpty)
      guard command[0] != "logs" else { continue }
      #expect(outcome.output.isEmpty && outcome.error.contains("--damaged accept"), "\(outcome)")
    }
  }

  @Test(arguments: damages.indices) func acceptedDamageIsReported(_ index: Int) throws {
    let (reason, damage) = Self.damages[index]
    let child = try child(damage)
    defer { child.remove() }
    for command in Self.commands {
      let outcome = try child.run(command + ["--damaged", "accept", "-o", "out"].prefix(command[0] == "logs" ? 2 : 4))
      #expect([0, 1, 5].contains(outcome.status), "\(command): \(outcome)")
      guard command[0] != "logs" else { continue }
      #expect(outcome.error.contains("warning: 1 of 1 file was not read to the end"), "\(outcome.error)")
      #expect(child.read("out/manifest.json").contains("  \"damaged_files\": 1,\n"))
      #expect(child.read("out/report.html").contains("1 of 1 file was not read to the end"))
      if command[0] == "calibrate" {
        #expect(child.read("out/quality.csv").contains("damaged_files,,1,,,\(reason)\n"))
      }
    }
  }

  /// Nothing is reported about an intact log.
  @Test func intactLogIsNotReportedAsDamaged() throws {
    let child = try child { $0 }
    defer { child.remove() }
    for command in Self.commands[1...] {
      let outcome = try child.run(command + ["-o", "out"])
      #expect([0, 1, 5].contains(outcome.status) && !outcome.error.contains("warning: "), "\(outcome)")
      for file in ["manifest.json", "report.html", "quality.csv"] {
        #expect(!child.read("out/" + file).contains("damaged_files"))
        #expect(!child.read("out/" + file).contains("not read to the end"))
      }
    }
  }
}
