package import SimulationKernel

/// Spans that people write: what advice is rounded up to.
package enum UsualSpan {
  /// From a minute to a day, ascending.
  package static let all: [TimeAmount] =
    [1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 360, 480, 720, 1_440].map { .minutes($0) }

  /// The shortest of them that is not shorter; nil above a day.
  package static func notBelow(_ span: TimeAmount) -> TimeAmount? { all.first { $0 >= span } }
}
