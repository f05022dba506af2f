import Foundation
import Testing

/// The state after system faults, all of which were found by `make faults`.
struct FaultTests {
  /// A leftover of a killed process, with files in it.
  private static let leftover = ".widgetfleet-1-0.partial"

  private static func makeFolder(_ child: Child, _ name: String) throws {
    try FileManager.default.createDirectory(atPath: child.path(name), withIntermediateDirectories: true)
  }

  @Test func secondCalibrationReplacesTheFirst() throws {
    let child = try Child()
    defer { child.remove() }
    for _ in 0..<2 {
      let outcome = try child.run(["calibrate", "small.yaml", "--log", "access.log", "--no-simulation", "-o", "out/a"])
      #expect([0, 1, 5].contains(outcome.status), "\(outcome.error)")
    }
    #expect(child.names(in: "out") == ["a"])
    #expect(child.names(in: "out/a").contains("calibrated.yaml"))
  }

  @Test(arguments: ["calibrated.yaml", "parameters.csv", "backtest.csv", "runs.sqlite", "runs.sqlite-journal"])
  func leftoversOfEveryCommandAreRemoved(_ file: String) throws {
    let child = try Child()
    defer { child.remove() }
    try Self.makeFolder(child, "Reports/" + Self.leftover)
    try child.write("x", to: "Reports/\(Self.leftover)/\(file)")
    #expect(try child.run(["run", "small.yaml"]).status == 0)
    #expect(child.names(in: "Reports") == ["small"])
  }

  /// The state after a kill between linking and finishing: the user's file has a name in both folders.
  @Test func leftoverWithALinkedUserFileIsRemoved() throws {
    let child = try Child()
    defer { child.remove() }
    #expect(try child.run(["run", "small.yaml"]).status == 0)
    try child.write("mine", to: "Reports/small/notes.txt")
    try Self.makeFolder(child, "Reports/" + Self.leftover)
    try FileManager.default.linkItem(
      atPath: child.path("Reports/small/notes.txt"), toPath: child.path("Reports/\(Self.leftover)/notes.txt"))
    #expect(try child.run(["run", "small.yaml", "--seed=7", "-o", "Reports/small"]).status == 0)
    #expect(child.names(in: "Reports") == ["small"])
    #expect(child.read("Reports/small/notes.txt") == "mine")
  }

  /// A folder cannot have a second name, so it is moved.
  @Test func userFoldersAreKept() throws {
    let child = try Child()
    defer { child.remove() }
    #expect(try child.run(["run", "small.yaml"]).status == 0)
    try Self.makeFolder(child, "Reports/small/drafts")
    try child.write("mine", to: "Reports/small/drafts/a.txt")
    #expect(try child.run(["run", "small.yaml", "--seed=7", "-o", "Reports/small"]).status == 0)
    #expect(child.names(in: "Reports") == ["small"])
    #expect(child.read("Reports/small/drafts/a.txt") == "mine")
  }

  /// Whichever file a process fails to open first, it leaves no folder behind.
  @Test func withFewDescriptorsNothingIsLeftBehind() throws {
    let child = try Child()
    defer { child.remove() }
    #expect(try child.run(["run", "small.yaml"]).status == 0)
    let before = try child.bytes("Reports/small/load.csv")
    var statuses: Set<Int32> = []
    for limit in 4...16 {
      let limited = "ulimit -n \(limit); exec '\(Child.executable.path)' run small.yaml --seed=9 -o Reports/small"
      let process = try child.start(["-c", limited], executable: URL(fileURLWithPath: "/bin/bash"))
      process.waitUntilExit()
      let outcome = child.outcome(of: process)
      guard outcome.status != 127 else { continue }
      statuses.insert(outcome.status)
      #expect(child.names(in: "Reports") == ["small"])
      if outcome.status != 0 {
        let isSaid = outcome.error.contains("error: '") || outcome.error.contains("error: cannot")
        #expect(isSaid, "\(limit): \(outcome.error)")
        let isOld = try child.bytes("Reports/small/load.csv") == before
        #expect(isOld)
      }
    }
    #expect(statuses == [0, 4])
  }

  /// Reading the start of a process's memory on Linux fails with EIO.
  @Test func calibrateRefusesAPartiallyReadLog() throws {
    let child = try Child()
    defer { child.remove() }
    let outcome = try child.run([
      "calibrate", "small.yaml", "--log", "access.log", "--log", "/proc/self/mem", "--no-simulation", "-o", "out",
    ])
    #expect(outcome.status == 4)
    #expect(outcome.error == "error: cannot read '/proc/self/mem': Input/output error\n")
    #expect(!child.names().contains("out"))
  }
}
