import RequestStatistics
import Testing

@testable import Calibration

/// Budgets and idle phones.
@Suite struct SystemTests {
  /// Returns runs that wait for the next grant, at a phase specific to the phone: 46 per day, with some free runs
  /// between them.
  private func boundHistory() -> WakeHistory {
    var history = WakeHistory(span: SyntheticFleet.start..<SyntheticFleet.start + 7 * 86_400_000)
    for phone in 0..<200 {
      var draws = Draws(key: 1, stream: phone)
      let phase = draws.uniform() * 900
      var times: [Double] = []
      for slot in 0..<7 * 96 {
        if draws.isTrue(46.0 / 96) { times.append(phase + Double(slot) * 900 + draws.uniform()) }
        if draws.isTrue(8.0 / 96) { times.append(Double(slot) * 900 + draws.uniform() * 900) }
      }
      let wakes = times.sorted().map { WakeHistory.Wake(time: SyntheticFleet.start + Int64($0 * 1_000)) }
      history.append(UInt64(phone + 1), wakes)
    }
    return history
  }

  @Test func bindingBudgetShowsItsGrants() throws {
    let history = boundHistory()
    let edge = HazardEdge(place: 880, low: 879, high: 881, rateBefore: 0, rateAfter: 1, gain: 100, count: 100)
    let reading = SystemReading(history: history, gaps: Gaps(of: history), cycle: edge, freeRunsPerDay: 8)
    let system = reading.evidence(window: nil)
    #expect(system.grantResultant > 0.7 && system.chanceResultant < 0.1)
    let (low, high) = (try #require(system.capacity.low), try #require(system.capacity.high))
    // 54 wakes per day divided by 1.29, 46 on the grants divided by 0.70.
    #expect(abs(low - 54 / 1.29) < 2 && abs(high - 46 / 0.70) < 3)
    #expect(system.capacity.verdict == .weakly)
  }

  @Test func nonBindingBudgetGivesALowerBound() throws {
    let system = try #require(KindEstimates(SyntheticFleet().history(key: 2)).system)
    #expect(system.capacity.verdict == .oneSided && system.capacity.reason == .demandBelowBudget)
    #expect(try #require(system.capacity.low) < 40)
  }

  /// Idle phones run four hours after the due date.
  @Test func idleGiveUpIsEstimated() throws {
    var fleet = SyntheticFleet()
    (fleet.waitsAtNight, fleet.hours) = (true, SyntheticDay.hours)
    let giveUp = try #require(KindEstimates(fleet.history(key: 3)).system).giveUp
    #expect(abs(try #require(giveUp.value) - 14_400) < 60)
    #expect(try #require(KindEstimates(SyntheticFleet().history(key: 3)).system).giveUp.verdict != .identified)
  }
}
