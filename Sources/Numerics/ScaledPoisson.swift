import SimulationKernel

/// A Poisson count times a cluster size: of mean `mean`, and of variance `dispersion` times as large (quasi-Poisson).
///
/// Between whole clusters its distribution is that of a gamma variable: P(Y <= y) = Q(y / dispersion + 1, mean /
/// dispersion). In `SteadyMath` alone: the same bits on every machine.
package struct ScaledPoisson: Hashable, Sendable {
  package let mean: Double
  package let dispersion: Double

  /// From here on Wilson's and Hilferty's cube root stands for the incomplete gamma function.
  private static let exactShapes = 40.0

  package init(mean: Double, dispersion: Double) {
    self.mean = mean
    self.dispersion = dispersion
  }

  /// The chance of more than `count`, which is above -`dispersion`.
  package func upperTail(_ count: Double) -> Double {
    let (shape, x) = (max(count / dispersion + 1, 1e-3), mean / dispersion)
    guard x > 0 else { return 0 }
    if shape < Self.exactShapes { return 1 - IncompleteGamma(shape: shape).upperTail(x) }
    return Self.normalUpperTail(-Self.cubeRootScore(x, shape))
  }

  /// The chance of at most `count`, which is above -`dispersion`.
  package func lowerTail(_ count: Double) -> Double {
    let (shape, x) = (max(count / dispersion + 1, 1e-3), mean / dispersion)
    guard x > 0 else { return 1 }
    if shape < Self.exactShapes { return IncompleteGamma(shape: shape).upperTail(x) }
    return Self.normalUpperTail(Self.cubeRootScore(x, shape))
  }

  /// A standard normal score of a gamma variable (Wilson, Hilferty 1931).
  private static func cubeRootScore(_ x: Double, _ shape: Double) -> Double {
    let root = SteadyMath.exp(SteadyMath.log(x / shape) / 3)
    return 3 * shape.squareRoot() * (root - 1 + 1 / (9 * shape))
  }

  /// The chance that a standard normal variable is above `z`.
  package static func normalUpperTail(_ z: Double) -> Double {
    guard z.magnitude < 38 else { return z > 0 ? 0 : 1 }
    let half = z == 0 ? 0.5 : IncompleteGamma(shape: 0.5).upperTail(z * z / 2) / 2
    return z < 0 ? 1 - half : half
  }
}
