import Scenario
import Testing

@testable import FleetEngine

/// Counts during named windows (MODEL.md 8.6).
@Suite struct WindowTests {
  /// N phones with a run every 15 minutes, without delays: 8 runs each in a window of 2 hours, of 96 a day.
  @Test func windowHasItsShareOfEvenRuns() throws {
    var sample = FleetSample(devices: 20)
    sample.clock = "{start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 1d, duration: 1d}"
    sample.os = "{idle: none, budget: {model: off}, start_delay: {policy: 0s}}"
    let engine = try sample.engine(adding: "windows: {match: {from: \"15:30\", to: \"17:30\", zone: Europe/Berlin}}")
    let result = try #require(try engine.run(threads: 1, control: RunControl())?.replications.first)
    let group = try #require(result.windows[0].first)
    #expect(group.runs[Int(Cause.policy.rawValue)] == 8 * 20)
    #expect(result.groups[0].runs[Int(Cause.policy.rawValue)] == 96 * 20)
    #expect((group.instances, group.milliseconds) == (20, 20 * 86_400_000))
    // Requests count where they arrive, as in the load.
    let steps = Int(14.5 * 3_600)..<Int(16.5 * 3_600)
    let arrivals = result.load[0].arrivals[steps].reduce(0) { $0 + Int64($1) }
    #expect(group.traffic[0].reduce(0) { $0 + $1.requests } == arrivals)
  }

  private static let people = """
    [{name: all, share: 60%, zones: {Europe/Berlin: 50%, America/New_York: 50%}, widgets: [{kind: k}, {kind: l}]},
     {name: rest, share: 40%, zones: {Asia/Tokyo: 100%}, network: {offline: {share: 10%, mean: 20min}},
      widgets: [{kind: l}]}]
    """

  private static let kinds = """
    {k: {reload: {after: 20min}, requests: [{endpoint: api}], stale_after: 30min},
     l: {reload: {after: 1h}, cache: 1h, taps: 5, requests: [{endpoint: api}, {endpoint: api}], attempts: 2}}
    """

  /// Windows that divide the day hold all counts once, and named windows change no other count.
  @Test(arguments: ["{api: {}}", "{api: {capacity: 30/min, queue: 20, latency: {p50: 1s, p99: 20s}}}"])
  func partsOfTheDayAddUp(endpoints: String) throws {
    var sample = FleetSample(devices: 60)
    sample.cohorts = Self.people
    sample.kinds = Self.kinds
    sample.endpoints = endpoints
    sample.os = "{}"
    let control = RunControl()
    let plain = try #require(try sample.engine().run(threads: 1, control: control)?.replications.first)
    let windows = """
      windows:
        am: {from: "00:00", to: "12:00"}
        pm: {from: "12:00", to: "24:00"}
        night: {from: "22:00", to: "03:30", days: mon-fri}
      """
    let engine = try sample.engine(adding: windows)
    let result = try #require(try engine.run(threads: 2, control: RunControl())?.replications.first)
    #expect(result.groups == plain.groups)
    #expect(result.load == plain.load)
    for (index, whole) in result.groups.enumerated() {
      let (am, pm, night) = (result.windows[0][index], result.windows[1][index], result.windows[2][index])
      #expect(zip(am.runs, pm.runs).map { $0 + $1 } == whole.runs)
      #expect(am.views + pm.views == whole.views && whole.views > 0)
      #expect(am.staleViews + pm.staleViews == whole.staleViews)
      #expect(am.cacheHits + pm.cacheHits == whole.cacheHits)
      #expect(am.dataAge.total + pm.dataAge.total == whole.dataAge.total)
      #expect(am.lateness.total + pm.lateness.total == whole.lateness.total)
      #expect(zip(am.waits, pm.waits).map { $0.count + $1.count } == whole.waits.map(\.count))
      let requests = { (group: GroupResult) in group.traffic.joined().reduce(Int64(0)) { $0 + $1.requests } }
      #expect(requests(am) + requests(pm) == requests(whole))
      let failures = { (group: GroupResult) in group.traffic.joined().reduce(Int64(0)) { $0 + $1.failures.reduce(0, +) }
      }
      #expect(failures(am) + failures(pm) == failures(whole))
      #expect(am.energy.total + pm.energy.total == whole.energy.total && am.energy.total > 0)
      #expect(am.energy.inSessions + pm.energy.inSessions == whole.energy.inSessions)
      #expect(am.energy.alone + pm.energy.alone == whole.energy.alone)
      #expect(night.views > 0 && night.views < whole.views)
      #expect(am.milliseconds == whole.instances * 86_400_000)
    }
  }

  /// A window that holds once, of which the second half lies after a phone's end of the clock.
  @Test func windowsOutsideTheClockAreCut() throws {
    let sample = FleetSample(devices: 3)
    let engine = try sample.engine(
      adding: "windows: {once: {from: 2027-01-18T23:00:00Z, to: 2027-01-19T01:00:00Z}, never: {days: tue}}")
    let result = try #require(try engine.run(threads: 1, control: RunControl()))
    #expect(result.replications[0].windows[0][0].milliseconds == 3 * 43_200_000)
    // Tuesday begins an hour before the clock's end in Berlin.
    #expect(result.replications[0].windows[1][0].milliseconds == 3 * 3_600_000)
    #expect(result.windowSpans.map(\.window) == [0, 1])
  }

  /// Local windows are at other times in other zones, so that they have no spans of a load.
  @Test func localWindowsOfSeveralZonesHaveNoSpans() throws {
    var sample = FleetSample(devices: 3)
    sample.zones = "{Europe/Berlin: 50%, Asia/Tokyo: 50%}"
    let engine = try sample.engine(adding: "windows: {here: {to: \"12:00\"}, there: {to: \"12:00\", zone: UTC}}")
    let result = try #require(try engine.run(threads: 1, control: RunControl()))
    #expect(result.windowSpans.map(\.window) == [1])
  }
}
