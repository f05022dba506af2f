import Scenario
import SimulationKernel
import Testing

@testable import Studies

/// The settings that no other beats, and the merged figures of runs.
struct SweepStudyTests {
  private let first = FigureName(.meanRPS, .mean)
  private let second = FigureName(.staleViews, .share)
  private let third = FigureName(.batteryPercentPerDay, .mean)

  /// Compares the front with every pair of settings, using costs with few distinct values so that many are equal.
  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func frontMatchesPairwiseComparison(_ seed: UInt64) {
    let costs = (0..<120).map { index -> [Double?] in
      let block = Philox.block(counter: Philox.Block(UInt32(index), 0, 0, 0), key: seed)
      let values = [block.word0, block.word1, block.word2].map { Double($0 % 7) }
      return index % 17 == 3 ? [values[0], nil, values[2]] : values
    }
    let members = ParetoFront.members(costs)
    for (index, choice) in costs.enumerated() {
      let isBeaten = costs.contains { other in
        guard !other.contains(nil), !choice.contains(nil) else { return false }
        let pairs = zip(other.compactMap { $0 }, choice.compactMap { $0 })
        return pairs.allSatisfy { $0 <= $1 } && pairs.contains { $0 < $1 }
      }
      #expect(members[index] == (!isBeaten && !choice.contains(nil)), "seed \(seed), choice \(index)")
    }
    #expect(members.contains(true))
    #expect(ParetoFront.members([[], []]) == [false, false])
  }

  private func study(_ figures: [[FigureName: [Double?]]], _ goals: [Goal] = []) -> SweepStudy {
    let axis = SweepSample.numeric("a", figures.indices.map { Double($0) })
    let runs = zip(axis.values, figures).map { SweepSample.run([$0], $1, goals: goals) }
    return SweepStudy(axes: [axis], goals: goals, runs: runs)
  }

  /// The offered load gets its own column if it differs by more than 1 % from the servers' load in any setting.
  @Test(arguments: [(100.0, false), (101, false), (102, true), (98, true)])
  func differentOfferedLoadsGetAColumn(_ offered: Double, _ stands: Bool) {
    let labels = Labels().with(\.endpoint, "api").with(\.window, "10s")
    let (peak, load) = (FigureName(.serverPeakRPS, .max, labels), FigureName(.offeredPeakRPS, .max, labels))
    let study = study(
      [[peak: [100], load: [100]], [peak: [100], load: [offered]]], [SweepSample.goal(peak, .atMost)])
    #expect(study.offered(peak) == (stands ? load : nil))
    #expect(study.figures.contains(load) == stands)
    #expect(study.offered(first) == nil)
  }

  /// A goal with a lower limit maximizes its figure; equality has no direction.
  @Test func goalsGiveTheDirections() {
    let goals = [
      SweepSample.goal(first, .atMost), SweepSample.goal(second, .more), SweepSample.goal(third, .equal),
      SweepSample.goal(first, .atLeast),
    ]
    let figures = [(1.0, 0.1), (2, 0.5), (2, 0.4), (3, 0.5)].map { [first: [$0.0], second: [$0.1], third: [1.0]] }
    let study = study(figures, goals)
    #expect(study.objectives == [SweepObjective(first, .minimum), SweepObjective(second, .maximum)])
    #expect(study.runs.map(\.isOnFront) == [true, true, false, false])
  }

  /// Without goals: the endpoint with the highest peak under any setting, stale views, battery.
  @Test func threeFiguresWithoutGoals() {
    func peak(_ endpoint: String, _ window: String) -> FigureName {
      FigureName(.peakRPS, .max, Labels().with(\.endpoint, endpoint).with(\.window, window))
    }
    let figures: [[FigureName: [Double?]]] = [
      [peak("", "1s"): [12], peak("a", "1s"): [5], peak("b", "1s"): [7], second: [0.2], third: [1]],
      [peak("", "1s"): [12], peak("a", "1s"): [9], peak("b", "1s"): [3], second: [0.2], third: [1]],
    ]
    let study = study(figures)
    #expect(study.objectives.map(\.figure) == [peak("a", "1s"), second, third])
    #expect(study.runs.map(\.isOnFront) == [true, false])
    // A figure without measurements is not an objective.
    let bare = self.study(figures.map { $0.filter { $0.key != second } })
    #expect(bare.objectives.map(\.figure) == [peak("a", "1s"), third])
  }

  /// A cause that occurred in only one replication has 0 runs in the other; a figure missing from one is unknown there.
  @Test func replicationsAreMerged() throws {
    let push = FigureName(.runs, .total, Labels().with(\.cause, "push"))
    let all = FigureName(.runs, .total)
    let parts = [
      [SummaryRow(.runs, Labels(), .total, replications: [.whole(7)])],
      [
        SummaryRow(.runs, Labels(), .total, replications: [.whole(9)]),
        SummaryRow(
          .runs, push.labels, .total, replications: [.whole(2)], bounds: [Interval(low: 1, high: 4)]),
        SummaryRow(.meanRPS, Labels(), .mean, replications: [.real(0.5)]),
      ],
    ]
    let merged = Summary(merging: parts.map { Summary(rows: $0) }, of: Scenario())
    #expect(merged.figure(all)?.replications == [.whole(7), .whole(9)])
    #expect(merged.figure(all)?.value == .whole(8))
    #expect(merged.figure(push)?.replications == [.whole(0), .whole(2)])
    #expect(merged.figure(push)?.bounds == [nil, Interval(low: 1, high: 4)])
    #expect(merged.figure(push)?.isResolved == false)
    #expect(merged.figure(first)?.replications == [nil, .real(0.5)])
    // A sweep keeps no single causes, except those of goals.
    #expect(merged.essential([]).rows.count == 2)
    #expect(merged.essential([SweepSample.goal(push, .less)]).figure(push)?.value == .whole(1))
  }
}
