import Foundation
import Testing

/// The table of exit codes, row by row.
struct ExitCodeTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var arguments: [String]
    var environment: [String: String] = [:]
    var status: Int32
    /// The text expected on stderr, or on stdout in case of success.
    var says: String

    var testDescription: String { arguments.joined(separator: " ") + " \(environment)" }
  }

  @Test(arguments: [
    Row(arguments: ["run", "small.yaml"], status: 0, says: "refreshes per widget"),
    Row(arguments: ["validate", "small.yaml"], status: 0, says: "small.yaml: valid"),
    Row(arguments: ["--help"], status: 0, says: "Usage: widgetfleet COMMAND"),
    Row(arguments: ["help"], status: 0, says: "Usage: widgetfleet COMMAND"),
    Row(arguments: ["help", "run"], status: 0, says: "Usage: widgetfleet run"),
    Row(arguments: ["run", "-h"], status: 0, says: "--seed N"),
    Row(arguments: ["validate", "--nonsense", "--help"], status: 2, says: "unknown option '--nonsense'"),
    Row(arguments: ["--version"], status: 0, says: "widgetfleet "),
    Row(arguments: [], status: 0, says: "Usage: widgetfleet COMMAND"),
    Row(arguments: ["--quiet"], status: 2, says: "no command given"),
    Row(arguments: ["rum", "small.yaml"], status: 2, says: "did you mean 'run'?"),
    Row(arguments: ["sweep", "small.yaml"], status: 2, says: "there is nothing to vary"),
    Row(arguments: ["calibrate", "small.yaml"], status: 2, says: "--log is missing"),
    Row(arguments: ["calibrate", "small.yaml", "--log", "nowhere"], status: 4, says: "cannot read 'nowhere'"),
    Row(arguments: ["logs", "nowhere"], status: 4, says: "cannot read 'nowhere'"),
    Row(arguments: ["tune", "small.yaml"], status: 2, says: "has no 'tune' section"),
    Row(arguments: ["run"], status: 2, says: "SCENARIO is missing"),
    Row(arguments: ["run", "small.yaml", "other.yaml"], status: 2, says: "unexpected argument 'other.yaml'"),
    Row(arguments: ["run", "small.yaml", "--sede", "3"], status: 2, says: "did you mean '--seed'?"),
    Row(arguments: ["run", "small.yaml", "--see", "3"], status: 2, says: "unknown option '--see'"),
    Row(arguments: ["run", "small.yaml", "--dry-run", "--device=1"], status: 2, says: "--device cannot be combined"),
    Row(arguments: ["run", "small.yaml", "--seed"], status: 2, says: "--seed needs a value"),
    Row(arguments: ["run", "small.yaml", "--seed", "-1"], status: 2, says: "whole number"),
    Row(arguments: ["run", "small.yaml", "--jobs=0"], status: 2, says: "from 1 to"),
    Row(arguments: ["run", "small.yaml", "--jobs=99999999999999999999"], status: 2, says: "from 1 to"),
    Row(arguments: ["run", "small.yaml", "--seed=1", "--seed=2"], status: 2, says: "given twice"),
    Row(arguments: ["run", "small.yaml", "--quiet=yes"], status: 2, says: "takes no value"),
    Row(arguments: ["run", "small.yaml", "--format", "jsn"], status: 2, says: "did you mean 'json'?"),
    Row(arguments: ["run", "small.yaml", "-o", ""], status: 2, says: "a folder name"),
    Row(arguments: ["--seed=1", "validate", "small.yaml"], status: 2, says: "'validate' has no option --seed"),
    Row(arguments: ["run", "small.yaml"], environment: ["WIDGETFLEET_JOBS": "x"], status: 2, says: "WIDGETFLEET_JOBS"),
    Row(arguments: ["run", "small.yaml", "--set", "kinds.weather.reload.afer=1h"], status: 2, says: "afer"),
    Row(arguments: ["run", "stdin.txt"], status: 2, says: "no scenario"),
    Row(arguments: ["run", "."], status: 2, says: "is a directory"),
    Row(arguments: ["run", "/dev/zero"], status: 2, says: "is not a file"),
    Row(arguments: ["run", "/dev/tty"], status: 2, says: "dev/tty"),
    Row(arguments: ["run", "missing.yaml"], status: 4, says: "No such file"),
    Row(arguments: ["validate", "missing.yaml"], status: 4, says: "No such file"),
    Row(arguments: ["run", "small.yaml/x"], status: 4, says: "Not a directory"),
    Row(arguments: ["run", "small.yaml", "-o", "/proc/nowhere"], status: 4, says: "cannot write"),
    Row(arguments: ["run", "small.yaml", "-o", "small.yaml"], status: 4, says: "not a folder"),
    Row(arguments: ["run", "small.yaml", "-o", "/"], status: 4, says: "root"),
  ])
  func row(_ row: Row) throws {
    let child = try Child()
    defer { child.remove() }
    let outcome = try child.run(row.arguments, environment: row.environment)
    #expect(outcome.status == row.status)
    #expect((row.status == 0 ? outcome.output : outcome.error).contains(row.says))
    if row.status != 0 {
      #expect(outcome.output.isEmpty)
      #expect(!child.names().contains("Reports"))
    }
  }

  @Test func pipesAndHugeFilesAreRefused() throws {
    let child = try Child()
    defer { child.remove() }
    #expect(mkfifo(child.path("pipe"), 0o600) == 0)
    #expect(truncateNew(child.path("huge.yaml"), to: 100_000_000))
    for (name, says) in [("pipe", "is a pipe"), ("huge.yaml", "larger than 4 MB")] {
      let outcome = try child.run(["run", name])
      #expect(outcome.status == 2)
      #expect(outcome.error.contains(says))
    }
  }

  @Test func dashReadsStandardInput() throws {
    let child = try Child()
    defer { child.remove() }
    #expect(try child.run(["validate", "-"], input: Child.scenario()).status == 0)
    let wrong = try child.run(["validate", "-"], input: Child.scenario(extra: "nonsense: 1"))
    #expect(wrong.status == 2)
    #expect(wrong.error.contains("<stdin>:"))
  }

  @Test func optionsMayAppearAnywhereBeforeTwoDashes() throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Child.scenario(), to: "-odd.yaml")
    #expect(try child.run(["--quiet", "validate", "small.yaml", "--", "-odd.yaml"]).status == 0)
    #expect(try child.run(["-n2", "run", "-oout", "small.yaml"]).status == 0)
    #expect(child.read("out/manifest.json").contains("\"replications\": 2"))
  }

  private func truncateNew(_ path: String, to size: Int) -> Bool {
    FileManager.default.createFile(atPath: path, contents: nil) && truncate(path, size) == 0
  }
}
