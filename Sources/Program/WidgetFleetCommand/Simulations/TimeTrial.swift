import FleetEngine
import Scenario
import SimulationKernel

/// A shortened scenario that is simulated to forecast the duration of a run. The fleet does not grow, and the expected
/// number of events is limited.
struct TimeTrial {
  private(set) var scenario: Scenario
  /// The number of phones in the smaller run, followed by the number in the larger run.
  let few: Int
  let more: Int
  /// The number of phones per cohort used to estimate the demand on refresh budgets.
  let phonesOfDemand: Int
  /// The ratio between the length of the scenario's clock and that of the trial's clock.
  private(set) var stretch = 1.0
  /// The ratio between the numbers of phones used to estimate demand in the scenario and in the trial.
  let learning: Double
  /// The expected number of events per phone.
  private let events: Double

  /// The maximum expected number of events and steps in a forecast run.
  private static let maxExpected = 3_000_000.0
  /// The maximum expected number of events in the run on all threads.
  private static let maxExpectedOfAll = 30_000_000.0
  /// The maximum number of events and steps in each run. It limits the duration of a run if there are far more events
  /// than expected.
  static let maxEvents: Int64 = 60_000_000
  private static let phones = 64...1_024

  /// - Parameter usual: the number of phones per cohort from which the scenario estimates demand.
  init(of whole: Scenario, learningFrom usual: Int) {
    scenario = whole
    scenario.fleet.growthPerDay = nil
    scenario.run.replications = 1
    let perDay = PhoneEvents.perDay(of: whole)
    let ofDemand = perDay * Clock.demandSpan.seconds / 86_400 * Double(whole.fleet.cohorts.count)
    phonesOfDemand = max(1, min(usual, Int(Self.maxExpected / ofDemand)))
    learning = Double(usual) / Double(phonesOfDemand)
    let span = whole.clock.end - whole.clock.beginning
    let (ofPhone, steps) = (perDay * span.seconds / 86_400, span.seconds / whole.clock.step.seconds)
    more = max(Self.phones.lowerBound, min(Self.phones.upperBound, Int((Self.maxExpected - steps) / ofPhone)))
    few = more / 16
    let expected = ofPhone * Double(more) + steps
    events = ofPhone * min(1, Self.maxExpected / expected)
    if expected > Self.maxExpected { shorten(by: Self.maxExpected / expected) }
  }

  /// Shortens the clock to a whole number of steps, and omits one-time events.
  private mutating func shorten(by share: Double) {
    let clock = scenario.clock
    let shortened = { (span: TimeAmount) in
      let steps = Int64(Double(span.milliseconds / clock.step.milliseconds) * share)
      return clock.step * (span > .zero ? max(steps, 1) : 0)
    }
    scenario.clock.settle = shortened(clock.settle)
    scenario.clock.warmup = shortened(clock.warmup)
    scenario.clock.duration = shortened(clock.duration)
    scenario.events.removeAll { if case .once = $0.timing { true } else { false } }
    stretch = (clock.end - clock.beginning).seconds / (scenario.clock.end - scenario.clock.beginning).seconds
  }

  /// The maximum number of phones in the run on all threads.
  var maximum: Int { Int(Self.maxExpectedOfAll / max(events, 1)) }

  /// Returns the scenario of the trial with a given number of phones.
  func scenario(_ devices: Int) -> Scenario {
    var small = scenario
    small.run.simulate = .count(devices)
    return small
  }
}
