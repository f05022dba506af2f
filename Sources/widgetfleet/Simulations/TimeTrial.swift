import FleetEngine
import Scenario
import SimulationKernel

/// A scenario as the forecast of its time simulates it: without growth, and with few expected events.
struct TimeTrial {
  private(set) var scenario: Scenario
  /// Phones of the smaller and of the larger run.
  let few: Int
  let more: Int
  /// Phones of each cohort from which budgets are learned.
  let phonesOfDemand: Int
  /// The scenario's clock as a multiple of the trial's.
  private(set) var stretch = 1.0
  /// The phones from which the scenario learns, as a multiple of the trial's.
  let learning: Double
  /// Expected events of a phone.
  private let events: Double

  /// Expected events and steps of a run for the forecast.
  private static let mostExpected = 3_000_000.0
  /// Expected events of the run on all threads.
  private static let mostExpectedOfAll = 30_000_000.0
  /// Events and steps after which any of them ends, however wrong the expectation is.
  static let mostEvents: Int64 = 60_000_000
  private static let phones = 64...1_024

  /// - Parameter usual: phones of each cohort from which the scenario learns.
  init(of whole: Scenario, learningFrom usual: Int) {
    scenario = whole
    scenario.fleet.growthPerDay = nil
    scenario.run.replications = 1
    let perDay = PhoneEvents.perDay(of: whole)
    let ofDemand = perDay * Clock.demandSpan.seconds / 86_400 * Double(whole.fleet.cohorts.count)
    phonesOfDemand = max(1, min(usual, Int(Self.mostExpected / ofDemand)))
    learning = Double(usual) / Double(phonesOfDemand)
    let span = whole.clock.end - whole.clock.beginning
    let (ofPhone, steps) = (perDay * span.seconds / 86_400, span.seconds / whole.clock.step.seconds)
    more = max(Self.phones.lowerBound, min(Self.phones.upperBound, Int((Self.mostExpected - steps) / ofPhone)))
    few = more / 16
    let expected = ofPhone * Double(more) + steps
    events = ofPhone * min(1, Self.mostExpected / expected)
    if expected > Self.mostExpected { shorten(by: Self.mostExpected / expected) }
  }

  /// A clock of whole steps, without what happens once.
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

  /// The most phones of a run on all threads.
  var most: Int { Int(Self.mostExpectedOfAll / max(events, 1)) }

  /// The trial with so many phones.
  func scenario(_ devices: Int) -> Scenario {
    var small = scenario
    small.run.simulate = .count(devices)
    return small
  }
}
