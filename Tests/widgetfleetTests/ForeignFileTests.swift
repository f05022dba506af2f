import Foundation
import Testing

/// Files not meant for this program: errors show where and why, but none of the contents.
struct ForeignFileTests {
  /// Contents with a secret, as other programs' files have them.
  static let contents = [
    "root:$6$SECRET$x:19000:0:99999:7:::\ndaemon:*:19000:0:99999:7:::\n", "password: SECRET\nuser: bob\n",
    "SECRET: {a: 1\n", "\"SECRET\n", "- SECRET\n- b\n", "[default]\nkey = SECRET\n", "{\"token\": \"SECRET\"}\n",
    "name: SECRET\nkinds: {SECRET: SECRET}\nfleet: SECRET\n", "SECRET: 1\nSECRET: 2\n", "a,b\nSECRET,1\n", "SECRET",
    "schema: SECRET\nname: SECRET\n", "a: &SECRET 1\nb: *SECRET\n", "\u{1}SECRET\n",
  ]

  /// Every command that reads a file, given `secret` instead.
  private static let commands = [
    ["run", "secret"], ["validate", "secret"], ["validate", "secret", "--format", "json"],
    ["validate", "secret", "--format", "github"], ["run", "secret", "--dry-run"],
    ["sweep", "secret", "--vary", "run.seed=1,2"], ["tune", "secret", "--minimize", "requests"],
    ["capacity", "secret"], ["compare", "secret", "--with", "os.idle=none"],
    ["calibrate", "secret", "--log", "access.log"], ["backtest", "secret", "--log", "access.log", "--train", "1-2"],
    ["validate", "profiled.yaml"], ["run", "profiled.yaml"], ["completions", "bash", "--paths", "secret"],
    ["run", "small.yaml", "--device", "1", "--replay-conditions", "secret"],
    ["calibrate", "small.yaml", "--telemetry", "secret"],
    ["calibrate", "small.yaml", "--log", "access.log", "--key-file", "secret"],
    ["report", "folder"], ["export", "folder", "--to", "k6"], ["explain", "folder", "peak"],
    ["compare", "folder", "small.yaml"], ["sweep", "small.yaml", "--vary", "run.seed=1", "--merge", "folder"],
    ["sweep", "small.yaml", "--vary", "run.seed=1,2", "--resume", "-o", "swept"],
    ["run", "small.yaml", "--resume", "-o", "run"],
  ]

  @Test(arguments: contents) func foreignFilesAreNotShown(_ content: String) throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(content, to: "secret")
    try child.write(
      Child.scenario().replacing("os: {idle: {after: 2h, give_up: 0s}}", with: "os: {profile: secret}"),
      to: "profiled.yaml")
    for (folder, files) in [
      ("folder", ["run.bin", "manifest.json"]), (".swept.unfinished", ["runs.sqlite"]),
      (".run.unfinished", ["journal", "x.steps"]),
    ] {
      try FileManager.default.createDirectory(atPath: child.path(folder), withIntermediateDirectories: true)
      for file in files { try child.write(content, to: "\(folder)/\(file)") }
    }
    for command in Self.commands {
      let outcome = try child.run(command)
      let isHidden = !(outcome.output + outcome.error).contains("SECRET")
      #expect(isHidden && outcome.status != 3, "\(command): \(outcome)")
    }
  }

  /// A file that names the schema is the user's own, whatever is wrong with it, so its lines are shown.
  @Test func linesOfScenarioFilesAreShown() throws {
    let child = try Child()
    defer { child.remove() }
    for (name, text, shown) in [
      ("a.yaml", "schema: widgetfleet/v1\nname: {x\n", "name: {x"),
      ("b.yaml", "{\"schema\": \"widgetfleet/v1\", \"mine\": 1}", "\"mine\": 1"),
      ("profiled.yaml", Child.scenario().replacing("os: {", with: "os: {profile: c.yaml, "), "mine: 1"),
    ] {
      try child.write(text, to: name)
      try child.write("schema: widgetfleet.os-profile/v1\nmine: 1\n", to: "c.yaml")
      let outcome = try child.run(["validate", name])
      #expect(outcome.status == 2 && outcome.error.contains(shown), "\(outcome.error)")
    }
  }

  /// A file that is not a run's is refused after its first bytes: there is not enough memory for all of it.
  @Test(arguments: [
    (["report", "folder"], "folder/run.bin", "is not a run file"),
    (
      ["run", "small.yaml", "--device", "1", "--replay-conditions", "folder/c.csv"], "folder/c.csv",
      "the first line must be"
    ),
  ]) func hugeForeignFileIsRefusedByItsStart(_ command: [String], _ file: String, _ reason: String) throws {
    let child = try Child()
    defer { child.remove() }
    try FileManager.default.createDirectory(atPath: child.path("folder"), withIntermediateDirectories: true)
    try child.write("replication,minute,endpoint\n", to: file)
    #expect(truncate(child.path(file), file.hasSuffix("bin") ? 1_000_000_000 : 390_000_000) == 0)
    let line = "ulimit -v 800000; exec '\(Child.executable.path)' \(command.joined(separator: " "))"
    let process = try child.start(["-c", line], executable: URL(fileURLWithPath: "/bin/bash"))
    process.waitUntilExit()
    let outcome = child.outcome(of: process)
    #expect(outcome.status == 2 && outcome.error.contains(reason), "\(outcome)")
  }

  /// Thousands of settings are read and checked before the first is simulated, which is announced at once.
  @Test func manySettingsAreAnnounced() throws {
    let child = try Child()
    defer { child.remove() }
    let seeds = (1...300).map { "\($0)" }.joined(separator: ",")
    let process = try child.start(["sweep", "small.yaml", "--nominal", "--vary", "run.seed=" + seeds])
    child.wait(for: process) { child.read("stderr.txt").contains("checking") }
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
    let outcome = child.outcome(of: process)
    #expect(outcome.error.hasPrefix("widgetfleet: reading 300 settings\nwidgetfleet: checking 300 settings\n"))
    #expect(outcome.status == 143, "\(outcome.error)")
  }
}
