import Testing

@testable import Studies

/// The first trials of a search (Docs/STUDIES.md, "How it searches").
struct TuneStartTests {
  private func axes(words: [Int] = [], amounts: Int) -> [TuneAxis] {
    words.map { TuneAxis(levels: $0, isOrdered: false) }
      + Array(repeating: TuneAxis(levels: 1_001, isOrdered: true), count: amounts)
  }

  /// If there are no more settings than trials, all are tried once.
  @Test(arguments: [([3], 4, 12), ([3], 4, 60), ([2, 3], 10, 60), ([], 60, 60)])
  func fewSettingsAreAllTried(words: [Int], levels: Int, trials: Int) throws {
    let axes = words.map { TuneAxis(levels: $0, isOrdered: false) } + [TuneAxis(levels: levels, isOrdered: true)]
    let settings = try TuneStart.levels(axes, trials: trials)
    let count = words.reduce(levels, *)
    #expect(settings.count == count && Set(settings).count == count)
  }

  /// Both ends and the quarter points of one amount, with every word.
  @Test func oneAmountBeginsWithItsQuarters() throws {
    let settings = try TuneStart.levels(axes(words: [2], amounts: 1), trials: 60)
    #expect(Set(settings) == Set([0, 1].flatMap { word in [0, 250, 500, 750, 1_000].map { [word, $0] } }))
  }

  /// With several amounts, there are as many points as the models need (two per amount and three more), or three per
  /// combination of words. The max is half of the trials, because the rest is for the search.
  @Test(arguments: [
    ([], 2, 60, 7), ([], 3, 60, 9), ([2, 3], 2, 60, 18), ([7], 2, 30, 15), ([], 2, 10, 5), ([], 2, 1, 1),
  ])
  func severalAmountsLeaveTrialsForTheSearch(words: [Int], amounts: Int, trials: Int, count: Int) throws {
    #expect(try TuneStart.levels(axes(words: words, amounts: amounts), trials: trials).count == count)
  }
}

/// Single steps of a search.
struct TuneSearchTests {
  /// Returns the steps after the initial five in a search along one amount with 1 001 levels. The best point is the
  /// lowest level that meets the goal.
  private func steps(_ count: Int, miss: (Int) -> Double) throws -> [Int] {
    var search = try TuneSearch(axes: [TuneAxis(levels: 1_001, isOrdered: true)], goals: 1, trials: 60)
    var levels: [Int] = []
    while levels.count < 5 + count, let next = try search.next() {
      levels.append(next[0])
      search.add(TunePoint(levels: next, objective: Double(next[0]), misses: [miss(next[0])]))
    }
    #expect(Set(levels.prefix(5)) == [0, 250, 500, 750, 1_000])
    return Array(levels.dropFirst(5))
  }

  /// The bounds are 250, which misses the goal, and 500, which holds. A goal with a proportional miss is met where the
  /// straight line meets its limit at 333.7, just on this side; the part below is then halved.
  @Test func tuneFollowsALineThenHalves() throws {
    let steps = try steps(2) { (333.7 - Double($0)) / 1_000 }
    try #require(steps.count == 2)
    // A fiftieth of the way on this side.
    #expect((334...340).contains(steps[0]), "\(steps)")
    #expect(abs(steps[1] - (250 + steps[0]) / 2) <= 1, "\(steps)")
  }

  /// Alternating with halving still finds the lowest level if the miss jumps and a line gives no information. Each pair
  /// of steps halves what is left of 250 levels, at most 8 times.
  @Test(arguments: [251, 300, 437, 500]) func aJumpIsFound(minimum: Int) throws {
    let steps = try steps(40) { $0 < minimum ? 5 : -0.001 }
    #expect(steps.count <= 16)
    #expect(steps.contains(minimum - 1) || minimum == 251)
    #expect(steps.contains(minimum) || minimum == 500)
  }

  /// Models are trusted again after the limits have moved: within at least a sixteenth of the range, a quarter of the
  /// initial radius. A larger radius stays.
  @Test func trustRegionGrowsAgain() throws {
    let axes = [3, 9, 9].map { TuneAxis(levels: $0, isOrdered: $0 == 9) }
    var search = try TuneSearch(axes: axes, goals: 1, trials: 60)
    search.radii = [[0, 0, 0]: 0.002, [1, 0, 0]: 0.5, [2, 0, 0]: 1 / 16.0]
    search.restoreTrust()
    #expect(search.radii == [[0, 0, 0]: 1 / 16.0, [1, 0, 0]: 0.5, [2, 0, 0]: 1 / 16.0])
  }

  /// Three words lie at the middles of thirds; three amounts at both ends and halfway.
  @Test func designCoversWordsAndEdges() {
    let middles = { (isOrdered: Bool) in (0..<3).map(TuneAxis(levels: 3, isOrdered: isOrdered).middle) }
    #expect(middles(true) == [0, 0.5, 1])
    #expect(zip(middles(false), [1 / 6.0, 0.5, 5 / 6.0]).allSatisfy { abs($0 - $1) < 1e-12 })
    #expect(TuneAxis(levels: 1, isOrdered: true).middle(of: 0) == 0)
  }
}
