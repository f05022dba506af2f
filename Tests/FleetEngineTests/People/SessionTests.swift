import Numerics
import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel
@testable import FleetEngine

/// Sessions, visits, pages and stacks compared with MODEL.md 2.3 and 2.4.
@Suite struct SessionTests {
  /// Lengths are lognormal with median 60 s and sigma 1.2.
  @Test func lengths() throws {
    var seconds: [Double] = []
    try Crowd(devices: 60, person: "home_visits: 0").live { simulator, _, event in
      if event == .sessionStart { seconds.append(simulator.session.length.seconds) }
    }
    let law = ContinuousDistribution.lognormal(median: 60, sigma: 1.2)
    #expect(seconds.count > 5_000)
    #expect(try agrees(seconds) { try law.lowerTail($0) })
  }

  /// Unlocks queue, with a second between sessions: M/D/1 with a service time of 601 s.
  ///
  /// At 100 unlocks a day the load r is 0.6956: that share of sessions starts right after another one. The mean wait is
  /// r / (2 (1 - r)) x 601 s (Pollaczek–Khinchine), and no unlock is lost.
  @Test func unlocksQueueInOrder() throws {
    var (starts, delayed) = ([Double](), [Double]())
    var last = Instant.longAgo
    try Crowd(
      devices: 250, clock: "{start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 1d, duration: 2d}",
      person: "unlocks_per_day: 100, day_variation: none, hours: flat, session: 10min, home_visits: 0"
    ).live { _ in
      last = .longAgo
      starts.append(0)
      delayed.append(0)
    } _: { simulator, now, event in
      guard event == .sessionStart else { return }
      #expect(now - last >= .seconds(601))
      if now >= .start {
        starts[starts.count - 1] += 1
        if now - last == .seconds(601) { delayed[delayed.count - 1] += 1 }
      }
      last = now
    }
    #expect(Sample(starts).agrees(with: 200))
    // The share is over the fleet; the error between devices comes from the residuals of the ratio.
    let load = 100 * 601.0 / 86_400
    #expect(Sample(zip(starts, delayed).map { $1 - load * $0 }).agrees(with: 0))
  }

  /// One visit at the start and Poisson(1.2) more at uniform times.
  @Test func visits() throws {
    var counts: [Int] = []
    var times: [Double] = []
    try Crowd(devices: 60, person: "unlocks_per_day: 40, session: 10min").live { simulator, now, event in
      if event == .sessionStart { counts.append(0) }
      guard case .homeVisit(_, let isFirst) = event else { return }
      let session = simulator.session
      if isFirst {
        #expect(now == session.start)
      } else {
        counts[counts.count - 1] += 1
        times.append((now - session.start).seconds / session.length.seconds)
      }
    }
    let expected = poisson(1.2, count: 7).map { $0 * Double(counts.count) }
    #expect(counts.count > 3_000)
    #expect(try agrees(tally(counts, count: 7), expected))
    #expect(try areUniform(times))
  }

  /// A visit reaches pages 1, 2, 3 and 4 with probability 1, .25, .125 and .0625, all at the same instant.
  @Test func pages() throws {
    var depths = [0, 0, 0, 0]
    var before = Array(repeating: ViewHistory(), count: 4)
    try Crowd(
      devices: 120, person: "unlocks_per_day: 60",
      widgets: "[{kind: k}, {kind: k, page: 2}, {kind: k, page: 3}, {kind: k, page: 4}]"
    ).live { _ in
      before = Array(repeating: ViewHistory(), count: 4)
    } _: { simulator, now, event in
      let after = (0..<4).map { simulator.widgets[$0].history }
      // Only visits without ignored views count.
      if case .homeVisit = event, before.allSatisfy({ now - $0.last >= .seconds(5) }) {
        depths[zip(before, after).count { $0.total != $1.total } - 1] += 1
      }
      before = after
    }
    let visits = Double(depths.reduce(0, +))
    #expect(visits > 10_000)
    #expect(try agrees(depths, [0.75, 0.125, 0.0625, 0.0625].map { $0 * visits }))
  }

  /// A stack shows one member per session, chosen by weight; another app's member has no view.
  @Test func stacks() throws {
    var shown: [Set<Int>] = []
    var before: [UInt32] = [0, 0, 0]
    try Crowd(
      devices: 100, person: "unlocks_per_day: 40, session: 10min", kinds: "{k: {reload: never}, m: {reload: never}}",
      widgets: """
        [{stack: [{kind: k, weight: 3}, {kind: m, weight: 2}, {other: 5}]}, {kind: k}]
        """
    ).live { _ in
      before = [0, 0, 0]
    } _: { simulator, _, event in
      let after = (0..<3).map { simulator.widgets[$0].views }
      if event == .sessionStart { shown.append([]) }
      for slot in 0..<2 where after[slot] != before[slot] { shown[shown.count - 1].insert(slot) }
      before = after
    }
    #expect(shown.allSatisfy { $0.count <= 1 })
    let counts = [shown.count { $0 == [0] }, shown.count { $0 == [1] }, shown.count { $0.isEmpty }]
    let sessions = Double(shown.count)
    #expect(sessions > 6_000)
    #expect(try agrees(counts, [0.3 * sessions, 0.2 * sessions, 0.5 * sessions]))
  }

  /// The lock screen is seen at the start of a session and at glances between sessions, never within one.
  ///
  /// A view less than 5 s after the last counted one is ignored.
  @Test func lockScreen() throws {
    var last = Instant.longAgo
    var total: UInt32 = 0
    var (counted, dropped, ignored) = (0, 0, 0)
    try Crowd(
      devices: 40, person: "unlocks_per_day: 150, session: 3min", widgets: "[{kind: k, place: lock-screen}]"
    ).live { _ in
      (last, total) = (.longAgo, 0)
    } _: { simulator, now, event in
      let views = simulator.widgets[0].history
      defer { (last, total) = (views.last, views.total) }
      guard simulator.widgets[0].isPlaced else { return }
      let isLook: Bool
      switch event {
      case .homeVisit(_, let isFirst): isLook = isFirst
      case .glance:
        isLook = !simulator.presence.isInSession
        if !isLook { dropped += 1 }
      default: isLook = false
      }
      let isCounted = isLook && now - last >= .seconds(5)
      #expect(views.total - total == (isCounted ? 1 : 0))
      if isLook { if isCounted { counted += 1 } else { ignored += 1 } }
    }
    #expect(counted > 10_000 && dropped > 1_000 && ignored > 20)
  }

  /// The number of views a day agrees with the estimate of MODEL.md 4.7; the 5 s between views have little effect.
  @Test(
    arguments: [
      ("unlocks_per_day: 8, session: 30min", "[{kind: k}]", 17.6),
      ("unlocks_per_day: 8, session: 30min", "[{kind: k, page: 3}]", 2.2),
      ("unlocks_per_day: 30, session: 1s, home_visits: 0", "[{kind: k, place: lock-screen}]", 66),
      ("unlocks_per_day: {uniform: 10..30}, session: 1s, home_visits: 0", "[{kind: k, page: 2}]", 5),
      (
        "unlocks_per_day: 20, session: 1s, home_visits: 0", "[{stack: [{kind: k, weight: 1}, {other: 3}], page: 2}]",
        1.25
      ),
    ] as [(String, String, Double)])
  func estimateOfViews(person: String, widgets: String, perDay: Double) throws {
    var views: [Double] = []
    var estimate = 0
    try Crowd(devices: 400, person: person, widgets: widgets).live { simulator in
      views.append(0)
      estimate = simulator.device.widgets.phone.cohort.members[0].estimatedWeek
    } _: { simulator, _, _ in
      views[views.count - 1] = Double(simulator.widgets[0].views) / 2
    }
    #expect(estimate == Int(perDay * 7))
    // Two views within 5 s count as one: less than 0.3 % here.
    let sample = Sample(views)
    #expect(abs(sample.mean - perDay) <= 4.5 * sample.standardError + 0.003 * perDay, "\(sample.mean)")
  }
}
