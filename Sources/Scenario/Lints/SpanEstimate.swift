import SimulationKernel

extension Distribution {
  /// The expectation, by the numbers of values; of a normal one that of the whole bell.
  private func mean(_ number: (Value) -> Double) -> Double {
    switch self {
    case .constant(let value): number(value)
    case .uniform(let from, let to): (number(from) + number(to)) / 2
    case .exponential(let mean): number(mean)
    case .normal(let mean, _): number(mean)
    case .lognormal(let median, let sigma): number(median) * SteadyMath.exp(sigma * sigma / 2)
    case .choice(let options): options.reduce(0) { $0 + number($1.value) * $1.weight }
    }
  }
}

extension Distribution<Double> {
  package var expectation: Double { mean { $0 } }
}

extension Distribution<TimeAmount> {
  /// The expectation, in seconds.
  var meanSeconds: Double { mean(\.seconds) }

  /// A span that is exceeded never, or less than once in 10 000 draws, in seconds.
  var latestSeconds: Double {
    switch self {
    case .constant(let span): span.seconds
    case .uniform(let from, let to): max(from.seconds, to.seconds)
    case .exponential(let mean): mean.seconds * 9.3
    case .normal(let mean, let deviation): mean.seconds + 3.8 * deviation.seconds
    case .lognormal(let median, let sigma): median.seconds * SteadyMath.exp(3.8 * sigma)
    case .choice(let options): options.map(\.value.seconds).max() ?? 0
    }
  }
}
