import Foundation
import Testing

/// A stopped sweep, as a child process.
struct SweepResumeTests {
  private static let files = ["effects.csv", "manifest.json", "report.html", "runs.csv", "runs.sqlite", "settings.csv"]
  private static let unfinished = ".out.unfinished"

  /// Returns six settings with two replications.
  private func child() throws -> Child {
    let child = try Child()
    let text = Child.scenario(devices: 400).replacing("os: {", with: "os: {budget: {model: off}, ")
    try child.write(text, to: "sweep.yaml")
    return child
  }

  private let arguments = [
    "sweep", "sweep.yaml", "-n", "2", "--method", "sobol", "--points", "6", "--jobs", "1", "--vary",
    "kinds.weather.reload.after=6min..30min", "--vary", "kinds.weather.jitter.up_to=0s..5min", "-o",
  ]

  /// Returns the number of finished runs of an interrupted sweep; `nil` if it left nothing.
  private func done(_ child: Child) throws -> Int? {
    guard child.names(in: Self.unfinished).contains("runs.sqlite") else { return nil }
    // A copy with its journal, because reading may complete the work of a killed process.
    let outcome = try child.run(arguments + ["out", "--resume", "--progress", "none"])
    #expect(outcome.status == 0, "\(outcome.error)")
    let words = outcome.error.split(separator: " ")
    return words.firstIndex(of: "resuming:").flatMap { Int(words[$0 + 1]) } ?? 0
  }

  private func size(_ child: Child) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: child.path(Self.unfinished + "/runs.sqlite"))
    return (attributes?[.size] as? Int) ?? 0
  }

  /// Killed and resumed repeatedly, it has the same bytes as without interruption.
  @Test func killedAndResumedSweepHasTheSameBytes() throws {
    let child = try child()
    defer { child.remove() }
    #expect(try child.run(arguments + ["whole", "-q"]).status == 0)
    var counts: Set<Int> = []
    // Store sizes in bytes: as soon as it exists, and after some runs, which take 4 kB each; repeated until a kill hits
    // a sweep in the middle, because on a busy machine it may be over before it is checked.
    let moments = [(1, 0), (36_000, 0), (70_000, 5_000), (100_000, 20_000)]
    for round in 0..<40 where round < moments.count || !counts.contains(where: { $0 > 0 && $0 < 12 }) {
      let (bytes, delay) = moments[round % moments.count]
      let process = try child.start(arguments + ["out", "-q"])
      child.wait(for: process) { size(child) >= bytes }
      usleep(UInt32(delay))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      // Results are either complete or absent.
      let names = child.names(in: "out")
      #expect(names.isEmpty || names == Self.files)
      guard let count = try done(child) else { continue }
      counts.insert(count)
      for name in Self.files {
        let isSame = try child.bytes("out/\(name)") == child.bytes("whole/\(name)")
        #expect(isSame, "\(name) after \(bytes) bytes with \(count) runs")
      }
      #expect(!child.names().contains { $0.hasPrefix(".") }, "\(child.names())")
      try FileManager.default.removeItem(atPath: child.path("out"))
    }
    #expect(counts.contains { $0 > 0 && $0 < 12 }, "\(counts.sorted())")
  }

  /// Returns the outcome of a sweep that a signal stops in the middle.
  private func interrupted(_ child: Child, _ signal: Int32 = SIGINT) throws -> Child.Outcome {
    // On a busy machine a sweep may be over before it is checked.
    for _ in 0..<40 {
      let process = try child.start(arguments + ["out"])
      // Larger than the empty tables, so the first run has been stored.
      child.wait(for: process) { size(child) > 36_000 }
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      let outcome = child.outcome(of: process)
      if outcome.status != 0 { return outcome }
    }
    throw CancellationError()
  }

  @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
  func signalKeepsFinishedRuns(_ signal: Int32, _ status: Int32) throws {
    let child = try child()
    defer { child.remove() }
    let outcome = try interrupted(child, signal)
    #expect(outcome.status == status, "\(outcome.error)")
    #expect(outcome.output.isEmpty && outcome.error.contains("completed work is kept for --resume"))
    #expect(child.names(in: "out").isEmpty)
    #expect(child.names(in: Self.unfinished).contains("runs.sqlite"))
    #expect(!child.names().contains { $0.hasSuffix(".partial") })
    #expect(try done(child) ?? 0 > 0)
    #expect(child.names(in: "out") == Self.files)
  }

  /// A store of another scenario, seed or settings is refused; without --resume, the sweep starts over with a note.
  @Test func onlyTheSameSweepIsResumed() throws {
    let child = try child()
    defer { child.remove() }
    _ = try interrupted(child)
    let resumed = arguments + ["out", "--resume"]
    for (change, reason) in [
      (["--seed", "9"], "another seed"), (["--set", "fleet.devices=50"], "another scenario"),
      (["--points", "5"], ""), (["-n", "3"], ""),
    ] {
      var line = resumed
      if let place = line.firstIndex(of: change[0]) { line.removeSubrange(place...place + 1) }
      let outcome = try child.run(line + change)
      #expect(outcome.status == 2 && outcome.output.isEmpty)
      #expect(outcome.error.contains("is an unfinished sweep with \(reason)"), "\(change): \(outcome.error)")
      #expect(child.names(in: Self.unfinished).contains("runs.sqlite"))
    }
    let anew = try child.run(["sweep", "small.yaml", "--vary", "run.seed=1,2", "-o", "out"])
    #expect(anew.status == 0)
    #expect(anew.error.contains("is started over; --resume would have continued it"), "\(anew.error)")
    #expect(!child.names().contains(Self.unfinished))
  }

  /// A store with a flipped bit is either refused or gives the same results as an intact one.
  @Test func changedStoreNeverGivesOtherResults() throws {
    let child = try child()
    defer { child.remove() }
    #expect(try child.run(arguments + ["whole", "-q"]).status == 0)
    _ = try interrupted(child)
    let store = Self.unfinished + "/runs.sqlite"
    let bytes = try child.bytes(store)
    var refused = 0
    for part in 1..<12 {
      var flipped = bytes
      flipped[bytes.count * part / 12 - 1] ^= 1 << (part % 8)
      try FileManager.default.createDirectory(atPath: child.path(Self.unfinished), withIntermediateDirectories: true)
      try flipped.write(to: URL(filePath: child.path(store)))
      let outcome = try child.run(arguments + ["out", "--resume"])
      guard outcome.status == 0 else {
        #expect(outcome.status == 2 && outcome.error.contains("cannot be used: "), "\(outcome)")
        #expect(try child.bytes(store) == flipped)
        refused += 1
        continue
      }
      for name in Self.files {
        let isSame = try child.bytes("out/\(name)") == child.bytes("whole/\(name)")
        #expect(isSame, "\(name), part \(part)")
      }
    }
    #expect(refused > 0)
  }

  @Test func resumeWithoutStoreRunsNormally() throws {
    let child = try child()
    defer { child.remove() }
    let outcome = try child.run(["sweep", "small.yaml", "--vary", "run.seed=1,2", "--resume", "-o", "out"])
    #expect(outcome.status == 0 && !outcome.error.contains("resuming"), "\(outcome.error)")
    // Files that only look like one.
    for content in ["", "this is no database at all, and it is long enough to be looked at"] {
      try FileManager.default.createDirectory(atPath: child.path(Self.unfinished), withIntermediateDirectories: true)
      try child.write(content, to: Self.unfinished + "/runs.sqlite")
      let resumed = try child.run(["sweep", "small.yaml", "--vary", "run.seed=1,2", "--resume", "-o", "out"])
      #expect(resumed.status == (content.isEmpty ? 0 : 2), "\(resumed.error)")
      #expect(content.isEmpty || resumed.error.contains("cannot be used: file is not a database"))
      #expect(try child.run(["sweep", "small.yaml", "--vary", "run.seed=1,2", "-o", "out"]).status == 0)
      #expect(!child.names().contains(Self.unfinished))
    }
  }

  /// Something else in its place is left alone.
  @Test func foreignFileIsNotChanged() throws {
    let child = try child()
    defer { child.remove() }
    try child.write("mine", to: Self.unfinished)
    let outcome = try child.run(["sweep", "small.yaml", "--vary", "run.seed=1,2", "-o", "out"])
    #expect(outcome.status == 4 && outcome.error.contains("it is not a folder"), "\(outcome.error)")
    #expect(child.read(Self.unfinished) == "mine")
  }
}
