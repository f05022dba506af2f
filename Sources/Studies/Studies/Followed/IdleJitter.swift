package import Scenario
package import SimulationKernel

/// A jitter that spreads nothing: dates that count from the end of each run are spread already, and it only makes the
/// interval longer (MODEL.md 5.5).
package struct IdleJitter: Hashable, Sendable {
  /// What the policy asks for.
  package let interval: TimeAmount
  /// The most that the jitter adds.
  package let upTo: TimeAmount

  /// The interval that is as long as both together are on average.
  package var meanInterval: TimeAmount { interval + .milliseconds(upTo.milliseconds / 2) }

  /// nil without a jitter, where dates follow the clock, where an event comes to all phones at once, and where the policy
  /// has no single interval.
  package init?(_ kind: Kind, in scenario: Scenario) {
    guard let upTo = kind.jitter?.upTo, upTo > .zero, kind.policies.allSatisfy({ $0.sharedPeriod == nil }),
      let interval = kind.onlyInterval, scenario.events.allSatisfy(\.isOfOnePhone)
    else { return nil }
    (self.interval, self.upTo) = (interval, upTo)
  }
}

extension Event {
  /// Whether each phone has its own instants of it.
  fileprivate var isOfOnePhone: Bool {
    if case .perDevicePerDay = timing { return true }
    return false
  }
}
