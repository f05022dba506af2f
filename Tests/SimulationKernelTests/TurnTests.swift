import Testing

@testable import SimulationKernel

/// Cosine and sine without libm, compared with angles whose values are roots.
@Suite struct TurnTests {
  @Test func knownAngles() {
    let (half, third) = (0.5.squareRoot(), 0.75.squareRoot())
    let known: [(turns: Double, cosine: Double, sine: Double)] = [
      (0, 1, 0), (0.25, 0, 1), (0.5, -1, 0), (0.75, 0, -1), (1.0 / 6, 0.5, third), (0.125, half, half),
      (-1.0 / 12, third, -0.5), (1_000_000.25, 0, 1),
    ]
    for angle in known {
      let found = SteadyMath.turn(angle.turns)
      #expect(abs(found.cosine - angle.cosine) < 1e-15 && abs(found.sine - angle.sine) < 1e-15)
    }
  }

  @Test func turnsLieOnTheUnitCircle() {
    for step in 0..<1_000 {
      let (cosine, sine) = SteadyMath.turn(Double(step) * 0.001_37 - 0.6)
      #expect(abs(cosine * cosine + sine * sine - 1) < 2e-15)
    }
  }
}
