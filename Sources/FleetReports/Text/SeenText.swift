import Scenario
import SimulationKernel
import Studies

/// By when most phones have seen what an event pushed (MODEL.md 8.4).
struct SeenText {
  let event: Event
  private let report: ReportContent

  /// The push events of a report that have a start.
  static func all(_ report: ReportContent) -> [SeenText] {
    report.run.scenario.events.filter(\.isStartedPush).map { SeenText(event: $0, report: report) }
  }

  private init(event: Event, report: ReportContent) {
    self.event = event
    self.report = report
  }

  var labels: Labels { Labels().with(\.event, event.name) }

  /// From the event's start until 90 % of the phones have seen it; `nil` if it came to no phone.
  var most: SummaryRow? {
    share == nil ? nil : report.summary.row(.eventToView, .p90, labels)
  }

  /// The share of the phones that have seen it by the end of the clock.
  private var share: Double? { report.summary.value(.eventToView, .share, labels) }

  /// `90 % of the phones have seen 'news' by 22:15 in Berlin, 45 min after its start.`; empty if it came to no phone.
  var sentence: String {
    guard let most, let share else { return "" }
    guard let seconds = most.value?.approximate, let time = time(after: seconds) else {
      return "Fewer than 90\u{A0}% of the phones see '\(event.name)' within the measured period: "
        + "\(NumberText.percent(share))."
    }
    return "90\u{A0}% of the phones have seen '\(event.name)' by \(time), \(TimeText.seconds(seconds)) after its start"
      + BracketText.hull(most, TimeText.seconds) + "."
  }

  /// What the fleet's clock shows so many seconds after the event's start, rounded up to a minute: `22:15 in Berlin`.
  func time(after seconds: Double) -> String? {
    let span = TimeAmount.milliseconds(Int64((seconds * 1_000).rounded()))
    switch event.timing {
    case .once(let instant):
      let clock = report.run.scenario.clock
      let unix = wholeMinute(clock.startUnixMilliseconds + (instant + span).millisecondsSinceStart)
      return FleetZone.spoken(
        Instant(millisecondsSinceStart: unix - clock.startUnixMilliseconds), report.zones, clock)
    case .daily(let time, let zone):
      let minutes = wholeMinute((time.sinceMidnight + span).milliseconds) / 60_000
      let shown = TimeText.clock(hour: Double(minutes % 1_440) / 60)
      return shown + place(zone) + (minutes >= 1_440 ? " on the day after" : "")
    case .perDevicePerDay: return nil
    }
  }

  /// The first whole minute that is not before so many milliseconds.
  private func wholeMinute(_ milliseconds: Int64) -> Int64 { -(-milliseconds).floorDivided(by: 60_000) * 60_000 }

  private func place(_ zone: ZoneChoice) -> String {
    switch zone {
    case .local: " by the phone's clock"
    case .named("UTC"): "\u{A0}UTC"
    case .named(let name): " in " + FleetZone.city(of: name)
    }
  }
}
