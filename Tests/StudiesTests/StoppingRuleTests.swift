import Scenario
import SimulationKernel
import Testing

@testable import Studies

/// How many replications are enough, from handmade figures.
struct StoppingRuleTests {
  private static let figure = FigureName(.meanRPS, .mean, Labels().with(\.window, "1s"))

  private func rule(_ share: Double, _ values: [Double?], _ names: [FigureName] = [figure]) -> StoppingRule {
    let goals = names.map {
      Goal(id: "a", text: "", figure: $0, comparison: .atMost, limit: .value(1), severity: .error)
    }
    var rule = StoppingRule(goals, share: share)
    for value in values {
      let row = SummaryRow(
        Self.figure.metric, Self.figure.labels, Self.figure.statistic, replications: [value.map { .real($0) }])
      rule.add(Summary(rows: [row]))
    }
    return rule
  }

  @Test(arguments: [(4, false), (5, true)]) func stoppingNeedsFiveReplications(_ count: Int, _ isSatisfied: Bool) {
    #expect(rule(0.02, Array(repeating: 7, count: count)).isSatisfied == isSatisfied)
  }

  /// Three times 99 and three times 101: standard deviation sqrt(6/5), t(0.975; 5) = 2.570582: 100 ± 1.1496.
  @Test(arguments: [(0.02, true), (0.0115, true), (0.0114, false)])
  func theIntervalDecides(_ share: Double, _ isSatisfied: Bool) {
    let rule = rule(share, [99, 101, 99, 101, 99, 101])
    #expect(rule.isSatisfied == isSatisfied)
    let known = rule.open.first?.share ?? nil
    #expect(isSatisfied ? known == nil : abs((known ?? 0) - 0.011_496) < 1e-6)
  }

  /// Negative figures have a magnitude too; a mean of 0 has no relative precision, unless it is always 0.
  @Test func signsAndZero() {
    #expect(rule(0.02, [-99, -101, -99, -101, -99, -101]).isSatisfied)
    #expect(!rule(0.5, [-1, 1, -1, 1, -1, 1]).isSatisfied)
    #expect(rule(0.02, [0, 0, 0, 0, 0]).isSatisfied)
  }

  /// A figure without any value does not delay the stop; one with a single value does.
  @Test func unknownFigures() {
    #expect(rule(0.02, [nil, nil, nil, nil, nil]).isSatisfied)
    #expect(!rule(0.02, [nil, nil, nil, nil, 5]).isSatisfied)
    let other = FigureName(.lateness, .mean)
    #expect(rule(0.02, [7, 7, 7, 7, 7], [Self.figure, other, Self.figure]).isSatisfied)
  }

  /// 95 % intervals checked after every replication, in 1 000 runs of values with a spread of 5 %.
  ///
  /// Stopping when they are narrow costs some coverage; with a binomial standard error of 0.9 % it stays between 88 and
  /// 97 %.
  @Test func coverageStaysNear95Percent() throws {
    let seed: UInt64 = 7
    var stream = SplitMix(state: seed)
    var held = 0
    for _ in 0..<1_000 {
      var rule = self.rule(0.02, [])
      var values: [Double] = []
      repeat {
        let value = 100 + 5 * stream.normal()
        values.append(value)
        rule.add(
          Summary(rows: [
            SummaryRow(Self.figure.metric, Self.figure.labels, Self.figure.statistic, replications: [.real(value)])
          ]))
      } while !rule.isSatisfied && values.count < 1_000
      let interval = try #require(Interval.student95(of: values))
      if interval.low <= 100, 100 <= interval.high { held += 1 }
    }
    #expect((880...970).contains(held), "\(held) of 1 000, seed \(seed)")
  }
}

/// A small generator of standard normal values for tests.
private struct SplitMix {
  var state: UInt64

  mutating func uniform() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((bits ^ (bits >> 31)) >> 11) / 9_007_199_254_740_992
  }

  /// Returns the sum of twelve uniform values minus six, which has variance 1 and is nearly normal.
  mutating func normal() -> Double { (0..<12).reduce(-6.0) { sum, _ in sum + uniform() } }
}
