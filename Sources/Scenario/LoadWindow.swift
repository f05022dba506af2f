package import SimulationKernel

/// The spans over which requests per second are averaged, aligned to clock.start (MODEL.md 6.8).
package enum LoadWindow: CaseIterable, Hashable, Sendable {
  case second, tenSeconds, minute, fiveMinutes

  /// The name used in goals and the column `window`.
  package var name: String {
    switch self {
    case .second: "1s"
    case .tenSeconds: "10s"
    case .minute: "1min"
    case .fiveMinutes: "5min"
    }
  }

  package var length: TimeAmount {
    switch self {
    case .second: .second
    case .tenSeconds: .seconds(10)
    case .minute: .minute
    case .fiveMinutes: .minutes(5)
    }
  }

  /// How many time steps it takes; nil for one that is shorter than a step or no multiple of it.
  package func steps(of clock: Clock) -> Int? {
    // A step of nothing is refused at its place; goals are read all the same.
    guard clock.step > .zero else { return nil }
    let (steps, rest) = length.milliseconds.quotientAndRemainder(dividingBy: clock.step.milliseconds)
    return rest == 0 && steps > 0 ? Int(steps) : nil
  }

  /// The windows that exist for a clock.
  package static func all(of clock: Clock) -> [LoadWindow] { allCases.filter { $0.steps(of: clock) != nil } }

  /// The shortest of them; nil when the step is too long or odd for all.
  package static func finest(of clock: Clock) -> LoadWindow? { all(of: clock).first }
}
