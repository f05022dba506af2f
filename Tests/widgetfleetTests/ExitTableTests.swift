import Foundation
import Testing

@testable import WidgetFleetCommand

/// The rows of the exit code table for each command: success, wrong usage, a full disk, a closed pipe, a signal.
struct ExitTableTests {
  /// A line of arguments for each command that exits with 0.
  static let calls: [[String]] = [
    ["run", "small.yaml", "--no-bracket", "-q"], ["run", "small.yaml", "--dry-run", "-q"],
    ["validate", "--format=json", "small.yaml"], ["compare", "small.yaml", "small.yaml", "-q"],
    ["sweep", "small.yaml", "--vary", "run.seed=1,2", "-q"],
    ["tune", "tune.yaml", "--max-runs=13", "--nominal", "-q"],
    ["capacity", "tune.yaml", "-n", "2", "--nominal", "-q"],
    ["logs", "access.log"], ["logs", "access.log", "--format", "json"],
    ["init", "weather"], ["explain", "WF102"], ["schema"], ["schema", "--kind", "summary"], ["completions", "bash"],
    ["--help"], ["--version"],
  ]

  @Test func everyCommandHasACall() {
    // The result of `report` is a file (`ReportCommandTests`), `calibrate` and `backtest` need a log of several days
    // (`CalibrateTests`, `BacktestCommandTests`), `export` needs a results folder (`ExportCommandTests`), `plan` a plan
    // (`PlanCommandTests`), and `serve` does not end by itself (Tests/Browser/live.py).
    let others = ["report", "calibrate", "backtest", "export", "plan", "serve"]
    #expect(Set(Command.all.map(\.name)).subtracting(others).isSubset(of: Set(Self.calls.map { $0[0] })))
  }

  @Test(arguments: calls) func successIsZeroAndOnlyTheResultIsOnStdout(_ arguments: [String]) throws {
    let child = try Child()
    defer { child.remove() }
    let outcome = try child.run(arguments)
    #expect(outcome.status == 0)
    #expect(!outcome.output.isEmpty && outcome.error.isEmpty)
    #expect(try child.run(arguments, environment: ["TERM": "dumb", "LC_ALL": "C"]).output == outcome.output)
  }

  @Test(arguments: calls) func fullDiskGivesExitStatusFour(_ arguments: [String]) throws {
    let child = try Child()
    defer { child.remove() }
    let outcome = try child.run(arguments, output: "/dev/full")
    #expect(outcome.status == 4)
    #expect(outcome.error == "error: cannot write 'standard output': No space left on device\n")
  }

  @Test(arguments: calls) func brokenPipeGivesExitStatusFourSilently(_ arguments: [String]) throws {
    let child = try Child()
    defer { child.remove() }
    // The reader is gone before the first byte is written.
    let list = ([Child.executable.path] + arguments).map(\.shellQuoted).joined(separator: " ")
    let script = "{ sleep 0.2; \(list); echo $? > status; } | true"
    let process = try child.start(["-c", script], executable: URL(fileURLWithPath: "/bin/bash"))
    process.waitUntilExit()
    #expect(child.read("status") == "4\n")
    #expect(child.read("stderr.txt").isEmpty)
  }

  @Test(arguments: Command.all.map(\.name)) func wrongUsageGivesExitStatusTwo(_ command: String) throws {
    let child = try Child()
    defer { child.remove() }
    for arguments in [[command, "--nonsense"], [command, "a", "b", "--jobs=x"], ["--no-bracket=1", command]] {
      let outcome = try child.run(arguments)
      #expect(outcome.status == 2 && outcome.output.isEmpty, "\(arguments)")
      #expect(outcome.error.hasPrefix("error: ") && outcome.error.contains("--help"), "\(arguments)")
    }
  }

  @Test(arguments: ["run", "validate"], [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
  func signalWhileReadingStandardInputEndsTheRun(_ command: String, _ row: (Int32, Int32)) throws {
    let child = try Child()
    defer { child.remove() }
    let waiting = Pipe()
    let reader = Process()
    reader.executableURL = Child.executable
    reader.arguments = [command, "-"]
    reader.currentDirectoryURL = child.folder
    reader.standardInput = waiting
    reader.standardOutput = FileHandle(forWritingAtPath: child.path("stdout.txt"))
    reader.standardError = FileHandle(forWritingAtPath: child.path("stderr.txt"))
    try reader.run()
    child.waitUntilHearing(reader)
    kill(reader.processIdentifier, row.0)
    reader.waitUntilExit()
    #expect(reader.terminationReason == .exit && reader.terminationStatus == row.1)
    #expect(!child.names().contains("Reports"))
  }

  /// A file may not grow beyond a few kilobytes, as with a quota or a full disk.
  @Test func resultsThatDoNotFitKeepTheOldOnes() throws {
    let child = try Child()
    defer { child.remove() }
    let command = "run small.yaml -o Reports/small --no-bracket --junit goals.xml"
    let limited = "ulimit -f 4; exec '\(Child.executable.path)' \(command)"
    for hasOld in [false, true] {
      if hasOld { #expect(try child.run(["run", "small.yaml", "--no-bracket", "--seed", "9"]).status == 0) }
      let before = child.read("Reports/small/manifest.json")
      let process = try child.start(["-c", limited], executable: URL(fileURLWithPath: "/bin/bash"))
      process.waitUntilExit()
      let outcome = child.outcome(of: process)
      #expect(outcome.status == 4 && outcome.output.isEmpty)
      #expect(outcome.error.contains("cannot write 'Reports/small/"), "\(outcome.error)")
      #expect(outcome.error.contains("File too large"), "\(outcome.error)")
      #expect(child.names(in: "Reports") == (hasOld ? ["small"] : []))
      #expect(child.read("Reports/small/manifest.json") == before)
      #expect(!child.names().contains("goals.xml"))
    }
  }

  @Test func failedGoalGivesExitStatusOne() throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Child.scenario(extra: "goals: [{id: few, assert: requests <= 20}]"), to: "goal.yaml")
    let outcome = try child.run(["run", "goal.yaml", "--no-bracket"])
    #expect(outcome.status == 1 && !outcome.output.isEmpty)
  }
}
