import SimulationKernel
import Testing

@testable import Numerics

/// Means of estimates that differ by more than their errors.
struct RandomEffectsTests {
  private func effects(_ pairs: [(Double, Double)]) throws -> RandomEffects {
    try #require(try RandomEffects(of: pairs.map { RandomEffects.Estimate($0.0, error: $0.1) }))
  }

  private func isNear(_ found: Double, _ expected: Double, within tolerance: Double = 1e-12) -> Bool {
    abs(found - expected) <= tolerance
  }

  /// By hand: 1, 2 and 6 with errors 1, 1 and 2. The weights 1, 1 and 1/4 have the mean 2 and Q = 1 + 0 + 16/4 = 5;
  /// C = 9/4 - (33/16)/(9/4) = 4/3; tau^2 = (5 - 2)/(4/3) = 9/4; I^2 = 3/5. With the weights 4/13, 4/13 and 4/25 the mean
  /// is 17/7, and the variance of Hartung and Knapp is 10850/6174. Student's t of 2 has 4.302653 at 97.5 %.
  @Test func threeLabsByHand() throws {
    let found = try effects([(1, 1), (2, 1), (6, 2)])
    #expect(isNear(found.mean, 17.0 / 7) && isNear(found.deviation, 1.5) && isNear(found.excess, 0.6))
    let half = 4.302_652_729_7 * (10_850.0 / 6_174).squareRoot()
    #expect(isNear(found.low, 17.0 / 7 - half, within: 1e-8) && isNear(found.high, 17.0 / 7 + half, within: 1e-8))
  }

  /// By hand: 0 and 2 with errors 1: Q = 2, C = 1, tau = 1, I^2 = 1/2, and the scale of the interval is 1.
  @Test func twoLabsHaveStudentsWidestInterval() throws {
    let found = try effects([(0, 1), (2, 1)])
    #expect(isNear(found.mean, 1) && isNear(found.deviation, 1) && isNear(found.excess, 0.5))
    #expect(isNear(found.high - 1, 12.706_204_736_2, within: 1e-8) && isNear(1 - found.low, found.high - 1))
  }

  /// Labs that agree better than their errors say have no variance between them, and their interval is not narrower.
  @Test func agreementByChanceNarrowsNothing() throws {
    let found = try effects([(5, 1), (5, 1), (5, 1), (5, 1)])
    #expect(found.deviation == 0 && found.excess == 0)
    #expect(isNear(found.high - found.mean, 3.182_446_305_3 / 2, within: 1e-8))
  }

  /// Thirteen trials of BCG against tuberculosis, logarithms of risk ratios (Colditz et al., JAMA 271, 1994): Q 152.233,
  /// tau^2 0.3088, I^2 92.12 %, mean -0.7141, and 0.1807 for Hartung and Knapp's standard error, as the package metafor
  /// prints them (Viechtbauer, Journal of Statistical Software 36, 2010; method DL, test knha).
  @Test func trialsOfAVaccine() throws {
    let trials: [(Double, Double, Double, Double)] = [
      (4, 119, 11, 128), (6, 300, 29, 274), (3, 228, 11, 209), (62, 13_536, 248, 12_619), (33, 5_036, 47, 5_761),
      (180, 1_361, 372, 1_079), (8, 2_537, 10, 619), (505, 87_886, 499, 87_892), (29, 7_470, 45, 7_232),
      (17, 1_699, 65, 1_600), (186, 50_448, 141, 27_197), (5, 2_493, 3, 2_338), (27, 16_886, 29, 17_825),
    ]
    let ratios = trials.map { trial in
      let (sick, others) = (trial.0 + trial.1, trial.2 + trial.3)
      let value = SteadyMath.log(trial.0 / sick) - SteadyMath.log(trial.2 / others)
      return (value, (1 / trial.0 - 1 / sick + 1 / trial.2 - 1 / others).squareRoot())
    }
    let found = try effects(ratios)
    #expect(isNear(found.mean, -0.7141, within: 0.000_05))
    #expect(isNear(found.deviation * found.deviation, 0.3088, within: 0.000_05))
    #expect(isNear(found.excess, 0.9212, within: 0.000_05))
    let error = (found.high - found.low) / 2 / 2.178_812_829_7
    #expect(isNear(error, 0.1807, within: 0.000_05))
  }

  @Test func whatHasNoErrorOrNoSecondIsRefused() throws {
    #expect(throws: NumericsError.self) { try effects([(1, 0), (2, 1)]) }
    #expect(try RandomEffects(of: [RandomEffects.Estimate(1, error: 1)]) == nil)
  }
}
