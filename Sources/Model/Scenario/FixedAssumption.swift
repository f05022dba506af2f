package import SimulationKernel

/// An assumption of the model that no scenario key can change, in a form for display.
package struct FixedAssumption: Sendable {
  /// The strength of the evidence for an assumption, as marked in Docs/MODEL.md.
  package enum Evidence: Sendable {
    case documented, inWords, measured, assumed
  }

  package enum Quantity: Sendable {
    case span(TimeAmount)
    /// A time since local midnight.
    case time(TimeAmount)
    case microwatts(Int64)
    case percent(Int64)
    case number(Double)
  }

  package var name: String
  /// The text of the assumption, in which `{}` is a placeholder for each value.
  package var form: String
  package var quantities: [Quantity]
  package var evidence: Evidence
  package var source: String
  /// The section of Docs/MODEL.md that contains the assumption.
  package var section: String
  /// The unchanged text of the section.
  package var words: String

  private typealias Model = ModelConstants

  package static let all = looks + batteries + scheduler + processors

  private static let looks = [
    FixedAssumption(
      name: "Minimum time between two counted views", form: "{}",
      quantities: [.span(.milliseconds(Model.viewGapMilliseconds))],
      evidence: .assumed, source: "no published measurement", section: "2.4",
      words: "A view less than 5 s after the last"),
    FixedAssumption(
      name: "Rarely viewed", form: "fewer than {} views a day", quantities: [.number(Double(Model.rareViewsPerDay))],
      evidence: .inWords, source: "WWDC21 10048 mentions rarely viewed widgets but gives no number", section: "4.2",
      words: "below 10 a day"),
  ]

  private static let batteries = [
    FixedAssumption(
      name: "Phone in standby", form: "{}", quantities: [.microwatts(Model.standbyMicrowatts)], evidence: .assumed,
      source: "typical of published standby times", section: "3.2", words: "floor 25 mW"),
    FixedAssumption(
      name: "Added during a session", form: "{}", quantities: [.microwatts(Model.sessionMicrowatts)],
      evidence: .assumed, source: "typical of published screen-on times", section: "3.2", words: "1.5 W in sessions"),
    FixedAssumption(
      name: "Charger", form: "{}", quantities: [.microwatts(Model.chargerMicrowatts)], evidence: .assumed,
      source: "a typical adapter", section: "3.2", words: "Charging 15 W"),
    FixedAssumption(
      name: "Plugged in at night", form: "at {}, standard deviation {}",
      quantities: [.time(Model.plug.mean), .span(Model.plug.deviation)], evidence: .assumed,
      source: "no published measurement", section: "3.2", words: "plug Normal(23:00,\n    75 min)"),
    FixedAssumption(
      name: "Unplugged in the morning", form: "at {}, standard deviation {}",
      quantities: [.time(Model.unplug.mean), .span(Model.unplug.deviation)], evidence: .assumed,
      source: "no published measurement", section: "3.2", words: "unplug Normal(07:00, 60 min)"),
    FixedAssumption(
      name: "Charging by day", form: "starts below {} with probability {}, ends at {}",
      quantities: [.percent(Model.topUpBelow), .percent(Model.topUpChance), .percent(Model.chargedAt)],
      evidence: .assumed, source: "no published measurement", section: "3.2",
      words: "below 15 % after being above, a\n    charge to 80 % starts with probability 0.5"),
    FixedAssumption(
      name: "Low Power Mode", form: "offered below {}, off at {}",
      quantities: [.percent(Model.lowPowerBelow), .percent(Model.chargedAt)], evidence: .documented,
      source: "Apple: iOS offers it at 20 % and turns it off at 80 %", section: "3.2",
      words: "below 20 % after being above, Low Power Mode with probability 30 %, off at 80 %"),
  ]

  private static let scheduler = [
    FixedAssumption(
      name: "A tap's requests end", form: "within {}", quantities: [.span(Model.actionTimeout)],
      evidence: .documented, source: "Apple: an intent in the background has about 30 seconds", section: "2.6",
      words: "failed after\n    at most 30 s"),
    FixedAssumption(
      name: "Refreshes after a system change", form: "within {}", quantities: [.span(Model.systemSpread)],
      evidence: .assumed, source: "Apple gives no distribution", section: "4.2", words: "after U(0, 60 s)"),
    FixedAssumption(
      name: "Silent pushes counted", form: "over {}", quantities: [.span(Model.silentPushWindow)],
      evidence: .documented, source: "Apple: no more than two or three an hour", section: "4.2",
      words: "delivered in any 60 min"),
    FixedAssumption(
      name: "Random part of a wait in Low Power Mode", form: "up to {} less",
      quantities: [.percent(Model.lowPowerVariation)], evidence: .assumed,
      source: "no number is documented", section: "4.5", words: "low_power_wait x (0.9 + 0.1 U)"),
    FixedAssumption(
      name: "Budget accrual steps",
      form: "every {}, {} a day outside the user's night of {} h, usually from {}, or all {}",
      quantities: [
        .span(.milliseconds(Model.accrualStepMilliseconds)), .number(Double(Model.awakeAccruals)),
        .number(Double(Model.nightHours)), .time(.hours(Int64(Model.usualNightHour))),
        .number(Double(Model.accrualsPerDay)),
      ],
      evidence: .assumed,
      source: "WWDC21 10048: accumulated through the day", section: "4.7",
      words:
        "accrual every 15 min at the local quarter\n    hours **plus a per-device offset U(0, 15 min)**, `awake` (default): the 64 quarters"
    ),
    FixedAssumption(
      name: "Budget by views", form: "one refresh per view up to {} views a day, then a slower rise with scale {}",
      quantities: [.number(Model.viewsOneToOne), .number(Model.viewsScale)], evidence: .assumed,
      source: "Apple: the budget depends on how often and when a widget is seen", section: "4.7",
      words: "min(v, 30) up to 30, then 30 + (cap - 30)(1 - exp(-(v-30)/40))"),
    FixedAssumption(
      name: "Default for a missing Retry-After", form: "{}", quantities: [.span(Model.retryAfter)],
      evidence: .assumed, source: "the app's own code decides", section: "5.5", words: "15 min\n    where there is none"
    ),
  ]

  private static let processors = [
    FixedAssumption(
      name: "Processor running a widget", form: "{}", quantities: [.microwatts(Model.processorMicrowatts)],
      evidence: .assumed, source: "between a core's idle and peak power; not published for widgets", section: "7.2",
      words: "cpu seconds x 0.6 W"),
    FixedAssumption(
      name: "Processor waiting for answers", form: "{}, shared by the waiting refreshes",
      quantities: [.microwatts(Model.waitingMicrowatts)], evidence: .assumed,
      source: "not published; charged to the user while the screen is on", section: "7.2",
      words: "waiting for answers 0.15 W"),
  ]
}
