import Calibration
import Scenario
import Studies

/// Returns the section that compares the wakes in the log with those in the scenario; `nil` if the log shows neither
/// wakes nor a rhythm.
func wakeSection(_ report: CalibrationReport) -> ReportSection? {
  if let aggregate = report.evidence.aggregate { return rhythmSection(aggregate, report) }
  let kinds = ComparedKind.all(report)
  guard let first = kinds.first else { return nil }
  let others = kinds.dropFirst().map { Markup.details("Wakes of \($0.name)", $0.figures) }
  return ReportSection(
    "calibrate/wakes",
    answer: kinds.map(\.sentence).joined(separator: " "), figures: first.figures,
    note: "A wake is all requests that one phone sends within two seconds. Simulated wakes are evaluated like those in "
      + "the log, so any bias in a statistic affects both."
      + (report.logs.picture.silences.isEmpty
        ? "" : " Hours with a gap in the log show too few wakes."),
    details: others)
}

/// The wakes of one kind of widget, as logged and as simulated.
struct ComparedKind {
  let name: String
  private let number: Int
  private let measured: KindEstimates
  /// The estimates from the simulation; `nil` if the kind was not simulated or caused no wakes.
  private let simulated: KindEstimates?
  private let waits: (measured: WaitingTimes, simulated: WaitingTimes?)

  /// Returns the kinds in the log, sorted by number of waits, largest first.
  static func all(_ report: CalibrationReport) -> [ComparedKind] {
    let simulated = report.resultingLoad?.evidence
    let all = report.evidence.kinds.enumerated().map { place, own in
      ComparedKind(
        name: report.base.kinds[own.kind].name, number: place, measured: own.estimates,
        simulated: simulated?.estimates(of: own.kind))
    }
    return all.sorted { ($1.waits.measured.count, $0.number) < ($0.waits.measured.count, $1.number) }
  }

  init(name: String, number: Int, measured: KindEstimates, simulated: KindEstimates?) {
    self.name = name
    self.number = number
    self.measured = measured
    self.simulated = simulated
    waits = (WaitingTimes(measured.hazard), simulated.map { WaitingTimes($0.hazard) })
  }

  /// A sentence that describes the difference between the logged and the simulated waits.
  var sentence: String {
    let count = "\(NumberText.whole(Double(waits.measured.count))) waits of \(name)"
    guard let median = waits.measured.quantile(0.5) else { return "Too few of the \(count) ended to compare them." }
    let lead = "Half of the \(count) exceed \(TimeText.seconds(median)) in the log"
    guard let other = waits.simulated, let simulatedMedian = other.quantile(0.5),
      let apart = waits.measured.farthest(from: other)
    else { return lead + "." }
    let isSame = apart.distance <= waits.measured.tolerance(for: other)
    return lead + " and \(TimeText.seconds(simulatedMedian)) in the simulation; "
      + (isSame
        ? "they agree to within \(NumberText.percent(apart.distance)) of the waits."
        : "they differ most at \(TimeText.seconds(apart.age)), by \(NumberText.percent(apart.distance)) of the waits.")
  }

  var figures: [Markup] { [hazard, delays, quantiles, heat].compactMap { $0 } }

  private static let legend = [(swatch: "series-0", text: "log"), (swatch: "series-1", text: "simulated")]
  private var legend: [(swatch: String, text: String)] { Array(Self.legend.prefix(simulated == nil ? 1 : 2)) }
  private var suffix: String { ", " + name }

  // MARK: Hazard

  private static func step(_ from: Double, _ to: Double, _ y: Double) -> [Point] {
    [Point(x: from, y: y), Point(x: to, y: y)]
  }

  private static func points(_ curve: HazardCurve) -> [Point] {
    curve.knownRates.flatMap { ages, rate in step(Double(ages.lowerBound), Double(ages.upperBound), 6_000 * rate) }
  }

  private var hazard: Markup? {
    guard let minimum = waits.measured.firstAge else { return nil }
    let curves = [measured, simulated].compactMap { $0 }.enumerated().map { index, estimates in
      Curve(style: "series-\(index)", points: Self.points(estimates.hazard).filter { $0.x >= minimum })
    }
    guard let maximum = curves.flatMap({ $0.points.map(\.x) }).max() else { return nil }
    return Chart(
      curves, across: .spans(over: [minimum, maximum], title: "time since the last wake"),
      unit: "% of waiting phones that wake, per minute"
    ).markup(
      id: "hazard-\(number)", title: "When the next wake comes" + suffix,
      description: "The low plateau is unscheduled runs; the first jump is the interval plus the run duration. "
        + sentence, legend: legend)
  }

  // MARK: Start delays

  private var delays: Markup? {
    guard let own = Self.delayPoints(measured) else { return nil }
    let all = [own] + [simulated.flatMap(Self.delayPoints)].compactMap { $0 }
    let curves = all.enumerated().map { Curve(style: "series-\($0.offset)", points: $0.element) }
    return Chart(
      curves, across: Axis(over: [0] + curves.flatMap { $0.points.map(\.x) }, title: "minutes after a run is due"),
      unit: "% of due runs, per twentieth of the window"
    ).markup(
      id: "delay-\(number)", title: "How late due runs start" + suffix,
      description:
        "The share of runs that start in each twentieth of the start window; the first includes phones "
        + "in use.", legend: legend)
  }

  private static func delayPoints(_ estimates: KindEstimates) -> [Point]? {
    guard let parts = estimates.startDelay?.parts, !parts.isEmpty else { return nil }
    return parts.flatMap { step($0.from, $0.to, $0.share * 100) }
  }

  // MARK: Quantiles

  private var quantiles: Markup? {
    guard let other = waits.simulated else { return nil }
    let points = waits.measured.quantiles(with: other).map { Point(x: $0.own, y: $0.other) }
    guard points.count > 2 else { return nil }
    return Chart.quantiles(points, across: "wait in the log", up: "simulated").markup(
      id: "waits-\(number)", title: "Waits from one wake to the next" + suffix,
      description:
        "Each dot is a percentile of the waits, from 1 % to 99 %: log on the horizontal axis, simulation on the "
        + "vertical. On the dashed line, both are equal.")
  }

  // MARK: Hours

  private var heat: Markup? {
    let rows = measured.wallMarks.heat
    let cells = rows.flatMap { $0.map { Optional(Double($0)) } }
    guard rows.count == 24, cells.contains(where: { ($0 ?? 0) > 0 }) else { return nil }
    return HeatPlot(hours: cells, title: "five-minute slot of the hour, phone time").chart.markup(
      id: "heat-\(number)", title: "When phones woke, in local time" + suffix, description: heatText,
      legend: [("heat-1", "few wakes"), ("heat-8", "most")])
  }

  private var heatText: String {
    let sums = measured.wallMarks.wakesByHour
    guard let busiest = sums.indices.max(by: { sums[$0] < sums[$1] }) else { return "" }
    let marks = measured.wallMarks.period.map { "Runs come at fixed clock times, every \($0) minutes." }
    return "The busiest hour starts at \(TimeText.two(busiest)):00. "
      + (marks ?? "Runs do not come at fixed clock times.")
  }
}

/// Returns the section on the rhythm of the load, which is determined from lines without a sender ID.
private func rhythmSection(_ aggregate: AggregateEstimates, _ report: CalibrationReport) -> ReportSection? {
  let points = aggregate.spectrum.filter { $0.frequency > 0 }.sorted { $0.frequency > $1.frequency }
  guard let first = points.first, let last = points.last else { return nil }
  let curves = [\AggregateEstimates.Point.power, \.fitted].enumerated().map { index, value in
    Curve(
      style: "series-\(index)",
      points: points.map { Point(x: $0.period, y: $0[keyPath: value]) })
  }
  let answer =
    aggregate.interval.value.map {
      "The rhythm of the load shows that phones wake \(TimeText.seconds($0)) plus a start delay after their last "
        + "wake: the best fit peaks at \(NumberText.text(aggregate.peak)) times its floor."
    } ?? "The load has no rhythm beyond chance, so the wakes are unknown."
  return ReportSection(
    "calibrate/wakes", answer: answer,
    figures: [
      Chart(
        curves, across: .spans(over: [first.period, last.period], title: "period"),
        unit: "power relative to chance"
      ).markup(
        id: "spectrum", title: "Rhythm of the load",
        description: "Phones that keep their interval cause waves in the load even though their phases differ: "
          + answer, legend: [("series-0", "log"), ("series-1", "best fit")])
    ], note: "Without ids, one phone's wakes cannot be distinguished from another's; only the load's spectrum is known."
  )
}
