import Scenario
import SimulationKernel
import Testing

@testable import Studies

/// Effects of functions that are known.
struct SweepEffectsTests {
  private func effect(_ effects: SweepEffects, _ axes: [Int], _ levels: [String?]? = nil) throws -> Effect {
    let figure = try #require(effects.figures.first)
    return try #require(
      figure.effects.first { $0.factors.map(\.axis) == axes && (levels == nil || $0.factors.map(\.level) == levels) })
  }

  /// y = 100 + 3a - 2b + ab/4 over a in 0...8 and b in 10...30: a from end to end makes 8 (3 + 5) = 64 at the middle of b,
  /// b makes 20 (-2 + 1) = -20 at the middle of a, and a's effect goes from 44 to 84: half of the difference is 20.
  @Test func aBilinearFunctionIsRecovered() throws {
    let axes = [SweepSample.numeric("a", [0, 2, 8]), SweepSample.numeric("b", [10, 20, 30])]
    let study = SweepSample.study(axes, SweepSample.grid(axes)) { values in
      let (a, b) = (values[0].amount ?? 0, values[1].amount ?? 0)
      return [1.0, -1.0].map { 100 + 3 * a - 2 * b + a * b / 4 + $0 }
    }
    let effects = SweepEffects(of: study)
    #expect(effects.model == .interactions && effects.note.isEmpty)
    for (axes, value) in [([0], 64.0), ([1], -20), ([0, 1], 20)] {
      let effect = try effect(effects, axes)
      #expect(abs(effect.value - value) < 1e-8, "\(axes)")
      // Both replications have the same effects, which leaves no doubt.
      let interval = try #require(effect.interval)
      #expect(abs(interval.low - value) < 1e-6 && abs(interval.high - value) < 1e-6)
    }
    #expect(effects.figures.first?.unexplained == 0)
    #expect(effects.figures.first?.span(ofAxis: 1) == 20)
  }

  /// At random points, where nothing is orthogonal, the shares need not add up, but nothing is left.
  @Test(arguments: [1, 2, 3] as [UInt64]) func randomPointsRecoverItToo(_ seed: UInt64) throws {
    let axes = (0..<3).map { SweepSample.numeric("\($0)", [0, 1]) }
    let points = try #require(SweepDesign.points(.latinHypercube, 12, axes: 3, seed: seed))
    let settings = points.map { row in row.map { SweepValue("\($0)", amount: $0) } }
    let study = SweepSample.study(axes, settings) { values in
      let x = values.map { 2 * ($0.amount ?? 0) - 1 }
      return [5 + x[0] - 2 * x[1] + 3 * x[0] * x[2] - 4 * x[1] * x[2]]
    }
    let effects = SweepEffects(of: study)
    let wanted: [([Int], Double)] = [([0], 2), ([1], -4), ([2], 0), ([0, 1], 0), ([0, 2], 6), ([1, 2], -8)]
    for (axes, value) in wanted {
      #expect(abs(try effect(effects, axes).value - value) < 1e-8, "seed \(seed), \(axes)")
      #expect(try effect(effects, axes).interval == nil)
    }
    #expect(effects.figures.first?.unexplained == 0)
  }

  /// Values 10, 20, 60 lie -20, -10 and 30 from their mean; an amount adds 4 per step, and 2 more at the last value.
  @Test func wordsHaveAnEffectEach() throws {
    let axes = [SweepSample.words("kind", ["a", "b", "c"]), SweepSample.numeric("n", [0, 1])]
    let base = ["a": 10.0, "b": 20, "c": 60]
    let study = SweepSample.study(axes, SweepSample.grid(axes)) { values in
      let n = values[1].amount ?? 0
      return [(base[values[0].text] ?? 0) + 4 * (n - 0.5) + (values[0].text == "c" ? 2 * (n - 0.5) : 0)]
    }
    let effects = SweepEffects(of: study)
    for (level, value) in [("a", -20.0), ("b", -10), ("c", 30)] {
      #expect(abs(try effect(effects, [0], [level]).value - value) < 1e-8)
    }
    #expect(abs(try effect(effects, [1]).value - (4 + 2.0 / 3)) < 1e-8)
    for (level, value) in [("a", -2.0 / 3), ("b", -2.0 / 3), ("c", 4.0 / 3)] {
      #expect(abs(try effect(effects, [0, 1], [level, nil]).value - value) < 1e-8)
    }
    let figure = try #require(effects.figures.first)
    #expect(abs((figure.span(ofAxis: 0) ?? 0) - 50) < 1e-8)
    // A grid is balanced: the shares of the terms add up to all of the variance.
    let shares = [[0], [1], [0, 1]].compactMap { axes in
      figure.effects.first { $0.factors.map(\.axis) == axes }?.varianceShare
    }
    #expect(abs(shares.reduce(0, +) - 1) < 1e-8)
  }

  /// Two keys that change together cannot be told apart; too few settings leave no room for interactions.
  @Test func whatCannotBeToldApartIsSaid() {
    let axes = [SweepSample.numeric("a", [0, 1, 2]), SweepSample.numeric("b", [0, 10, 20])]
    let together = SweepSample.study(axes, (0..<3).map { row in axes.map { $0.values[row] } }) { [$0[0].amount ?? 0] }
    let none = SweepEffects(of: together)
    #expect(none.model == .none && none.figures.isEmpty)
    #expect(none.note.contains("only ever change together"))
    // Three corners of a square.
    let corners = SweepSample.grid(axes.map { SweepSample.numeric($0.path, [0, 1]) }).dropLast()
    let three = SweepEffects(
      of: SweepSample.study(axes.map { SweepSample.numeric($0.path, [0, 1]) }, Array(corners)) {
        [($0[0].amount ?? 0) + 2 * ($0[1].amount ?? 0)]
      })
    #expect(three.model == .main)
    #expect(three.note == "interactions are left out: they take 4 settings, and there are 3")
    #expect(three.figures.first?.effects.map(\.value) == [1, 2])
  }

  /// A figure that nothing changes has effects of 0 and no variance to share; one that a run lacks has none.
  @Test func figuresWithoutVarianceOrValue() throws {
    let axes = [SweepSample.numeric("a", [0, 1, 2])]
    let flat = SweepEffects(of: SweepSample.study(axes, SweepSample.grid(axes)) { _ in [0.1, 0.3] })
    let effect = try effect(flat, [0])
    #expect(effect.value == 0 && effect.varianceShare == nil)
    #expect(flat.figures.first?.unexplained == nil)
    let runs = SweepSample.grid(axes).enumerated().map { index, values in
      SweepSample.run(values, [SweepSample.figure: [index == 1 ? nil : 1]])
    }
    #expect(SweepEffects(of: SweepStudy(axes: axes, goals: [], runs: runs)).figures.isEmpty)
  }

  /// Effects 2 and 4 in two replications: 3 ± 12.7062 (t(0.975; 1)) x sqrt(2)/sqrt(2).
  @Test func intervalsAreThoseOfReplications() throws {
    let axes = [SweepSample.numeric("a", [0, 1])]
    let study = SweepSample.study(axes, SweepSample.grid(axes)) { values in
      [2, 4].map { $0 * (values[0].amount ?? 0) }
    }
    let interval = try #require(try effect(SweepEffects(of: study), [0]).interval)
    #expect(abs(interval.low - (3 - 12.7062)) < 1e-3 && abs(interval.high - (3 + 12.7062)) < 1e-3)
  }
}
