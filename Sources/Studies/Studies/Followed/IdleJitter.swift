package import Scenario
package import SimulationKernel

/// A jitter whose only effect is a longer interval. Dates that are counted from the end of each run are already spread,
/// so the jitter is not needed to spread them (MODEL.md 5.5).
package struct IdleJitter: Hashable, Sendable {
  /// The interval of the policy.
  package let interval: TimeAmount
  /// The maximum delay that the jitter adds.
  package let upTo: TimeAmount

  /// The mean interval including the jitter.
  package var meanInterval: TimeAmount { interval + .milliseconds(upTo.milliseconds / 2) }

  /// Creates the idle jitter of a kind; `nil` if there is no jitter or no single interval, dates are clock-aligned, or
  /// an event affects all phones at once.
  package init?(_ kind: Kind, in scenario: Scenario) {
    guard let upTo = kind.jitter?.upTo, upTo > .zero, kind.jitter?.early == .zero,
      kind.sharedPeriods.allSatisfy({ $0 == nil }),
      let interval = kind.onlyInterval, scenario.events.allSatisfy(\.isOfOnePhone)
    else { return nil }
    (self.interval, self.upTo) = (interval, upTo)
  }
}

extension Event {
  /// Whether the times of the event are drawn separately for each phone.
  fileprivate var isOfOnePhone: Bool {
    if case .perDevicePerDay = timing { return true }
    return false
  }
}
