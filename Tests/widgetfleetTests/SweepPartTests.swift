import FleetReports
import Foundation
import Testing

@testable import WidgetFleetCommand

/// A sweep in parts (`sweep --part`), then merged (`sweep --merge`), as child processes.
struct SweepPartTests {
  private static let files = ["effects.csv", "manifest.json", "report.html", "runs.csv", "runs.sqlite", "settings.csv"]

  /// Arguments with a goal, so that presets are simulated too; a fleet that is simulated completely has more figures
  /// than a sample.
  private static let arguments = [
    "sweep", "sweep.yaml", "-n", "2", "--vary", "fleet.devices=40,20,30", "--vary", "run.simulate=10,20",
  ]

  /// Returns six settings, with two requests per device.
  private func child(goal: String = "requests <= 60") throws -> Child {
    let child = try Child()
    try child.write(Child.scenario(extra: "goals: [{id: few, assert: '\(goal)'}]"), to: "sweep.yaml")
    return child
  }

  /// Simulates some parts into folders named after their numbers.
  @discardableResult private func simulate(
    _ numbers: some Sequence<Int>, of count: Int, in child: Child, more: [String] = []
  ) throws -> [String] {
    try numbers.map { number in
      let folder = "parts/\(number)"
      let outcome = try child.run(Self.arguments + ["--part", "\(number)/\(count)", "-o", folder] + more)
      #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.error)")
      return folder
    }
  }

  private func merge(_ folders: [String], in child: Child, more: [String] = []) throws -> Child.Outcome {
    try child.run(Self.arguments + ["--merge"] + folders + ["-o", "out"] + more)
  }

  private func expectSame(_ child: Child, _ folder: String = "out", _ other: String = "whole") throws {
    #expect(child.names(in: folder) == child.names(in: other))
    for name in child.names(in: other) {
      let isSame = try child.bytes("\(folder)/\(name)") == child.bytes("\(other)/\(name)")
      #expect(isSame, "\(name)")
    }
  }

  /// Checks that nothing was written and nothing incomplete is left.
  private func expectNothing(_ child: Child) {
    #expect(!child.names().contains("out"))
    #expect(!child.names().contains { $0.hasPrefix(".") }, "\(child.names())")
  }

  /// With one part, several, as many as settings, or more: the bytes, table and exit status of a single sweep.
  @Test(arguments: [(1, "requests <= 60", 0), (3, "requests <= 60", 0), (6, "requests <= 1", 1), (8, "runs >= 0", 0)])
  func mergedPartsAreTheSweep(_ count: Int, _ goal: String, _ status: Int32) throws {
    let child = try child(goal: goal)
    defer { child.remove() }
    let whole = try child.run(Self.arguments + ["-o", "whole"])
    #expect(whole.status == status && child.names(in: "whole") == Self.files, "\(whole.error)")
    // The order and names of the folders have no effect.
    let folders = try simulate((1...count).reversed(), of: count, in: child)
    let merged = try merge(folders, in: child)
    #expect(merged.status == status && merged.output == whole.output, "\(merged.error)")
    #expect(merged.error.contains("merging 18 runs from \(count) parts\n"))
    try expectSame(child)
    #expect(!child.names().contains { $0.hasPrefix(".") })
    // The parts are unchanged, with nothing added next to their files.
    for folder in folders { #expect(child.names(in: folder) == ["manifest.json", "runs.sqlite"]) }
    let json = try merge(folders, in: child, more: ["--format", "json", "-q"])
    #expect(try json.output == child.run(Self.arguments + ["-o", "whole", "--format", "json", "-q"]).output)
    try expectSame(child)
  }

  /// Settings are dealt out in turn; a part without settings is valid.
  @Test func partSimulatesOnlyItsSettings() throws {
    let child = try child()
    defer { child.remove() }
    let fourth = try child.run(Self.arguments + ["--part", "2/4"])
    #expect(fourth.status == 0 && fourth.output.isEmpty)
    #expect(fourth.error.contains("6 runs, 3 per setting"))
    #expect(fourth.error.contains("part 2/4: 2 of 6 settings are done: Reports/small-sweep-part-2-of-4\n"))
    let manifest = child.read("Reports/small-sweep-part-2-of-4/manifest.json")
    #expect(manifest.contains("\"settings\": 2,\n  \"part\": 2,\n  \"parts\": 4,"))
    let empty = try child.run(Self.arguments + ["--part", "7/7"])
    #expect(empty.status == 0 && empty.error.contains("note: part 7/7 has no settings\n"), "\(empty.error)")
    #expect(child.names(in: "Reports") == ["small-sweep-part-2-of-4", "small-sweep-part-7-of-7"])
    for name in child.names(in: "Reports") {
      #expect(child.names(in: "Reports/\(name)") == ["manifest.json", "runs.sqlite"])
    }
    // It is neither a run nor a sweep, and may be replaced.
    let report = try child.run(["report", "Reports/small-sweep-part-2-of-4"])
    #expect(report.status == 2 && report.error.contains("has schema 'widgetfleet.manifest/sweep-part-v1'"))
    #expect(try child.run(Self.arguments + ["-o", "Reports/small-sweep-part-2-of-4"]).status == 0)
    #expect(child.names(in: "Reports/small-sweep-part-2-of-4") == Self.files)
  }

  @Test func missingAndDuplicatePartsAreNamed() throws {
    let child = try child()
    defer { child.remove() }
    let folders = try simulate(1...7, of: 7, in: child)
    for (given, says) in [
      ([1, 2, 3, 4, 5, 6], "part 7 of 7 is missing"), ([1, 3, 4, 6, 7], "parts 2 and 5 of 7 are missing"),
      ([2, 6], "parts 1, 3 to 5 and 7 of 7 are missing"),
      ([1, 2, 3, 4, 5, 6, 7, 2], "'parts/2' is part 2/7, and so is 'parts/2'"),
    ] {
      let outcome = try merge(given.map { folders[$0 - 1] }, in: child)
      #expect(outcome.status == 2 && outcome.output.isEmpty && outcome.error.contains(says), "\(outcome.error)")
    }
    // The same part under two names, and one from a different division.
    try FileManager.default.copyItem(atPath: child.path("parts/2"), toPath: child.path("copy"))
    let twice = try merge(folders + ["copy"], in: child)
    #expect(twice.status == 2 && twice.error.contains("'copy' is part 2/7, and so is 'parts/2'"), "\(twice.error)")
    try simulate([2], of: 3, in: child)
    let mixed = try merge(folders, in: child)
    #expect(mixed.status == 2 && mixed.error.contains("'parts/2' is part 2/3, but 'parts/1' is part 1/7"))
    expectNothing(child)
  }

  /// Folders with parts of another sweep.
  @Test(arguments: [
    (["--seed", "9"], "another seed"), (["--set", "kinds.weather.reload.after=20min"], "another scenario"),
    (["--method", "zip", "--vary", "run.seed=1,2"], "another method"),
    (["--vary", "kinds.weather.jitter.up_to=0s,5min"], "other settings"), (["-n", "3"], "another scenario"),
    (["--nominal"], "goals judged differently (--nominal)"),
  ])
  func partsOfAnotherSweepAreRefused(_ change: [String], _ says: String) throws {
    let child = try child()
    defer { child.remove() }
    let folders = try simulate([1], of: 2, in: child)
    var line = Self.arguments
    if change.contains("zip") { line.removeLast(4) }
    if change[0] == "-n", let place = line.firstIndex(of: "-n") { line.removeSubrange(place...place + 1) }
    let second = try child.run(line + change + ["--part", "2/2", "-o", "parts/2"])
    #expect(second.status == 0, "\(second.error)")
    let outcome = try merge(folders + ["parts/2"], in: child)
    #expect(outcome.status == 2 && outcome.output.isEmpty)
    #expect(outcome.error.contains("'parts/2' is part of a sweep with \(says)"), "\(outcome.error)")
    expectNothing(child)
  }

  /// A complete store of another version, with its texts and hash changed.
  @Test func partsOfAnotherVersionAreRefused() throws {
    let child = try child()
    defer { child.remove() }
    try simulate([1], of: 1, in: child)
    let store = try child.bytes("parts/1/runs.sqlite")
    let text = try #require(String(data: store, encoding: .isoLatin1))
    let other = String(Version.current.map { $0 == "." ? "." : "9" })
    let changed = try #require(text.replacing(Version.current, with: other).data(using: .isoLatin1))
    try changed.write(to: URL(fileURLWithPath: child.path("parts/1/runs.sqlite")))
    let hashes = [store, changed].map { SHA256.hexadecimal(of: [UInt8]($0)) }
    let manifest = child.read("parts/1/manifest.json")
    try child.write(manifest.replacing(hashes[0], with: hashes[1]), to: "parts/1/manifest.json")
    let outcome = try merge(["parts/1"], in: child)
    #expect(outcome.status == 2, "\(outcome.error)")
    #expect(outcome.error.contains("'parts/1' is part of a sweep with another version of widgetfleet"))
    expectNothing(child)
  }

  @Test func nonPartFoldersAreRefused() throws {
    let child = try child()
    defer { child.remove() }
    try simulate([1], of: 1, in: child)
    #expect(try child.run(["run", "small.yaml", "--no-bracket", "-o", "run", "-q"]).status == 0)
    #expect(try child.run(Self.arguments + ["-o", "sweep", "-q"]).status == 0)
    try FileManager.default.createDirectory(atPath: child.path("empty"), withIntermediateDirectories: true)
    let noPart = "is not a finished part of a sweep: "
    for (folder, status, says) in [
      ("run", Int32(2), "'run' " + noPart + "its manifest.json has schema 'widgetfleet.manifest/v1'"),
      ("sweep", 2, "'sweep' " + noPart + "its manifest.json has schema 'widgetfleet.manifest/sweep-v1'"),
      ("empty", 2, "'empty' " + noPart + "it has no manifest.json, which is written last"),
      ("small.yaml", 2, "'small.yaml' " + noPart + "it is not a folder"),
      ("parts/*", 4, "cannot read 'parts/*': No such file or directory"),
    ] {
      let outcome = try merge(["parts/1", folder], in: child)
      #expect(outcome.status == status && outcome.output.isEmpty && outcome.error.contains(says), "\(outcome.error)")
    }
    expectNothing(child)
  }

  @Test func damagedPartsAreRefused() throws {
    let child = try child()
    defer { child.remove() }
    try simulate([1], of: 1, in: child)
    let (store, manifest) = (try child.bytes("parts/1/runs.sqlite"), try child.bytes("parts/1/manifest.json"))
    var flipped = store
    flipped[store.count / 2] ^= 1
    for (name, bytes, says) in [
      ("runs.sqlite", flipped, "'parts/1/runs.sqlite' is damaged: it does not match runs_sha256"),
      ("runs.sqlite", store.prefix(5_000), "'parts/1/runs.sqlite' is damaged"),
      ("runs.sqlite", Data(), "'parts/1/runs.sqlite' is damaged"),
      ("manifest.json", manifest.prefix(300), "'parts/1/manifest.json' is damaged"),
    ] {
      try bytes.write(to: URL(fileURLWithPath: child.path("parts/1/\(name)")))
      let outcome = try merge(["parts/1"], in: child)
      #expect(outcome.status == 2 && outcome.output.isEmpty && outcome.error.contains(says), "\(outcome.error)")
      try store.write(to: URL(fileURLWithPath: child.path("parts/1/runs.sqlite")))
      try manifest.write(to: URL(fileURLWithPath: child.path("parts/1/manifest.json")))
    }
    try FileManager.default.removeItem(atPath: child.path("parts/1/runs.sqlite"))
    let outcome = try merge(["parts/1"], in: child)
    #expect(outcome.status == 4 && outcome.error.contains("cannot read 'parts/1/runs.sqlite'"), "\(outcome.error)")
    expectNothing(child)
  }

  @Test(arguments: [
    (["--part", "0/3"], "must be I/N"), (["--part", "4/3"], "not '4/3'"), (["--part", "3"], "must be I/N"),
    (["--part", "1/10001"], "N up to 10000"), (["--part", "+1/2"], "not '+1/2'"), (["--part", ""], "not ''"),
    (["--merge"], "--merge needs the folders of the parts after the scenario"),
    (["--merge", "a", "--part", "1/2"], "--part simulates a part and --merge simulates nothing"),
    (["--merge", "a", "--resume"], "--merge simulates nothing, so there is nothing to --resume"),
    (["a", "b"], "unexpected argument 'a'"),
  ])
  func badInput(_ more: [String], _ says: String) throws {
    let child = try child()
    defer { child.remove() }
    let outcome = try child.run(Self.arguments + more)
    #expect(outcome.status == 2 && outcome.output.isEmpty && outcome.error.contains(says), "\(outcome.error)")
    #expect(!child.names().contains("Reports"))
  }

  /// Returns the arguments for sixty settings, so that there is something to interrupt.
  private func part(_ text: String) -> [String] {
    [
      "sweep", "sweep.yaml", "--method", "sobol", "--points", "60", "--jobs", "1", "--set", "fleet.devices=400",
      "--part", text, "--vary", "kinds.weather.reload.after=6min..30min",
    ]
  }

  /// Returns the size of a file in bytes; 0 if there is none.
  private func size(_ path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.size] as? Int ?? 0
  }

  /// Stops a part once it has some runs.
  private func interrupt(_ child: Child, _ signal: Int32) throws {
    let store = child.path(".out.unfinished/runs.sqlite")
    // On a busy machine a part may be done before it is checked.
    for _ in 0..<40 {
      let process = try child.start(part("2/3") + ["-o", "out", "-q"])
      // Larger than the bare tables, and with an empty journal: the additional content is committed.
      child.wait(for: process) { size(store) > 60_000 && size(store + "-journal") == 0 }
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      if child.names().contains(".out.unfinished") { return }
      try FileManager.default.removeItem(atPath: child.path("out"))
    }
    Issue.record("every part was done before it was stopped")
  }

  @Test(arguments: [SIGKILL, SIGTERM]) func aStoppedPartIsResumed(_ signal: Int32) throws {
    let child = try child()
    defer { child.remove() }
    #expect(try child.run(part("2/3") + ["-o", "whole", "-q"]).status == 0)
    try interrupt(child, signal)
    #expect(child.names(in: "out").isEmpty)
    // Neither another part nor the whole sweep resumes it.
    let other = try child.run(part("1/3") + ["-o", "out", "--resume"])
    #expect(other.status == 2 && other.error.contains("is an unfinished sweep with --part 2/3"), "\(other.error)")
    let all = part("2/3").filter { $0 != "--part" && $0 != "2/3" }
    let whole = try child.run(all + ["-o", "out", "--resume"])
    #expect(whole.status == 2 && whole.error.contains("is an unfinished sweep with --part 2/3"), "\(whole.error)")
    let resumed = try child.run(part("2/3") + ["-o", "out", "--resume"])
    #expect(resumed.status == 0 && resumed.error.contains(" of 40 runs are already done\n"), "\(resumed.error)")
    try expectSame(child)
    #expect(!child.names().contains { $0.hasPrefix(".") })
  }

  /// A stopped merge leaves nothing behind; one that replaces an unfinished sweep prints a warning.
  @Test func mergeReplacesAnUnfinishedSweep() throws {
    let child = try child()
    defer { child.remove() }
    let folders = try simulate(1...2, of: 2, in: child)
    #expect(try child.run(Self.arguments + ["-o", "whole", "-q"]).status == 0)
    let process = try child.start(Self.arguments + ["--merge"] + folders + ["-o", "out", "-q"])
    while process.isRunning, !child.names().contains(".out.unfinished") { usleep(500) }
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    #expect(!child.names().contains { $0.hasPrefix(".") }, "\(child.names())")
    #expect([[], Self.files].contains(child.names(in: "out")))
    try? FileManager.default.removeItem(atPath: child.path("out"))
    try interrupt(child, SIGKILL)
    let merged = try merge(folders, in: child)
    #expect(merged.status == 0, "\(merged.error)")
    #expect(merged.error.contains("finished runs is discarded\n"), "\(merged.error)")
    try expectSame(child)
    #expect(!child.names().contains { $0.hasPrefix(".") })
  }

  @Test func consecutiveNumbersFormARange() {
    for (numbers, text) in [
      ([4], "4"), ([4, 5], "4 and 5"), ([4, 5, 6], "4 to 6"), ([1, 3, 4, 5, 9], "1, 3 to 5 and 9"),
      ([1, 2, 7], "1, 2 and 7"),
    ] { #expect(SweepParts.list(numbers) == text) }
  }
}
