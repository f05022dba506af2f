import SimulationKernel

/// The log's statistics beside the surfaces that simulations make of them, within a box of places.
struct FitView {
  let measured: [LogStatistic]
  let surface: ResponseSurface
  /// By statistic: the variance that is granted whatever the number of phones.
  let floors: [Double]
  /// The variance of the log's own chance over that of one simulation.
  let chance: Double

  /// The logarithm of the density of the measured statistics at some places, but for a constant.
  ///
  /// - Parameter caution: the variance that surfaces are granted, over that of one simulation.
  /// - Parameter scale: by how much all variances are larger.
  func logarithm(at places: [Double], _ caution: Double, scale: Double) -> Double {
    let (guesses, own) = surface.values(at: places)
    var sum = 0.0
    // A logarithm for several variances, whose product neither over- nor underflows.
    var product = 1.0
    for index in guesses.indices {
      let variance = surface.variances[index] * (chance + own + caution) + floors[index]
      guard variance > 0 else { continue }
      sum += square(measured[index].value - guesses[index]) / variance / scale
      product *= variance
      if !(1e-150..<1e150).contains(product) {
        sum += SteadyMath.log(product)
        product = 1
      }
    }
    return -(sum + SteadyMath.log(product)) / 2
  }

  /// The sum of squares of what is not explained at some places, in standard errors.
  func squares(at places: [Double], _ caution: Double) -> Double {
    let (guesses, own) = surface.values(at: places)
    return guesses.indices.reduce(0) { sum, index in
      let variance = surface.variances[index] * (chance + own + caution) + floors[index]
      return variance > 0 ? sum + square(measured[index].value - guesses[index]) / variance : sum
    }
  }

  /// By how much more than chance the surfaces leave unexplained; at least 1.
  func scale(at places: [Double], keys: Int) -> Double {
    max(1, squares(at: places, 0) / Double(max(measured.count - keys, 1)))
  }

  /// By key: the standard error that the chance of the statistics makes, as they move together in the simulations.
  ///
  /// - Parameter covariance: of the posterior; the estimate is linear in the statistics about the place.
  func deviations(at places: [Double], _ covariance: [[Double]]) -> [Double] {
    let own = surface.values(at: places).variance
    let slopes = surface.slopes(at: places)
    let weights = measured.indices.map { index in
      let variance = surface.variances[index] * (chance + own) + floors[index]
      return variance > 0 ? 1 / variance : 0
    }
    let moved = surface.residuals.map { run -> [Double] in
      let pull = places.indices.map { key in
        run.indices.reduce(0) { $0 + slopes[$1][key] * weights[$1] * run[$1] }
      }
      return covariance.map { dot($0, pull) }
    }
    return places.indices.map { key in
      (moved.reduce(0) { $0 + square($1[key]) } / Double(moved.count) * (chance + own)).squareRoot()
    }
  }
}
