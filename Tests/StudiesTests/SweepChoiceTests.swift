import Scenario
import SimulationKernel
import Testing

@testable import Studies

/// The setting that a sweep recommends, and the order of settings under chance (Docs/STUDIES.md).
struct SweepChoiceTests {
  private let peak = FigureName(.peakRPS, .max, Labels().with(\.endpoint, "api").with(\.window, "1s"))
  private let stale = FigureName(.staleViews, .share)
  private let battery = FigureName(.batteryPercentPerDay, .mean)

  private func goal(_ figure: FigureName, _ comparison: Comparison, _ limit: Double) -> Goal {
    Goal(
      id: figure.metric.rawValue, text: "", figure: figure, comparison: comparison, limit: .value(limit),
      severity: .error)
  }

  /// Returns one setting per amount, with figures by replication.
  private func study(_ rows: [(Double, [FigureName: [Double?]])], _ goals: [Goal]) -> SweepStudy {
    let axis = SweepSample.numeric("a.b", rows.map(\.0))
    let runs = zip(axis.values, rows).map { SweepSample.run([$0], $1.1, goals: goals) }
    return SweepStudy(axes: [axis], goals: goals, runs: runs)
  }

  private func peaks(_ values: [Double], _ goals: [Goal]) -> SweepStudy {
    study(values.enumerated().map { (Double($0.offset), [peak: [$0.element]]) }, goals)
  }

  // MARK: The order of settings

  /// 10 and 11, 12 and 13: the difference is 2 in both pairs and clear, whatever the two days have in common. 10 and
  /// 12, 11 and 10: differences of +1 and -2, whose interval extends far to both sides of 0.
  @Test func pairsResolveWhatUnpairedRunsCannot() {
    #expect(FigureChange.isClear(row([10, 11]), row([12, 13])))
    #expect(!FigureChange.isClear(row([10, 12]), row([11, 10])))
    #expect(!FigureChange.isClear(row([10, 12]), row([10, 12])))
    // With one replication, a count has no random error, and an estimate has its own.
    #expect(FigureChange.isClear(row([10]), row([11])) && !FigureChange.isClear(row([10]), row([10])))
    #expect(!FigureChange.isClear(estimate(10, 1), estimate(11, 1)))
    #expect(FigureChange.isClear(estimate(10, 0.7), estimate(11, 0.7)))
  }

  private func row(_ values: [Double]) -> SummaryRow {
    SummaryRow(peak.metric, peak.labels, .max, replications: values.map { .real($0) })
  }

  /// Returns an estimate: sqrt(0.7^2 + 0.7^2) = 0.99 is less than the difference of 1, sqrt(1 + 1) is more.
  private func estimate(_ value: Double, _ half: Double) -> SummaryRow {
    SummaryRow(
      peak.metric, peak.labels, .max, replications: [.real(value)],
      bounds: [Interval(low: value - half, high: value + half)])
  }

  /// The fast test of many pairs agrees with the test of one, for counts and estimates, with one to four replications.
  @Test(arguments: [1, 2, 3, 4]) func fastPairTestAgreesWithTheSingleTest(_ count: Int) {
    let rows = (0..<40).map { index -> [SummaryRow?] in
      let block = Philox.block(counter: Philox.Block(UInt32(index), 0, 0, 0), key: UInt64(count))
      let values = [block.word0, block.word1, block.word2, block.word3].map { Double($0 % 6) + Double(index % 5) }
      let known = values.prefix(count).enumerated().map {
        index % 9 == 8 && $0.offset == 1 ? nil : Quantity.real($0.element)
      }
      let bounds = values.prefix(count).map { Interval(low: $0 - 1, high: $0 + 2) }
      return [SummaryRow(peak.metric, peak.labels, .max, replications: known, bounds: index % 2 == 0 ? bounds : [])]
    }
    let differences = ClearDifferences(rows)
    var clear = 0
    for one in rows.indices {
      for other in rows.indices {
        let isClear = FigureChange.isClear(rows[one][0], rows[other][0])
        #expect(differences.isClear(one, other, 0) == isClear, "\(one) and \(other)")
        clear += isClear ? 1 : 0
      }
    }
    #expect(clear > 10 && clear < 1_400)
  }

  /// A chance advantage of 0.1 points in stale views does not save a setting with twice the peak.
  @Test func chanceAdvantageDoesNotSaveASetting() {
    let wide: [FigureName: [Double?]] = [peak: [20, 21], stale: [0.100, 0.103]]
    let narrow: [FigureName: [Double?]] = [peak: [10, 11], stale: [0.103, 0.101]]
    for goals in [
      [goal(peak, .atMost, 99), goal(stale, .atMost, 1)], [goal(stale, .atMost, 1), goal(peak, .atMost, 99)],
    ] {
      #expect(study([(0, wide), (1, narrow)], goals).runs.map(\.isOnFront) == [false, true])
    }
    // The means alone, as with one replication each, decide for neither.
    let means = self.study(
      [(0, [peak: [20.5], stale: [0.1015]]), (1, [peak: [10.5], stale: [0.1016]])],
      [goal(peak, .atMost, 99), goal(stale, .atMost, 1)])
    #expect(means.runs.map(\.isOnFront) == [true, true])
  }

  /// A, B and C with costs (0, 6, 3), (3, 0, 6) and (6, 3, 0), where less than 5 is no difference: A is clearly better
  /// than C in the first, B than A in the second, C than B in the third. The sums are equal, so the first cost decides:
  /// only C is beaten.
  @Test func beatenSettingsFormNoCycle() {
    let costs: [[Double]] = [[0, 6, 3], [3, 0, 6], [6, 3, 0]]
    let members = ParetoFront.members(costs) { abs(costs[$0][$2] - costs[$1][$2]) > 5 }
    #expect(members == [true, true, false])
    for seed in [1, 2, 3] as [UInt64] {
      let random = (0..<60).map { index -> [Double?] in
        let block = Philox.block(counter: Philox.Block(UInt32(index), 0, 0, 0), key: seed)
        return [block.word0, block.word1, block.word2].map { Double($0 % 100) }
      }
      let front = ParetoFront.members(random) { abs((random[$0][$2] ?? 0) - (random[$1][$2] ?? 0)) > 20 }
      #expect(front.contains(true))
      // No member of the front is clearly better than another in one cost, clearly worse in none and better in sum.
      let sums = ScaledCosts(random).rows.map { $0?.reduce(0, +) ?? 0 }
      for (index, choice) in random.enumerated() {
        let isBeaten = random.indices.contains { other in
          let differences = zip(random[other], choice).map { ($0 ?? 0) - ($1 ?? 0) }
          return sums[other] < sums[index] && differences.contains { $0 < -20 } && !differences.contains { $0 > 20 }
        }
        if front[index] { #expect(!isBeaten) }
        if isBeaten { #expect(!front[index]) }
      }
    }
  }

  // MARK: The choice

  /// Peaks 9, 7, 5 and 3 with a limit of 6: the third is the smallest amount that passes, the second its neighbour.
  @Test func minimumThatPasses() throws {
    let choice = try #require(SweepChoice(of: peaks([9, 7, 5, 3], [goal(peak, .atMost, 6)])))
    #expect((choice.setting, choice.reason, choice.neighbour) == (2, .minimum, 1))
    let maximum = try #require(SweepChoice(of: peaks([3, 5, 7, 9], [goal(peak, .atMost, 6)])))
    #expect((maximum.setting, maximum.reason, maximum.neighbour) == (1, .maximum, 2))
  }

  /// If there is a gap among those that pass, or one at the end does not, the best of them is the choice.
  @Test(arguments: [([5.0, 9, 4], 2), ([9, 5, 4, 9], 2), ([5, 4, 3], 2)]) func nonMonotonePassesAreChosenByFigures(
    _ values: [Double], _ chosen: Int
  ) throws {
    let choice = try #require(SweepChoice(of: peaks(values, [goal(peak, .atMost, 6)])))
    #expect((choice.setting, choice.reason) == (chosen, .best))
  }

  /// 9, 8 and 7 compared with 6: the last has the smallest miss. Without figures there is no choice.
  @Test func smallestMissIsTheNearestSetting() throws {
    let choice = try #require(SweepChoice(of: peaks([9, 8, 7], [goal(peak, .atMost, 6)])))
    #expect((choice.setting, choice.reason) == (2, .nearest))
    #expect(SweepChoice(of: study([(0, [:]), (1, [:])], [goal(peak, .atMost, 6)])) == nil)
    #expect(SweepChoice(of: study([(0, [:]), (1, [:])], [])) == nil)
  }

  /// 5 and 9 around 6 make the first inconclusive; the second fails slightly.
  @Test func inconclusiveIsNearerThanFailing() throws {
    let goals = [goal(peak, .atMost, 6)]
    let study = study([(0, [peak: [5, 9]]), (1, [peak: [6.1, 6.1]])], goals)
    #expect(study.runs.map(\.verdict) == [.inconclusive, .fail])
    #expect(SweepChoice(of: study)?.setting == 0)
  }

  /// The last setting halves the peak; stale views rise only by chance, battery use rises clearly.
  @Test func alternativeHasBenefitsAndCosts() throws {
    let goals = [goal(peak, .atMost, 60)]
    let rows: [(Double, [FigureName: [Double?]])] = [
      (0, [peak: [90, 92], stale: [0.1, 0.2], battery: [1, 1.1]]),
      (5, [peak: [50, 50.2], stale: [0.1, 0.2], battery: [1, 1.1]]),
      (25, [peak: [25, 25.1], stale: [0.12, 0.19], battery: [2, 2.1]]),
    ]
    let gain = try #require(SweepChoice(of: study(rows, goals))?.gain)
    #expect(gain.setting == 2 && gain.better.figure == peak)
    #expect(gain.worse.map(\.figure) == [battery] && gain.same.map(\.figure) == [stale])
    // Less than 5 % is not a gain.
    var small = rows
    small[2].1[peak] = [48, 50]
    #expect(SweepChoice(of: study(small, goals))?.gain == nil)
  }

  /// Without goals: the one closest to the best of each, (0.4, 0.4) on scales from 0 to 1, and no other is like it.
  @Test func withoutGoalsTheBestBalanceIsChosen() throws {
    let rows: [(Double, [FigureName: [Double?]])] = [
      (0, [peak: [0], stale: [1]]), (1, [peak: [4], stale: [0.4]]), (2, [peak: [10], stale: [0]]),
    ]
    let choice = try #require(SweepChoice(of: study(rows, [])))
    #expect((choice.setting, choice.reason) == (1, .balance) && choice.equals.isEmpty)
  }

  /// Peaks that no interval distinguishes, in replications that go up and down.
  @Test func indistinguishableSettingsAreCounted() throws {
    let goals = [goal(peak, .atMost, 60)]
    let rows: [(Double, [FigureName: [Double?]])] = [
      (0, [peak: [20, 22]]), (1, [peak: [21, 20]]), (2, [peak: [40, 41]]),
    ]
    let study = study(rows, goals)
    let choice = try #require(SweepChoice(of: study))
    #expect((choice.setting, choice.reason) == (1, .best) && choice.equals == [0])
    #expect(!study.isConstant(peak))
    #expect(self.study(Array(rows.prefix(2)), goals).isConstant(peak))
  }
}
