import Foundation
import Testing

@testable import WidgetFleetCommand

/// Signals at any time: the right exit code without delay, and no half-written folder.
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

  @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
  func interruptedCommandRemovesItsFolder(_ signal: Int32, _ status: Int32) throws {
    let child = try long()
    defer { child.remove() }
    let process = try child.start(["run", "long.yaml"])
    child.wait(for: process) { isStaging(child) }
    usleep(200_000)
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    let outcome = child.outcome(of: process)
    #expect(outcome.status == status && outcome.output.isEmpty)
    // Work done within one second is not worth keeping.
    let isKept = outcome.error.contains("completed work is kept for --resume")
    #expect(isKept || outcome.error.contains("nothing was written"))
    let left = try child.namesAfterAnotherRun()
    #expect(left == (isKept ? [".long.unfinished"] : []), "\(outcome.error)")
  }

  /// The pilot runs of many cohorts with many widgets take seven minutes of processor time in a debug build; a signal
  /// ends them as soon as the current phone is done.
  @Test func signalStopsPreparation() throws {
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
    child.wait(for: process) { !child.names(in: "Reports").isEmpty }
    let before = child.processorSeconds(of: process)
    kill(process.processIdentifier, SIGTERM)
    var after = before
    child.wait(for: process) {
      after = max(after, child.processorSeconds(of: process))
      return false
    }
    let outcome = child.outcome(of: process)
    #expect(outcome.status == 143, "\(outcome.error)")
    #expect(after - before < 60)
    #expect(child.names(in: "Reports").isEmpty)
  }

  /// Standard input and pipes to which nothing is written.
  @Test(arguments: [["logs", "-"], ["logs", "pipe"], ["validate", "-"]], [false, true])
  func signalStopsWaitingForInput(_ arguments: [String], _ isWritten: Bool) throws {
    let child = try Child()
    defer { child.remove() }
    #expect(mkfifo(child.path("pipe"), 0o600) == 0)
    let end = open(child.path("pipe"), O_RDWR)
    if isWritten { #expect(write(end, "x\n", 2) == 2) }
    let command = "exec '\(Child.executable.path)' \(arguments.joined(separator: " ")) < pipe"
    let process = try child.start(["-c", command], executable: URL(fileURLWithPath: "/bin/bash"))
    child.waitUntilHearing(process)
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
    close(end)
    #expect(child.outcome(of: process).status == 143)
  }

  @Test func killedRunLeavesAWholeFolderOrNone() throws {
    let child = try Child()
    defer { child.remove() }
    let start = Date()
    #expect(try child.run(["run", "small.yaml", "-n3", "--out", "Whole"]).status == 0)
    let whole = Date().timeIntervalSince(start)
    let names = child.names(in: "Whole")
    #expect(names.contains("manifest.json"))
    var isPresent = false
    for round in 1...2 {
      for share in [0.02, 0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1, 1.1] {
        let process = try child.start(["run", "small.yaml", "-n3"])
        usleep(UInt32(1e6 * share * whole))
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        let left = child.names(in: "Reports/small")
        let isWhole = left == names && child.read("Reports/small/manifest.json").contains("\"complete\": true")
        #expect(isWhole || left.isEmpty && !isPresent, "round \(round), killed after \(share) of a whole run's time")
        isPresent = isWhole
      }
      #expect(try child.run(["run", "small.yaml", "-n3"]).status == 0)
      #expect(child.names(in: "Reports") == ["small"])
      #expect(child.names(in: "Reports/small") == names)
      isPresent = true
    }
  }

  /// The next command that writes there removes the unfinished file of a killed `report`. Files of running processes,
  /// and files that only look similar, stay.
  @Test func unfinishedPageOfAKilledReportIsRemoved() throws {
    let child = try Child()
    defer { child.remove() }
    #expect(try child.run(["run", "small.yaml", "-o", "out", "--no-bracket"]).status == 0)
    func staged() -> [String] {
      child.names().filter { $0.hasPrefix(".widgetfleet-") && $0.hasSuffix("-file.partial") }
    }
    try child.write("<!DOCTYPE", to: ResultsLayout.stagedFileName(0, process: 4_242))
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
