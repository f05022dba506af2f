package import SimulationKernel

/// Spans that people write: what advice is rounded up to.
package enum UsualSpan {
  /// From a minute to a day, ascending.
  package static let all: [TimeAmount] =
    [1, 2, 3, 4, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 360, 480, 720, 1_440].map { .minutes($0) }

  /// The one in the middle of those that lie between two spans; nil: none does.
  package static func between(_ one: TimeAmount, _ other: TimeAmount) -> TimeAmount? {
    let inside = all.filter { $0 > min(one, other) && $0 < max(one, other) }
    return inside.isEmpty ? nil : inside[inside.count / 2]
  }

  /// The shortest that is not below some seconds, but for the last digits of a sum; nil above a day.
  package static func upFrom(_ seconds: Double) -> TimeAmount? { all.first { $0.seconds >= seconds - 1e-6 } }
}
