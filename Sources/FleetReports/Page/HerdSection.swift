import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// Do devices fire together? nil where the time step does not fit into minutes.
func herdSection(of report: ReportContent) -> ReportSection? {
  guard let day = MinutesOfDay(report.run) else { return nil }
  let heat = HeatFigure(cells: day.rates)
  let herds = HerdShares(report)
  let isAnything = heat.highest > 0
  // A map of a few hours has no stripes to see.
  let hours = (0..<24).count { hour in day.rates[hour * 60..<hour * 60 + 60].contains { $0 != nil } }
  let map = hours < 12 ? [] : [drawing(heat, day, report)]
  return ReportSection(
    id: "herd", short: "Together", question: "Do devices fire together?",
    answer: isAnything ? herds.answer(day) + " " + busiest(day, report) : "No request was sent in the measured period.",
    figures: isAnything ? map + (herds.known.isEmpty ? [] : [herds.markup(day)]) : [],
    note: "An upright stripe in the map is a herd: devices that ask at the same minute of every hour. A share says how "
      + "much of the load's variance, from minute to minute, repeats in step with the clock, in the six hours in which "
      + "that share is highest; the rest is the slow rise and fall of the day, and chance. What repeats every 15 minutes repeats every 30 and 60 minutes, too.",
    details: isAnything
      ? [herds.table.details("Shares of the variance, as numbers"), day.table.details("Load by hour, as numbers")] : [],
    saysNothing: map.isEmpty && herds.known.isEmpty)
}

/// Requests per second by minute of the day (UTC), over all endpoints, days and replications.
struct MinutesOfDay {
  /// nil where nothing was measured.
  var rates: [Double?]
  /// What a caption says of a sample, whose busiest minutes are chance, too.
  private var sampleNote: String

  init?(_ result: StoredRun) {
    let clock = result.scenario.clock
    let loads = result.replications.compactMap {
      WindowedLoad($0.stepCounts(endpoint: nil), window: .minute, clock: clock)
    }
    sampleNote = Scale(of: result).isSample ? "; of the sample, with its noise" : ""
    guard let first = loads.first, let factor = RateFactor(.minute, Scale(of: result)) else { return nil }
    let offset = Int(clock.startUnixMilliseconds.floorDivided(by: 60_000) % 1_440) + 1_440
    var sums = Array(repeating: 0.0, count: 1_440)
    var windows = Array(repeating: 0, count: 1_440)
    for load in loads {
      for index in load.counts.indices {
        sums[(index + offset) % 1_440] += Double(load.counts[index])
        windows[(index + offset) % 1_440] += 1
      }
    }
    guard !first.counts.isEmpty else { return nil }
    rates = zip(sums, windows).map { $1 > 0 ? factor.rate(of: $0 / Double($1)) : nil }
  }

  var mean: Double {
    let known = rates.compactMap { $0 }
    return known.reduce(0, +) / Double(max(known.count, 1))
  }

  var busiest: (minute: Int, rate: Double)? {
    rates.indices.compactMap { minute in rates[minute].map { (minute, $0) } }.max { $0.1 < $1.1 }
  }

  static func clock(_ minute: Int) -> String { TimeText.two(minute / 60) + ":" + TimeText.two(minute % 60) }

  var table: DataTable {
    let rows = (0..<24).compactMap { hour -> [String]? in
      let minutes = (hour * 60..<hour * 60 + 60).filter { rates[$0] != nil }
      guard let busiest = minutes.max(by: { (rates[$0] ?? 0) < (rates[$1] ?? 0) }) else { return nil }
      let mean = minutes.reduce(0) { $0 + (rates[$1] ?? 0) } / Double(minutes.count)
      return [
        Self.clock(hour * 60), NumberText.text(mean), NumberText.text(rates[busiest]), Self.clock(busiest),
      ]
    }
    return DataTable(
      caption: "Requests per second by hour of the day, all endpoints" + sampleNote,
      columns: ["Hour (UTC)", "Mean", "Busiest minute", "at"], rows: rows)
  }
}

private func busiest(_ day: MinutesOfDay, _ report: ReportContent) -> String {
  guard let busiest = day.busiest, day.mean > 0 else { return "" }
  let isSample = Scale(of: report.run).isSample
  let averaged = report.run.scenario.clock.duration > .day ? ", on average over the days," : ""
  return
    "The busiest minute of the \(isSample ? "sample's " : "")day, \(MinutesOfDay.clock(busiest.minute))\u{A0}UTC,\(averaged) carries "
    + LoadSource(report).phonesTitle("\(NumberText.text(busiest.rate)) requests per second")
    + ", \(NumberText.text(busiest.rate / day.mean)) times the mean" + (isSample ? ", its noise included." : ".")
}

private func drawing(_ heat: HeatFigure, _ day: MinutesOfDay, _ report: ReportContent) -> Markup {
  heat.markup(
    id: "herd", title: LoadSource(report).phonesTitle("Requests per second") + " by hour and minute, all endpoints",
    description: busiest(day, report),
    legend: [
      ("heat-1", "up to " + NumberText.text(heat.highest / Double(HeatFigure.levels)) + "/s"),
      ("heat-4", NumberText.text(heat.highest / 2) + "/s"), ("heat-8", NumberText.text(heat.highest) + "/s"),
    ])
}

/// A period as its name says it.
private func minutes(_ period: TimeAmount) -> String { "\(period.milliseconds / 60_000)\u{A0}min" }

/// How much of the load's variance repeats, by period.
struct HerdShares {
  /// One period over all endpoints.
  struct Share {
    var period: TimeAmount
    var share: Double
    /// What independent minutes would have.
    var chance: Double
    /// How far the bracket moves the share; empty without one.
    var bracket = ""
  }

  var report: ReportContent
  /// The periods that the measured period holds twice, the shortest first.
  var known: [Share]

  init(_ report: ReportContent) {
    self.report = report
    let result = report.run
    let herd = result.replications.first.flatMap {
      Herd($0.stepCounts(endpoint: nil), clock: result.scenario.clock)
    }
    known = Herd.periods.compactMap { period in
      guard let share = Self.value(period, "", report), let chance = herd?.chance(every: period) else { return nil }
      return Share(
        period: period, share: share, chance: chance,
        bracket: BracketText.hull(Self.row(period, "", report), NumberText.percent))
    }
  }

  private static func value(_ period: TimeAmount, _ endpoint: String, _ report: ReportContent) -> Double? {
    row(period, endpoint, report)?.value?.approximate
  }

  private static func row(_ period: TimeAmount, _ endpoint: String, _ report: ReportContent) -> SummaryRow? {
    report.summary.row(.herd, .share, Labels().with(\.endpoint, endpoint).with(\.period, Herd.name(of: period)))
  }

  /// The shortest period that holds nearly all of what repeats in the longest.
  func answer(_ day: MinutesOfDay) -> String {
    guard let longest = known.last else {
      return "That cannot be said: the load does not vary, or less than two spans of 5 minutes were measured."
    }
    let told = { (share: Share) in
      "\(NumberText.percent(share.share)) of the load's variance\(share.bracket) repeats every \(minutes(share.period))"
    }
    let chance = "chance alone would make it \(NumberText.percent(longest.chance))"
    guard longest.share >= max(0.1, 2 * longest.chance), let shortest = known.first(where: isNearly(longest)) else {
      let isTogether = Crest(nil, of: report.run)?.isTogether ?? false
      return isTogether
        ? "Yes, at single times rather than every hour: the busiest one rises to three times the load before at once."
        : "Hardly in step with the clock: \(told(longest)); \(chance)."
    }
    return (longest.share >= 0.5 ? "Yes: " : "In part: ") + told(shortest) + "; "
      + "chance alone would make it \(NumberText.percent(shortest.chance))."
  }

  private func isNearly(_ longest: Share) -> (Share) -> Bool { { $0.share >= 0.9 * longest.share } }

  func markup(_ day: MinutesOfDay) -> Markup {
    let figure = BarFigure(
      bars: known.map {
        ("every " + minutes($0.period), $0.share, NumberText.percent($0.share), "bar")
      }, whole: 1)
    return figure.markup(
      id: "herd-shares", title: "Share of the load's variance that repeats, all endpoints", description: answer(day))
  }

  var table: DataTable {
    let names = [""] + report.run.scenario.endpoints.map(\.name)
    let rows = names.map { name in
      [name.isEmpty ? "all" : name]
        + Herd.periods.map { NumberText.percent(Self.value($0, name, report)) }
    }
    let chance = Herd.periods.map { period in
      known.first { $0.period == period }.map { NumberText.percent($0.chance) } ?? NumberText.unknown
    }
    return DataTable(
      caption: "Share of the variance of the requests per minute that repeats",
      columns: ["Endpoint"] + Herd.periods.map { "every " + minutes($0) },
      rows: rows + [["by chance alone"] + chance])
  }
}
