import Scenario
import SimulationKernel

/// A scenario reduced to one day of a few phones for a pilot, without limits, outages or one-off events.
struct PilotTrial {
  /// The minimum and maximum number of phones in a pilot.
  private static let phones = 16...300
  /// The maximum number of expected events of all phones in a pilot. A separate limit applies to all pilots of a
  /// scenario.
  private static let maxEvents = 300_000.0
  static let maxEventsOfAll = 3_000_000.0
  /// The number of events after which a pilot is stopped without a result, regardless of the number expected.
  static let maxEventsOfOne: Int64 = 6_000_000
  /// The number of phones per cohort that a pilot uses to estimate the demand on budgets.
  static let phonesOfDemand = 8

  private(set) var scenario: Scenario
  /// The number of events expected in the pilot.
  let events: Double

  /// Creates the trial; `nil` if too many events are expected even with the smallest number of phones.
  init?(of whole: Scenario) {
    scenario = whole.withoutLimits
    scenario.events = whole.events.filter { if case .perDevicePerDay = $0.timing { true } else { false } }
    scenario.clock = whole.clock.piloted(fromDay: Self.busiestDay(of: whole))
    (scenario.fleet.growthPerDay, scenario.fleet.dayFactorSigma, scenario.goals) = (nil, nil, [])
    (scenario.run.seed, scenario.run.replications) = (1, 1)
    let (perDay, fleet) = (PhoneEvents.perDay(of: whole), whole.fleet)
    var learning = perDay * Clock.demandSpan.seconds / 86_400 * Double(Self.phonesOfDemand * fleet.cohorts.count)
    // If there are very many cohorts or the phones are very busy, widgets settle for only one day before the pilot's
    // day.
    if scenario.clock.settle == .zero || learning > Self.maxEvents / 2 { learning = 0 }
    if learning == 0 { scenario.clock.takeNewWidgets() }
    let days = (scenario.clock.end - scenario.clock.beginning).seconds / 86_400
    let count = min(Int((Self.maxEvents - learning) / max(perDay * days, 1)), Self.phones.upperBound)
    guard count >= min(Self.phones.lowerBound, fleet.devices) else { return nil }
    scenario.run.simulate = .count(min(count, fleet.devices))
    events = learning + Double(count) * perDay * days
  }

  /// Returns the day of the clock with the most policy dates (the first one if several tie). Its weekday is that of
  /// noon in UTC.
  private static func busiestDay(of scenario: Scenario) -> Int64 {
    let clock = scenario.clock
    let days = max(clock.duration.milliseconds / TimeAmount.day.milliseconds, 1)
    let noon = LocalTime(unixMilliseconds: clock.startUnixMilliseconds + TimeAmount.day.milliseconds / 2)
    let first = noon.day.weekday.rawValue
    let kinds = scenario.kinds.filter { !$0.requests.isEmpty }
    let dates = (0..<min(days, 7)).map { day in
      let weekday = Weekday.allCases[(first + Int(day)) % 7]
      return kinds.reduce(0) { $0 + $1.dates(on: weekday) }
    }
    return Int64(dates.firstIndex(of: dates.max() ?? 0) ?? 0)
  }
}

extension Kind {
  /// Returns the number of the kind's policies and windows that apply on a weekday.
  fileprivate func dates(on day: Weekday) -> Int {
    let clocks = policies.count { policy in
      switch policy {
      case .afterClock(_, zone: _, let days): days.contains(day)
      case .earliest(let date):
        date.rules.contains { if case .clock(_, zone: _, let days) = $0 { days.contains(day) } else { false } }
      default: false
      }
    }
    return clocks + windows.count { $0.time.days.contains(day) }
  }
}

extension Clock {
  /// Returns a clock that covers one day of this clock in whole seconds, after a day in which widgets settle.
  fileprivate func piloted(fromDay day: Int64) -> Clock {
    let (second, whole) = (TimeAmount.second, TimeAmount.day)
    let length = min(duration - whole * day, whole)
    var clock = self
    clock.startUnixMilliseconds += day * whole.milliseconds
    clock.duration = max(second * (length.milliseconds / 1_000), second)
    clock.step = second
    let before = min(settle + warmup + whole * day, whole)
    clock.settle = settle > .zero ? whole : .zero
    clock.warmup = settle > .zero ? .zero : second * (before.milliseconds / 1_000)
    return clock
  }

  /// Converts the settling period to additional warm-up, so that the simulation starts with new widgets.
  fileprivate mutating func takeNewWidgets() { (settle, warmup) = (.zero, settle + warmup) }
}
