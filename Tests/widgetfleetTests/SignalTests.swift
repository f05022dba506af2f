import Foundation
import Testing

/// Signals at any moment: the right exit code in time, and no half-written folder.
struct SignalTests {
  /// Returns a run that takes far longer than any test waits.
  private func long() throws -> Child {
    let child = try Child()
    let scenario = Child.scenario(name: "long", devices: 3_000_000)
      .replacingOccurrences(of: "duration: 1h", with: "duration: 30d")
    try child.write(scenario, to: "long.yaml")
    return child
  }

  private func isStaging(_ child: Child) -> Bool { child.names(in: "Reports").contains { $0.hasSuffix(".partial") } }

  private func wait(atMost seconds: Double, until isTrue: () -> Bool) -> Bool {
    let end = Date().addingTimeInterval(seconds)
    while Date() < end {
      if isTrue() { return true }
      usleep(10_000)
    }
    return isTrue()
  }

  @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
  func stopsInTimeAndTakesItsFolderBack(_ signal: Int32, _ status: Int32) throws {
    let child = try long()
    defer { child.remove() }
    let process = try child.start(["run", "long.yaml"])
    #expect(wait(atMost: 20) { isStaging(child) })
    usleep(200_000)
    kill(process.processIdentifier, signal)
    let isOver = wait(atMost: 4) { !process.isRunning }
    #expect(isOver)
    if !isOver { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    let outcome = child.outcome(of: process)
    #expect(outcome.status == status)
    #expect(outcome.output.isEmpty)
    // Work of less than a second is not worth keeping.
    let isKept = outcome.error.contains("what is done is kept for --resume")
    #expect(isKept || outcome.error.contains("nothing was written"))
    #expect(child.names(in: "Reports") == (isKept ? [".long.unfinished"] : []))
  }

  /// Preparing many cohorts with many widgets takes minutes in a debug build. It ends with the phone in progress, which
  /// takes seconds on a busy machine.
  @Test func preparingStopsInTime() throws {
    let child = try Child()
    defer { child.remove() }
    let kinds = (0..<40).map { "k\($0): {reload: {after: 10min}, requests: [{endpoint: api}]}" }
    let widgets = (0..<40).map { "{kind: k\($0)}" }.joined(separator: ", ")
    let cohorts = (0..<100).map { "{name: c\($0), share: 1%, zones: {UTC: 100%}, widgets: [\(widgets)]}" }
    try child.write(
      """
      schema: widgetfleet/v1
      name: broad
      clock: {start: 2027-01-18T00:00:00Z, duration: 1h}
      kinds: {\(kinds.joined(separator: ", "))}
      fleet: {devices: 100k, cohorts: [\(cohorts.joined(separator: ", "))]}

      """, to: "broad.yaml")
    let process = try child.start(["run", "broad.yaml"])
    usleep(2_000_000)
    #expect(process.isRunning)
    kill(process.processIdentifier, SIGTERM)
    let isOver = wait(atMost: 30) { !process.isRunning }
    #expect(isOver)
    if !isOver { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    #expect(child.outcome(of: process).status == 143)
    #expect(child.names(in: "Reports").isEmpty)
  }

  @Test func killedAtAnyMomentLeavesAWholeFolderOrNone() throws {
    let child = try Child()
    defer { child.remove() }
    let start = Date()
    #expect(try child.run(["run", "small.yaml", "-n3", "--out", "Whole"]).status == 0)
    let whole = Date().timeIntervalSince(start)
    let names = child.names(in: "Whole")
    #expect(names.contains("manifest.json"))
    var isThere = false
    for round in 1...2 {
      for share in [0.02, 0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1, 1.1] {
        let process = try child.start(["run", "small.yaml", "-n3"])
        usleep(UInt32(1e6 * share * whole))
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        let left = child.names(in: "Reports/small")
        let isWhole = left == names && child.read("Reports/small/manifest.json").contains("\"complete\": true")
        #expect(isWhole || left.isEmpty && !isThere, "round \(round), killed after \(share) of a whole run's time")
        isThere = isWhole
      }
      #expect(try child.run(["run", "small.yaml", "-n3"]).status == 0)
      #expect(child.names(in: "Reports") == ["small"])
      #expect(child.names(in: "Reports/small") == names)
      isThere = true
    }
  }

  /// The next command that writes there removes the unfinished file of a killed `report`. Files of running processes,
  /// and files that only resemble one, stay.
  @Test func aKilledPageIsSwept() throws {
    let child = try Child()
    defer { child.remove() }
    #expect(try child.run(["run", "small.yaml", "-o", "out", "--no-bracket"]).status == 0)
    func staged() -> [String] {
      child.names().filter { $0.hasPrefix(".widgetfleet-") && $0.hasSuffix("-file.partial") }
    }
    // The file is unfinished for a few milliseconds: the test repeats until it catches one.
    for _ in 0..<200 where staged().isEmpty {
      let process = try child.start(["report", "out", "-o", "page.html"])
      while process.isRunning, staged().isEmpty { usleep(20) }
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    #expect(staged().count == 1, "no kill came while the file was being written")
    for name in [".widgetfleet-1x-file.partial", ".widgetfleet--file.partial"] { try child.write("x", to: name) }
    let held = child.path(".widgetfleet-1-file.partial")
    try child.write("x", to: ".widgetfleet-1-file.partial")
    let lock = open(held, O_RDONLY)
    #expect(flock(lock, LOCK_EX) == 0)
    #expect(try child.run(["report", "out", "-o", "page.html"]).status == 0)
    #expect(staged() == [".widgetfleet--file.partial", ".widgetfleet-1-file.partial", ".widgetfleet-1x-file.partial"])
    close(lock)
    #expect(try child.run(["run", "small.yaml", "-o", "again", "--no-bracket"]).status == 0)
    #expect(staged() == [".widgetfleet--file.partial", ".widgetfleet-1x-file.partial"])
    #expect(child.read("page.html").hasPrefix("<!DOCTYPE html>"))
  }
}
