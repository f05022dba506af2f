internal import SimulationKernel

/// The spectrum of many phones that wake again and again, each for itself: Bartlett's spectrum of renewal processes.
///
/// Counts of N phones with random phases have, over that of a Poisson process of the same rate, the spectrum 1 + 2
/// Re(phi / (1 - phi)), phi the characteristic function of the time X between wakes (Bartlett 1963; Cox, Lewis 1966,
/// 4.6), whatever N is. X = min(Y, E): Y the cycle and its delays, E exponential, for free runs start it anew.
struct RenewalSpectrum {
  /// Seconds: interval and run time; the end of the window.
  var cycle: Double
  var window: Double
  /// Free runs per second.
  var freeRate: Double
  var inUse: Double
  var inUseWindow: Double
  var jitter: Double

  private struct Complex {
    var real: Double
    var imaginary: Double

    static func * (one: Complex, other: Complex) -> Complex {
      Complex(
        real: one.real * other.real - one.imaginary * other.imaginary,
        imaginary: one.real * other.imaginary + one.imaginary * other.real)
    }

    static func / (one: Complex, other: Complex) -> Complex {
      let square = other.real * other.real + other.imaginary * other.imaginary
      let product = one * Complex(real: other.real, imaginary: -other.imaginary)
      return Complex(real: product.real / square, imaginary: product.imaginary / square)
    }

    static func exp(_ power: Complex) -> Complex {
      let size = SteadyMath.exp(power.real)
      let turn = SteadyMath.turn(power.imaginary / 6.283_185_307_179_586)
      return Complex(real: size * turn.cosine, imaginary: size * turn.sine)
    }
  }

  /// The transform E exp(theta D) of a uniform from 0 to `end`.
  private static func uniform(_ theta: Complex, to end: Double) -> Complex {
    let power = Complex(real: theta.real * end, imaginary: theta.imaginary * end)
    guard power.real * power.real + power.imaginary * power.imaginary > 1e-12 else {
      return Complex(real: 1, imaginary: 0)
    }
    let grown = Complex.exp(power)
    return Complex(real: grown.real - 1, imaginary: grown.imaginary) / power
  }

  /// E exp(theta Y).
  private func due(_ theta: Complex) -> Complex {
    let even = Self.uniform(theta, to: window)
    let short = inUse > 0 ? Self.uniform(theta, to: min(inUseWindow, window)) : Complex(real: 0, imaginary: 0)
    let delay = Complex(
      real: inUse * short.real + (1 - inUse) * even.real,
      imaginary: inUse * short.imaginary + (1 - inUse) * even.imaginary)
    let start = Complex.exp(Complex(real: theta.real * cycle, imaginary: theta.imaginary * cycle)) * delay
    return jitter > 0 ? start * Self.uniform(theta, to: jitter) : start
  }

  /// The ratio to a Poisson process's spectrum at a frequency above 0, in cycles per second.
  func ratio(at frequency: Double) -> Double {
    let angular = 6.283_185_307_179_586 * frequency
    // phi = 1 + s (E exp(theta Y) - 1) / theta with s = i angular, theta = s - free rate.
    let theta = Complex(real: -freeRate, imaginary: angular)
    let due = due(theta)
    let rest = Complex(real: due.real - 1, imaginary: due.imaginary) / theta
    let change = Complex(real: 0, imaginary: angular) * rest
    let phi = Complex(real: 1 + change.real, imaginary: change.imaginary)
    let part = phi / Complex(real: -change.real, imaginary: -change.imaginary)
    return max(1 + 2 * part.real, 1e-6)
  }

  /// The mean of X in seconds.
  var mean: Double {
    guard freeRate > 0 else {
      return cycle + jitter / 2 + inUse * min(inUseWindow, window) / 2 + (1 - inUse) * window / 2
    }
    return (1 - due(Complex(real: -freeRate, imaginary: 0)).real) / freeRate
  }
}
