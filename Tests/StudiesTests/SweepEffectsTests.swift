import Scenario
import SimulationKernel
import Testing

@testable import Studies

/// Effects of known functions.
struct SweepEffectsTests {
  private func effect(_ effects: SweepEffects, _ axis: Int, _ level: String? = nil) throws -> Effect {
    let figure = try #require(effects.figures.first)
    return try #require(figure.effects.first { $0.axis == axis && $0.level == level })
  }

  /// y = 100 + 3a - 2b + ab/4 over a in 0...8 and b in 10...30, a grid with means 10/3 and 20: least squares gives a's
  /// slope at b = 20, 3 + 5, and b's at a = 10/3, -2 + 5/6.
  @Test func aBilinearFunctionIsFittedAtTheMiddles() throws {
    let axes = [SweepSample.numeric("a", [0, 2, 8]), SweepSample.numeric("b", [10, 20, 30])]
    let study = SweepSample.study(axes, SweepSample.grid(axes)) { values in
      let (a, b) = (values[0].amount ?? 0, values[1].amount ?? 0)
      return [1.0, -1.0].map { 100 + 3 * a - 2 * b + a * b / 4 + $0 }
    }
    let effects = SweepEffects(of: study)
    #expect(effects.note.isEmpty)
    for (axis, value) in [(0, 8 * 8.0), (1, -20 * 7.0 / 6)] {
      let effect = try effect(effects, axis)
      #expect(abs(effect.value - value) < 1e-8, "\(axis)")
      // Both replications have the same effects, which leaves no uncertainty.
      let interval = try #require(effect.interval)
      #expect(abs(interval.low - value) < 1e-6 && abs(interval.high - value) < 1e-6)
    }
    #expect(abs((effects.figures.first?.span(ofAxis: 1) ?? 0) - 20 * 7.0 / 6) < 1e-8)
  }

  /// A linear function is recovered even from points that are not orthogonal.
  @Test func pointsOfASequenceRecoverALinearFunction() throws {
    let axes = (0..<3).map { SweepSample.numeric("\($0)", [0, 1]) }
    let points = try #require(SweepDesign.points(12, axes: 3))
    let settings = points.map { row in row.map { SweepValue("\($0)", amount: $0) } }
    let study = SweepSample.study(axes, settings) { values in
      let x = values.map { 2 * ($0.amount ?? 0) - 1 }
      return [5 + x[0] - 2 * x[1]]
    }
    let effects = SweepEffects(of: study)
    for (axis, value) in [(0, 2.0), (1, -4), (2, 0)] {
      #expect(abs(try effect(effects, axis).value - value) < 1e-8, "\(axis)")
      #expect(try effect(effects, axis).interval == nil)
    }
  }

  /// Values 10, 20 and 60 are -20, -10 and 30 from their mean. An amount adds 4 per step, and 2 more at one of three
  /// values.
  @Test func eachWordHasAnEffect() throws {
    let axes = [SweepSample.words("kind", ["a", "b", "c"]), SweepSample.numeric("n", [0, 1])]
    let base = ["a": 10.0, "b": 20, "c": 60]
    let study = SweepSample.study(axes, SweepSample.grid(axes)) { values in
      let n = values[1].amount ?? 0
      return [(base[values[0].text] ?? 0) + 4 * (n - 0.5) + (values[0].text == "c" ? 2 * (n - 0.5) : 0)]
    }
    let effects = SweepEffects(of: study)
    for (level, value) in [("a", -20.0), ("b", -10), ("c", 30)] {
      #expect(abs(try effect(effects, 0, level).value - value) < 1e-8)
    }
    #expect(abs(try effect(effects, 1).value - (4 + 2.0 / 3)) < 1e-8)
    #expect(abs((effects.figures.first?.span(ofAxis: 0) ?? 0) - 50) < 1e-8)
  }

  /// Two keys that change together cannot be separated, and neither can three columns with two settings.
  @Test func inseparableEffectsAreReported() {
    let axes = [SweepSample.numeric("a", [0, 1, 2]), SweepSample.numeric("b", [0, 10, 20])]
    let together = SweepSample.study(axes, (0..<3).map { row in axes.map { $0.values[row] } }) { [$0[0].amount ?? 0] }
    let none = SweepEffects(of: together)
    #expect(none.figures.isEmpty && none.note == "no effects: some keys change only together with others")
    let two = SweepEffects(
      of: SweepSample.study(axes, [[0, 0], [1, 2]].map { row in zip(axes, row).map { $0.values[$1] } }) { _ in [1] })
    #expect(two.figures.isEmpty && two.note == "no effects: they need 3 settings, but there are only 2")
  }

  /// A constant figure has effects of 0; one that a run lacks has none.
  @Test func figuresWithoutVarianceOrValue() throws {
    let axes = [SweepSample.numeric("a", [0, 1, 2])]
    let flat = SweepEffects(of: SweepSample.study(axes, SweepSample.grid(axes)) { _ in [0.1, 0.3] })
    #expect(try effect(flat, 0).value == 0)
    let runs = SweepSample.grid(axes).enumerated().map { index, values in
      SweepSample.run(values, [SweepSample.figure: [index == 1 ? nil : 1]])
    }
    #expect(SweepEffects(of: SweepStudy(axes: axes, goals: [], runs: runs)).figures.isEmpty)
  }

  /// Effects of 2 and 4 in two replications: 3 ± 12.7062 (t(0.975; 1)) x sqrt(2)/sqrt(2).
  @Test func intervalsAreThoseOfReplications() throws {
    let axes = [SweepSample.numeric("a", [0, 1])]
    let study = SweepSample.study(axes, SweepSample.grid(axes)) { values in
      [2, 4].map { $0 * (values[0].amount ?? 0) }
    }
    let interval = try #require(try effect(SweepEffects(of: study), 0).interval)
    #expect(abs(interval.low - (3 - 12.7062)) < 1e-3 && abs(interval.high - (3 + 12.7062)) < 1e-3)
  }
}
