import Scenario
import Studies

/// How much capacity is enough?
func capacitySection(of report: ReportContent) -> ReportSection {
  let source = LoadSource(report)
  let figure = source.figure(endpoint: nil)
  let curve = figure.map(DurationCurve.init)
  return ReportSection(
    id: "capacity", short: "Capacity", question: "How much capacity is enough?",
    answer: capacityAnswer(source, curve) + source.finerSentence + offeredSentence(report),
    figures: curve.map { [drawing($0, source)] } ?? [],
    note:
      "Every \(source.drawnText) sorted by its load, the busiest on the left; each step to the left is a tenth of the time. "
      + "A steep start means short peaks: spreading them costs less than building for them.",
    details: (curve.map { [$0.table(source).details("Capacity and time above it, as numbers")] } ?? [])
      + capacityDetails(of: report))
}

/// Rates of all windows of all replications in ascending order, in requests per second of the fleet.
struct DurationCurve {
  var rates: [Double]
  /// The length of a window in seconds.
  var windowSeconds: Double
  var replications: Int

  /// Seconds above a capacity, the mean over replications.
  func secondsAbove(_ capacity: Double) -> Double {
    let above = rates.reversed().prefix { $0 > capacity }.count
    return Double(above) * windowSeconds / Double(max(replications, 1))
  }

  /// Capacities as shares of the highest rate, and the time above each.
  ///
  /// - Parameter blank: between the number and the sign of per cent.
  func table(_ caption: String, share: String, blank: String) -> DataTable {
    let rows = [100, 95, 90, 80, 70, 60, 50, 40, 30, 20, 10].map { percent in
      let capacity = (rates.last ?? 0) * Double(percent) / 100
      return [NumberText.text(capacity), "\(percent)\(blank)%", TimeText.seconds(secondsAbove(capacity))]
    }
    return DataTable(caption: caption, columns: ["Capacity, requests/s", share, "Time above"], rows: rows)
  }
}

extension DurationCurve {
  fileprivate init(_ figure: LoadFigure) {
    let factor = figure.loads.first.flatMap { RateFactor($0.window, figure.scale) }
    rates = SortedCounts(figure.loads.flatMap(\.counts)).ascending.map { factor?.rate(of: Double($0)) ?? 0 }
    windowSeconds = figure.loads.first?.window.length.seconds ?? 0
    replications = figure.loads.count
  }

  fileprivate func table(_ source: LoadSource) -> DataTable {
    table(
      source.title("Time above a capacity")
        + ", all endpoints together, window \(source.drawn?.name ?? NumberText.unknown)"
        + (Scale(of: source.report.run).isSample ? "; of the sample, with its noise" : ""), share: "of the peak",
      blank: " ")
  }
}

private func capacityAnswer(_ source: LoadSource, _ curve: DurationCurve?) -> String {
  guard let curve, let peak = curve.rates.last, peak > 0 else { return "No load, so any capacity is enough." }
  let half = curve.secondsAbove(peak / 2)
  let estimate = source.peakRow.flatMap { $0.isEstimate ? $0.value?.approximate : nil }
  let isMean = !source.finerSentence.isEmpty
  let most = source.title("\(NumberText.text(estimate ?? peak)) requests per second") + BracketText.hull(source.peakRow)
  let rare = BracketText.cell(source.row(.p999))
  return
    (isMean
    ? "The busiest \(source.windowText) carries \(most) on average; one \(source.windowText) in a thousand carries more "
      + "than \(rare). "
    : isFailing(source)
      ? "While requests fail, the busiest \(source.windowText) carries \(most)\(offered(source)); 'widgetfleet capacity' "
        + "finds how much is enough. "
      : "A capacity of \(most) covers every \(source.windowText); \(rare) covers all but one in a thousand. ")
    + "The load is above half the peak for \(TimeText.seconds(half)) out of \(duration(source))."
}

/// `; if every request were answered it would carry 1 665`; empty where that is not known.
private func offered(_ source: LoadSource) -> String {
  OfferedText(report: source.report).different(endpoint: nil, source.window).map {
    "; if every request were answered it would carry \(BracketText.cell($0))"
  } ?? ""
}

/// Whether so many requests fail that with more capacity phones would send others; an outage takes no capacity.
private func isFailing(_ source: LoadSource) -> Bool {
  let (scenario, offered) = (source.report.run.scenario, OfferedText(report: source.report))
  return scenario.endpoints.enumerated().contains { index, endpoint in
    let labels = Labels().with(\.endpoint, endpoint.name)
    let share = source.report.summary.row(.failures, .share, labels)?.value?.approximate
    return endpoint.capacity != nil && (share ?? 0) >= 0.001
      && (offered.isOverloaded(endpoint: index) || offered.different(endpoint: index, source.window) != nil)
  }
}

private func duration(_ source: LoadSource) -> String { TimeText.words(source.report.run.scenario.clock.duration) }

private func drawing(_ curve: DurationCurve, _ source: LoadSource) -> Markup {
  CurveFigure(ascending: curve.rates).markup(
    id: "capacity", title: source.title("Load duration curve") + ", all endpoints",
    description: "Loads from the highest, \(NumberText.text(curve.rates.last)) requests per second, to the lowest, "
      + "\(NumberText.text(curve.rates.first)).")
}
