import Foundation
import Testing

@testable import WidgetFleetCommand

/// Running N commands at once leaves the same results as running them one after another.
struct AtOnceTests {
  private static let run = ["run", "small.yaml", "--no-bracket", "--no-trials", "--seed"]

  /// Commands that choose their own folder, with three settings each.
  static let commands: [[[String]]] = [
    ["1", "2", "3"].map { run + [$0] },
    ["10", "20", "30"].map { ["tune", "small.yaml", "--minimize", "requests", "--search", "fleet.devices=5..\($0)"] },
    ["10", "20", "30"].map { ["sweep", "small.yaml", "--vary", "fleet.devices=5,\($0)"] },
    ["40", "41", "42"].map { ["calibrate"] + log + ["--no-simulation", "--set", "fleet.devices=\($0)"] },
    ["40", "41", "42"].map { ["backtest"] + log + ["--train", "1-3", "--set", "fleet.devices=\($0)"] },
  ]
  private static let log = ["guess.yaml", "--id", "id", "--key-file", "key", "--log", "log"]

  private static func child(_ command: String) throws -> Child {
    guard ["calibrate", "backtest"].contains(command) else { return try Child() }
    let child = try CalibrateTests.child("jsonl", phones: 20)
    try child.write(String(repeating: "5e", count: 16), to: "key")
    try FileManager.default.removeItem(atPath: child.path("Reports"))
    return child
  }

  /// Returns the results by folder, then by file name.
  private func results(_ child: Child) throws -> [String: [String: Data]] {
    var results: [String: [String: Data]] = [:]
    for folder in child.names(in: "Reports") {
      for file in child.names(in: "Reports/" + folder) {
        results[folder, default: [:]][file] = try child.bytes("Reports/\(folder)/\(file)")
      }
    }
    return results
  }

  /// Starts all commands, waits for them, and returns the exit code and errors of each.
  private func atOnce(_ commands: [[String]], _ child: Child) throws -> [(status: String, error: String)] {
    let lines = commands.enumerated().map { index, arguments in
      "('\(Child.executable.path)' '\(arguments.joined(separator: "' '"))' 2> \(index).err; echo $? > \(index).status) &"
    }
    let script = lines.joined(separator: "\n") + "\nwait"
    let process = try child.start(["-c", script], executable: URL(fileURLWithPath: "/bin/bash"))
    process.waitUntilExit()
    return commands.indices.map { (child.read("\($0).status"), child.read("\($0).err")) }
  }

  @Test(arguments: commands) func concurrentCommandsLeaveSequentialResults(_ commands: [[String]]) throws {
    let (row, once) = (try Self.child(commands[0][0]), try Self.child(commands[0][0]))
    defer {
      row.remove()
      once.remove()
    }
    for arguments in commands { #expect([0, 1, 5].contains(try row.run(arguments).status)) }
    for outcome in try atOnce(commands, once) { #expect(["0\n", "1\n", "5\n"].contains(outcome.status), "\(outcome)") }
    let (wanted, found) = (try results(row), try results(once))
    #expect(found.keys.sorted() == wanted.keys.sorted() && found.count == commands.count)
    #expect(Set(found.values) == Set(wanted.values))
  }

  @Test(arguments: commands) func equalConcurrentSettingsLeaveOneFolder(_ commands: [[String]]) throws {
    let (row, once) = (try Self.child(commands[0][0]), try Self.child(commands[0][0]))
    defer {
      row.remove()
      once.remove()
    }
    _ = try row.run(commands[0])
    for outcome in try atOnce(Array(repeating: commands[0], count: 3), once) {
      let isRefused = outcome.status == "4\n" && outcome.error.contains("with the same settings is working on it")
      #expect(isRefused || ["0\n", "1\n", "5\n"].contains(outcome.status), "\(outcome)")
    }
    let areSame = try results(once) == results(row)
    #expect(areSame, "\(once.names(in: "Reports"))")
  }

  /// A folder that the user names has only one writer.
  @Test func requestedFolderHasOneWriter() throws {
    let (row, once) = (try Child(), try Child())
    defer {
      row.remove()
      once.remove()
    }
    let commands = Self.commands[0].map { $0 + ["-o", "Reports/out"] }
    var possible: Set<[String: Data]> = []
    for arguments in commands {
      #expect(try row.run(arguments).status == 0)
      possible.insert(try #require(try results(row)["out"]))
    }
    for outcome in try atOnce(commands, once) {
      let isRefused = outcome.status == "4\n" && outcome.error.contains("another process is working on it")
      #expect(isRefused || outcome.status == "0\n", "\(outcome)")
    }
    #expect(once.names(in: "Reports") == ["out"])
    #expect(possible.contains(try #require(try results(once)["out"])))
  }

  /// At any time, a claim by a live process is respected and one by a dead process is not.
  @Test func claimLastsAsLongAsItsProcess() throws {
    let child = try Child()
    defer { child.remove() }
    let folder = "Reports/.small.unfinished"
    try FileManager.default.createDirectory(atPath: child.path(folder), withIntermediateDirectories: true)
    try child.write(String(repeating: "0", count: 64), to: folder + "/claim")
    let lock = open(child.path(folder), O_RDONLY)
    #expect(flock(lock, LOCK_EX) == 0)
    let second = try child.run(Self.run + ["1"])
    #expect(second.status == 0 && second.error.contains("is being written with other settings by another process"))
    #expect(try child.run(Self.run + ["1", "-o", "Reports/small"]).error.contains("another process is working on it"))
    #expect(child.names(in: "Reports") == [".small.unfinished", "small-2"])
    close(lock)
    #expect(try child.run(Self.run + ["2"]).error.contains("results: Reports/small/"))
    #expect(child.names(in: "Reports") == ["small", "small-2"])
  }

  /// The next command removes leftover claims, but keeps what can be resumed and what is not the program's own.
  @Test(arguments: [
    (["claim"], true), ([], true), (["claim", "journal", "mark", "x.1-0.shards.new", "0.1.pulse"], true),
    (["claim", "journal", "x.steps"], false), (["claim", "runs.sqlite"], false), (["mine.txt"], false),
  ]) func leftoverClaimsAreRemoved(_ files: [String], _ isSwept: Bool) throws {
    let child = try Child()
    defer { child.remove() }
    let folder = "Reports/.other.unfinished"
    try FileManager.default.createDirectory(atPath: child.path(folder), withIntermediateDirectories: true)
    for file in files { try child.write("x", to: folder + "/" + file) }
    #expect(try child.run(Self.run + ["1"]).status == 0)
    #expect(child.names(in: "Reports") == (isSwept ? ["small"] : [".other.unfinished", "small"]))
    #expect(child.names(in: folder) == (isSwept ? [] : files.sorted()))
  }

  /// A sweep stopped while another was running is found again by its settings.
  @Test func sweepResumesUnderItsName() throws {
    let child = try Child()
    defer { child.remove() }
    let sweep = Self.commands[2]
    let claims = ["Reports/.small-sweep.unfinished", "Reports/.small-sweep-2.unfinished"]
    // The state left by two killed sweeps: claims and stores.
    for (claim, arguments) in zip(claims, [sweep[0], sweep[1]]) {
      let other = try Child()
      defer { other.remove() }
      #expect(try other.run(arguments).status == 0)
      try FileManager.default.createDirectory(atPath: child.path(claim), withIntermediateDirectories: true)
      try child.write("", to: claim + "/runs.sqlite")
      let lines = other.read("Reports/small-sweep/manifest.json").split(separator: "\"")
      let place = try #require(lines.firstIndex(of: "study_sha256"))
      try child.write(String(lines[place + 2]), to: claim + "/claim")
    }
    let resumed = try child.run(sweep[1] + ["--resume"])
    #expect(resumed.error.hasPrefix("results: Reports/small-sweep-2/"), "\(resumed.error)")
    #expect(child.names(in: "Reports") == [".small-sweep.unfinished", "small-sweep-2"])
  }
}
