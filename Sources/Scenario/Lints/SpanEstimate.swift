import SimulationKernel

extension Distribution<TimeAmount> {
  /// The expectation, in seconds; of a normal span that of the whole bell.
  var meanSeconds: Double {
    switch self {
    case .constant(let span): span.seconds
    case .uniform(let from, let to): (from.seconds + to.seconds) / 2
    case .exponential(let mean): mean.seconds
    case .normal(let mean, _): mean.seconds
    case .lognormal(let median, let sigma): median.seconds * SteadyMath.exp(sigma * sigma / 2)
    case .choice(let options): options.reduce(0) { $0 + $1.value.seconds * $1.weight }
    }
  }

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

  /// Over how long it spreads what falls together: 1 / its greatest density, in seconds; 0 where it spreads nothing.
  var widthSeconds: Double {
    let root = 2.506_628_274_631  // of 2 pi
    switch self {
    case .constant, .choice: return 0
    case .uniform(let from, let to): return abs(to.seconds - from.seconds)
    case .exponential(let mean): return mean.seconds
    case .normal(_, let deviation): return deviation.seconds * root
    case .lognormal(let median, let sigma): return median.seconds * sigma * root / SteadyMath.exp(sigma * sigma / 2)
    }
  }
}

extension Distribution<Double> {
  /// The expectation; of a normal number that of the whole bell.
  package var expectation: Double {
    switch self {
    case .constant(let value): value
    case .uniform(let low, let high): (low + high) / 2
    case .exponential(let mean): mean
    case .normal(let mean, _): mean
    case .lognormal(let median, let sigma): median * SteadyMath.exp(sigma * sigma / 2)
    case .choice(let options): options.reduce(0) { $0 + $1.value * $1.weight }
    }
  }
}
