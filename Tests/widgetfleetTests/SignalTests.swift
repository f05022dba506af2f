import Foundation
import Testing

/// Signals at any moment: the right exit code in time, and no half-written folder.
struct SignalTests {
  /// A run that takes far longer than any test waits.
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
    #expect(outcome.error.contains("nothing was written"))
    #expect(child.names(in: "Reports").isEmpty)
  }

  @Test func killedAtAnyMomentLeavesAWholeFolderOrNone() throws {
    let child = try Child()
    defer { child.remove() }
    for delay in [5_000, 20_000, 60_000, 120_000, 200_000, 300_000] {
      let process = try child.start(["run", "small.yaml", "-n3"])
      usleep(UInt32(delay))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let names = child.names(in: "Reports/small")
      #expect(
        names.isEmpty || names.count == 8 && child.read("Reports/small/manifest.json").contains("\"complete\": true"))
    }
    #expect(try child.run(["run", "small.yaml"]).status == 0)
    #expect(child.names(in: "Reports") == ["small"])
  }
}
