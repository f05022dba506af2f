import Numerics
import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel
@testable import FleetEngine

/// App visits, audio, reloads and taps compared with MODEL.md 2.5, 2.6 and 2.8.
@Suite struct AppTests {
  /// Returns the number of sessions, and the relative times within them at which the app is opened.
  private static func opens(_ perDay: Double, person: String, devices: Int) throws -> (Int, [Double]) {
    var sessions = 0
    var place: Double?
    var places: [Double] = []
    try Crowd(devices: devices, person: person, app: "{opens_per_day: \(perDay)}").live { simulator, now, event in
      let session = simulator.session
      if event == .sessionStart { place = nil }
      if event == .appOpen { place = (now - session.start).seconds / session.length.seconds }
      guard event == .sessionEnd else { return }
      sessions += 1
      if let place { places.append(place) }
    }
    return (sessions, places)
  }

  /// The app opens in min(1, opens / E[unlocks]) of the sessions, at a uniform time; the mean is that of the
  /// distribution.
  @Test(
    arguments: [
      (4, "home_visits: 0, session: 10min", 0.057_31), (24, "unlocks_per_day: 60, session: 10min", 0.4),
      (100, "unlocks_per_day: {uniform: 20..60}, session: 10min", 1), (0, "unlocks_per_day: 60", 0),
    ] as [(Double, String, Double)])
  func opensOfASession(perDay: Double, person: String, share: Double) throws {
    let (sessions, places) = try Self.opens(perDay, person: person, devices: 60)
    #expect(sessions > 4_000)
    let deviation = (Double(sessions) * share * (1 - share)).squareRoot()
    #expect(abs(Double(places.count) - Double(sessions) * share) <= 4.5 * deviation)
    if !places.isEmpty { #expect(try areUniform(places)) }
  }

  /// Lengths are lognormal with median 60 s and sigma 1, cut off at the end of the session.
  @Test func foregroundLengths() throws {
    let law = ContinuousDistribution.lognormal(median: 60, sigma: 1)
    var (opened, left) = (Instant.start, TimeAmount.zero)
    var (cuts, likely, variance) = (0.0, 0.0, 0.0)
    var places: [Double] = []
    try Crowd(
      devices: 120, person: "unlocks_per_day: 40, session: 3min, home_visits: 0", app: "{opens_per_day: 40}"
    ).live { simulator, now, event in
      if event == .appOpen { (opened, left) = (now, simulator.session.end - now) }
      guard event == .appClose else { return }
      let whole = (try? law.lowerTail(left.seconds)) ?? .nan
      likely += 1 - whole
      variance += whole * (1 - whole)
      if now - opened == left {
        cuts += 1
      } else {
        // Its rank among lengths that are not cut off is uniform.
        places.append(((try? law.lowerTail((now - opened).seconds)) ?? .nan) / whole)
      }
    }
    #expect(places.count > 5_000 && cuts > 1_000)
    #expect(abs(cuts - likely) <= 4.5 * variance.squareRoot(), "\(cuts) for \(likely)")
    #expect(try areUniform(places))
  }

  /// Audio spells are Poisson, 24 a day following the hours, except that those starting during another are dropped.
  ///
  /// With a load of 0.5 that is a third of them (Erlang's loss formula with one server).
  @Test func audioSpells() throws {
    var counts: [Double] = []
    try Crowd(
      devices: 250, clock: "{start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 1d, duration: 2d}",
      person: "unlocks_per_day: 0, hours: flat", app: "{audio_session: {per_day: 24, length: 30min}}"
    ).live { _ in
      counts.append(0)
    } _: { simulator, now, event in
      guard now >= .start, event == .audioEnd else { return }
      counts[counts.count - 1] += 1
      #expect(simulator.person.audioEnd == now)
    }
    #expect(Sample(counts).agrees(with: 32))
  }

  @Test func audioLengths() throws {
    let law = ContinuousDistribution.lognormal(median: 1_800, sigma: 0.8)
    var lengths: [Double] = []
    try Crowd(
      devices: 400, person: "unlocks_per_day: 0",
      app: "{audio_session: {per_day: 3, length: {lognormal: {median: 30min, sigma: 0.8}}}}"
    ).live { simulator, now, event in
      // A device's first spell overlaps no other.
      guard event == .audioStart, simulator.person.audioEnd > now,
        lengths.count <= simulator.device.widgets.phone.number
      else { return }
      lengths.append((simulator.person.audioEnd - now).seconds)
    }
    #expect(lengths.count > 350)
    #expect(try agrees(lengths) { try law.lowerTail($0) })
  }

  /// The changes during a foreground spell are Poisson(per_day / opens_per_day), at uniform times.
  @Test func changes() throws {
    var counts: [[Int]] = []
    var (opened, times) = (Instant.start, [Instant]())
    var places: [Double] = []
    try Crowd(
      devices: 60, person: "unlocks_per_day: 40, session: 10min, home_visits: 0",
      app: """
        {opens_per_day: 40, foreground: 5min, reloads: [
          {when: change, per_day: 80, kinds: all}, {when: profile-switch, per_day: 20, kinds: all}]}
        """
    ).live { _, now, event in
      switch event {
      case .appOpen:
        opened = now
        times = []
        counts.append([0, 0])
      case .appCall(let index):
        counts[counts.count - 1][index.place] += 1
        times.append(now)
      case .appClose:
        for time in times { places.append((time - opened).seconds / (now - opened).seconds) }
      default: return
      }
    }
    let spells = Double(counts.count)
    #expect(spells > 4_000)
    #expect(try agrees(tally(counts.map { $0[0] }, count: 7), poisson(2, count: 7).map { $0 * spells }))
    #expect(try agrees(tally(counts.map { $0[1] }, count: 3), poisson(0.5, count: 3).map { $0 * spells }))
    #expect(try areUniform(places))
  }

  /// Background refreshes are a Poisson process over 24 h, night and day.
  @Test func backgroundRefreshes() throws {
    var gaps: [Double] = []
    var (last, count) = (Instant.start, 0)
    try Crowd(
      devices: 120, person: "unlocks_per_day: 0",
      app: "{reloads: [{when: background-refresh, per_day: 24, kinds: all}]}"
    ).live { _ in
      last = .start
    } _: { _, now, event in
      guard case .backgroundRefresh = event else { return }
      gaps.append((now - last).seconds)
      last = now
      count += 1
    }
    // Only whole gaps count: the last one of each device is cut off. 5760 are expected, 120 x 48.
    #expect(abs(Double(count) - 5_760) < 4.5 * 5_760.0.squareRoot())
    let law = ContinuousDistribution.exponential(mean: 3_600)
    #expect(abs(Sample(gaps).mean / 3_600 - 1) < 0.06 + 1.0 / 48)
    #expect(try agrees(gaps.filter { $0 < 3_600 }) { try law.lowerTail($0) / law.lowerTail(3_600) })
  }

  /// The app calls at the start of an audio spell and every 7 min during it.
  @Test func audioCalls() throws {
    var (begun, calls) = (Instant.start, [TimeAmount]())
    try Crowd(
      devices: 60, person: "unlocks_per_day: 0",
      app: """
        {audio_session: {per_day: 6, length: {uniform: 1min..40min}}, reloads: [{when: audio, every: 7min, kinds: all}]}
        """
    ).live { _ in
      calls = []
    } _: { simulator, now, event in
      if event == .audioStart, calls.isEmpty { begun = now }
      if case .audioCall = event { calls.append(now - begun) }
      guard event == .audioEnd else { return }
      let length = now - begun
      let expected = Int((length.milliseconds + 419_999) / 420_000)
      #expect(calls == (0..<Int64(expected)).map { .minutes(7 * $0) }, "\(length)")
      calls = []
    }
  }

  /// Every instance has exactly `per_day` taps on average, in bursts, `gap` apart, whether its stack shows it or not.
  @Test(
    arguments: [
      ("per_day: 20", 20, 1, 3), ("per_day: 20, burst: 5", 20, 5, 3), ("per_day: 6, burst: 3, gap: 10s", 6, 3, 10),
    ] as [(String, Double, Int, Int64)])
  func taps(text: String, perDay: Double, burst: Int, gap: Int64) throws {
    var counts: [[Double]] = []
    var bursts: [[Instant]] = [[], []]
    try Crowd(
      devices: 200, person: "unlocks_per_day: 40, day_variation: none, session: 5min",
      kinds: "{k: {reload: never, taps: {\(text)}}}",
      widgets: "[{kind: k, page: 3}, {stack: [{kind: k, weight: 1}, {other: 9}]}]"
    ).live { _ in
      counts.append([0, 0])
      bursts = [[], []]
    } _: { _, now, event in
      if case .burst(let slot) = event { bursts[slot.place].append(now) }
      guard case .tap(let slot, let left) = event else { return }
      counts[counts.count - 1][slot.place] += 0.5
      let since = now - .seconds(gap * Int64(burst - Int(left)))
      #expect(bursts[slot.place].contains(since))
    }
    for slot in 0..<2 {
      let sample = Sample(counts.map { $0[slot] })
      #expect(sample.agrees(with: perDay), "\(sample.mean)")
      // Poisson sessions have Poisson(m) bursts each: the variance of a day is 40 (m + m^2) burst^2.
      let mean = perDay / Double(burst) / 40
      let variance = 40 * (mean + mean * mean) * Double(burst * burst) / 2
      #expect(abs(sample.variance / variance - 1) < 4.5 * (2.2 / 200).squareRoot(), "\(sample.variance)")
    }
  }

  /// People with more views also tap more, in such a way that the fleet's mean is that of the file.
  @Test func frequentViewersAlsoTapMore() throws {
    var counts: [Double] = []
    try Crowd(
      devices: 500, person: "home_visits: 0, session: 10s", kinds: "{k: {reload: never, taps: {per_day: 10}}}"
    ).live { _ in
      counts.append(0)
    } _: { _, _, event in
      if case .tap = event { counts[counts.count - 1] += 0.5 }
    }
    #expect(Sample(counts).agrees(with: 10))
  }
}
