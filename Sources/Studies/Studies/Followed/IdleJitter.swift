package import Scenario
package import SimulationKernel

/// A jitter that spreads nothing: dates that count from the end of each run are spread anyway, so it only lengthens the
/// interval (MODEL.md 5.5).
package struct IdleJitter: Hashable, Sendable {
  /// The interval of the policy.
  package let interval: TimeAmount
  /// The max delay that the jitter adds.
  package let upTo: TimeAmount

  /// The mean of both together, as an interval.
  package var meanInterval: TimeAmount { interval + .milliseconds(upTo.milliseconds / 2) }

  /// Makes the idle jitter of a kind; `nil` without a jitter, with dates by the clock, with an event for all phones at
  /// once, and without a single interval.
  package init?(_ kind: Kind, in scenario: Scenario) {
    guard let upTo = kind.jitter?.upTo, upTo > .zero, kind.policies.allSatisfy({ $0.sharedPeriod == nil }),
      let interval = kind.onlyInterval, scenario.events.allSatisfy(\.isOfOnePhone)
    else { return nil }
    (self.interval, self.upTo) = (interval, upTo)
  }
}

extension Event {
  /// Whether its instants differ from phone to phone.
  fileprivate var isOfOnePhone: Bool {
    if case .perDevicePerDay = timing { return true }
    return false
  }
}
