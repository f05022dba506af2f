import FleetEngine
import Scenario
import SimulationKernel
import Studies

extension LoadSource {
  /// The entries of a legend that explain what lies below and behind a load.
  func layerLegend(_ figure: LoadFigure, endpoint: Int?) -> [(swatch: String, text: String)] {
    var entries: [(swatch: String, text: String)] = []
    if !figure.base.isEmpty { entries += [("base-load", "base load"), ("fleet-load", "the phones on top of it")] }
    if let most = figure.edge.max(), most > 0 {
      let words = LoadPlace.phones.words(report.run.scenario, endpoint: endpoint)
      let rest = figure.showsEdge ? "" : ", up to \(NumberText.text(most))/s, above the figure"
      entries.append(("edge-load", words + rest))
    }
    return entries
  }

  /// A noun with the place where the phones' requests arrive.
  func phonesTitle(_ noun: String) -> String { title(noun, endpoint: nil, places(endpoint: nil).last) }

  /// `, of a capacity of 2 500`, where all load meets one capacity.
  var capacityWords: String {
    let scenario = report.run.scenario
    let capacity = LoadPlace.first(scenario, endpoint: nil).capacity(scenario, endpoint: nil)
    return capacity.map { ", of a capacity of \(NumberText.text($0))" } ?? ""
  }
}

/// The entry of a legend that says whose peak the dot is, where a sample is drawn.
func peakLegend(_ figure: LoadFigure) -> [(swatch: String, text: String)] {
  guard let peak = figure.estimate else { return [] }
  let window = TimeText.span(peak.window.length)
  return [("peak-interval", "the fleet's peak over \(window), estimated, 95 % interval \(peak.interval.words())")]
}

/// The entries of a legend that explain capacity and events.
func roomLegend(_ figure: LoadFigure) -> [(swatch: String, text: String)] {
  var entries: [(swatch: String, text: String)] = []
  if let least = figure.room.min(), least.isFinite {
    entries.append(
      figure.showsRoom
        ? ("capacity", "capacity") : ("capacity", "capacity: \(NumberText.text(least))/s and more, above the figure"))
  }
  if figure.marks.contains(where: { $0.to > $0.from }) { entries.append(("spell", "an event that lasts")) }
  return entries
}

/// How long endpoints are above their capacity; empty where none has any.
func overloadSentence(_ report: ReportContent) -> String {
  let names = Overload.endpoints(of: report.run.scenario).map { report.run.scenario.endpoints[$0].name }
  if let row = report.summary.row(.overloadSeconds, .total), !row.isResolved, let interval = row.estimatedInterval {
    return " How long endpoints are above their capacity is not resolved by the sample: between "
      + "\(TimeText.seconds(interval.low)) and \(TimeText.seconds(interval.high)), as far as it tells."
  }
  let rows = names.compactMap { report.summary.row(.overloadSeconds, .total, Labels().with(\.endpoint, $0)) }
  let seconds = { (row: SummaryRow) in row.value?.approximate ?? 0 }
  guard let worst = rows.max(by: { seconds($0) < seconds($1) }) else { return "" }
  guard seconds(worst) > 0 else {
    return rows.count == 1
      ? " Endpoint \(worst.labels.endpoint) is never above its capacity." : " No endpoint is ever above its capacity."
  }
  let sentence =
    " Endpoint \(worst.labels.endpoint) is above its capacity for \(BracketText.seconds(worst))"
    + (report.run.replications.count > 1 ? " on average" : "")
  // The seconds in which a sample is above it are more than the fleet's, by chance.
  guard let requests = report.summary.value(.overloadRequests, .total, worst.labels) else { return sentence + "." }
  return sentence + "; the phones send \(NumberText.whole(requests)) requests meanwhile."
}

/// How to read what marks events; empty where there are none.
func eventNote(_ report: ReportContent) -> String {
  EventMark.all(report.run).isEmpty
    ? "" : " Dotted upright lines are events, a shade is as long as the event lasts."
}

/// What the busiest minute is made of.
func busiestMinute(_ source: LoadSource) -> FigureList {
  FigureList(
    source.phonesTitle("Requests") + " of the busiest minute by cause",
    Cause.allCases.map { $0.column(.busiestMinute) })
}
