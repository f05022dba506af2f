import Scenario
import SimulationKernel

extension Scenario {
  /// Phones of a pilot, at most, and the fewest that tell anything.
  private static let phonesOfPilot = 16...300
  /// Events of all phones of a pilot, and of all pilots of a scenario, at most, as they are expected.
  private static let eventsOfPilot = 300_000.0
  static let eventsOfPilots = 3_000_000.0
  /// Phones of each cohort from which a pilot learns what widgets ask of their budgets.
  static let phonesOfDemand = 8

  /// This scenario as a pilot lives it, a day of few phones, without limits, outages and what happens once, and the events
  /// that are expected of it; nil where even that is too much.
  var piloted: (scenario: Scenario, events: Double)? {
    var scenario = withoutLimits
    scenario.events = events.filter { if case .perDevicePerDay = $0.timing { true } else { false } }
    scenario.clock = clock.piloted(fromDay: busiestDay)
    (scenario.fleet.growthPerDay, scenario.fleet.dayFactorSigma, scenario.goals) = (nil, nil, [])
    (scenario.run.seed, scenario.run.replications) = (1, 1)
    let perDay = expectedEventsPerDay
    var learning = perDay * Clock.demandSpan.seconds / 86_400 * Double(Self.phonesOfDemand * fleet.cohorts.count)
    // Of very many cohorts, or of phones that are very busy, widgets are new, a day old.
    if scenario.clock.settle == .zero || learning > Self.eventsOfPilot / 2 { learning = 0 }
    if learning == 0 { scenario.clock.takeNewWidgets() }
    let days = (scenario.clock.end - scenario.clock.beginning).seconds / 86_400
    let phones = min(Int((Self.eventsOfPilot - learning) / max(perDay * days, 1)), Self.phonesOfPilot.upperBound)
    guard phones >= min(Self.phonesOfPilot.lowerBound, fleet.devices) else { return nil }
    scenario.run.simulate = .count(min(phones, fleet.devices))
    return (scenario, learning + Double(phones) * perDay * days)
  }

  /// The day of the clock, by the date of its middle in UTC, on which most policies have dates, or the first of several.
  private var busiestDay: Int64 {
    let days = max(clock.duration.milliseconds / TimeAmount.day.milliseconds, 1)
    let noon = LocalTime(unixMilliseconds: clock.startUnixMilliseconds + TimeAmount.day.milliseconds / 2)
    let first = noon.day.weekday.rawValue
    let kinds = kinds.filter { !$0.requests.isEmpty }
    let dates = (0..<min(days, 7)).map { day in
      let weekday = Weekday.allCases[(first + Int(day)) % 7]
      return kinds.reduce(0) { $0 + $1.dates(on: weekday) }
    }
    return Int64(dates.firstIndex(of: dates.max() ?? 0) ?? 0)
  }
}

extension Kind {
  /// Its policies that are in force or have their date on a day of the week.
  fileprivate func dates(on day: Weekday) -> Int {
    let clocks = policies.count { if case .afterClock(_, zone: _, let days) = $0 { days.contains(day) } else { false } }
    return clocks + windows.count { $0.days.contains(day) }
  }
}

extension Clock {
  /// A day of this clock in whole seconds, after a day in which widgets take up their places.
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

  /// Lets the world begin with new widgets, as long before the start.
  fileprivate mutating func takeNewWidgets() { (settle, warmup) = (.zero, settle + warmup) }
}
