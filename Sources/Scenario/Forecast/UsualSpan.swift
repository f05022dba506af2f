package import SimulationKernel

/// Spans that people write: what advice is rounded up to.
package enum UsualSpan {
  /// From a minute to a day, ascending.
  package static let all: [TimeAmount] =
    [1, 2, 3, 4, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 360, 480, 720, 1_440].map { .minutes($0) }

  /// The shortest that is not below some seconds, but for the last digits of a sum; nil above a day.
  package static func upFrom(_ seconds: Double) -> TimeAmount? { all.first { $0.seconds >= seconds - 1e-6 } }
}
