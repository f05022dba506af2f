/// The variance of a series by frequency.
///
/// Periodogram of the discrete Fourier transform (GSL 2.7 manual, "Mixed-radix FFT routines for real data"); by
/// Parseval's theorem its parts add up to the variance of the series, its mean apart.
package struct Spectrum: Sendable {
  /// Element k - 1: the variance at k cycles over the whole series, for k from 1 up to half its length.
  package let powers: [Double]

  /// - Throws: for a value that is not finite.
  package init(of values: [Double]) throws(NumericsError) {
    guard values.count > 1 else {
      powers = []
      return
    }
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    let parts = try GSL.realTransform(of: values.map { $0 - mean })
    powers = (1...values.count / 2).map { cycles in
      let real = parts[2 * cycles - 1]
      guard 2 * cycles < parts.count else { return real * real / (count * count) }
      let imaginary = parts[2 * cycles]
      return 2 * (real * real + imaginary * imaginary) / (count * count)
    }
  }

  /// The variance of the series, with its length as denominator.
  package var variance: Double { powers.reduce(0, +) }

  /// The variance of what repeats this many times over the series: at this frequency and at its multiples.
  package func variance(repeating cycles: Int) -> Double {
    guard cycles > 0 else { return 0 }
    return stride(from: cycles, through: powers.count, by: cycles).reduce(0) { $0 + powers[$1 - 1] }
  }
}
