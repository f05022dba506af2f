import FleetEngine
import Scenario
import SimulationKernel
import Studies

extension LoadSource {
  /// Requests per second that the servers of an endpoint, or of the only one, have room for, by window: the least of all
  /// replications; empty where nothing limits them.
  func room(endpoint: Int?) -> [Double] {
    let scenario = report.run.scenario
    guard let endpoint = endpoint ?? (scenario.endpoints.count == 1 ? 0 : nil),
      Overload.endpoints(of: scenario).contains(endpoint), let steps = window?.steps(of: scenario.clock)
    else { return [] }
    var least: [Double] = []
    for replication in report.run.replications {
      let queue = replication.load[endpoint].queue
      guard !queue.isEmpty else { return [] }
      let rooms = queue.map { $0.room / scenario.clock.step.seconds }
      let windows = (0..<rooms.count / steps).map { index in
        rooms[index * steps..<(index + 1) * steps].min() ?? .infinity
      }
      least = least.isEmpty ? windows : zip(least, windows).map { min($0, $1) }
    }
    return least
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
  let endpoints = Overload.endpoints(of: report.run.scenario)
  let parts = endpoints.compactMap { endpoint -> (name: String, seconds: Double, requests: Double)? in
    let name = report.run.scenario.endpoints[endpoint].name
    let seconds = report.summary.value(.overloadSeconds, .total, Labels().with(\.endpoint, name))
    return seconds.map { (name, $0, meanOverload(report, endpoint)) }
  }
  if let row = report.summary.row(.overloadSeconds, .total), !row.isResolved, let interval = row.estimatedInterval {
    return " How long endpoints are above their capacity is not resolved by the sample: between "
      + "\(TimeText.seconds(interval.low)) and \(TimeText.seconds(interval.high)), as far as it tells."
  }
  guard let worst = parts.max(by: { $0.seconds < $1.seconds }) else { return "" }
  guard worst.seconds > 0 else {
    return parts.count == 1
      ? " Endpoint \(worst.name) is never above its capacity." : " No endpoint is ever above its capacity."
  }
  let isApart = LoadPlace.first(report.run.scenario, endpoint: nil) == .servers
  let row = report.summary.row(.overloadSeconds, .total, Labels().with(\.endpoint, worst.name))
  let sentence =
    " Endpoint \(worst.name) is above its capacity for \(BracketText.seconds(row))"
    + (report.run.replications.count > 1 ? " on average" : "")
  // The seconds in which a sample is above it are more than the fleet's, by chance.
  guard !Scale(of: report.run).isSample else { return sentence + "." }
  return sentence
    + (isApart
      ? "; the phones send \(NumberText.whole(worst.requests)) requests meanwhile."
      : "; \(NumberText.whole(worst.requests)) requests arrive meanwhile.")
}

/// Requests of the devices in the steps above the capacity, the mean over replications.
func meanOverload(_ report: ReportContent, _ endpoint: Int) -> Double {
  let scale = Scale(of: report.run)
  let arrivals = report.run.replications.reduce(0.0) { sum, replication in
    let load = replication.load[endpoint]
    return sum + zip(load.arrivals, load.queue).reduce(0.0) { $0 + ($1.1.isOverloaded ? Double($1.0) : 0) }
  }
  let fleet = arrivals * Double(scale.fleet) / Double(max(scale.simulated, 1))
  return fleet / Double(max(report.run.replications.count, 1))
}

/// How to read what marks events; empty where there are none.
func eventNote(_ report: ReportContent) -> String {
  EventMark.all(report.run).isEmpty
    ? "" : " Dotted upright lines are events, a shade is as long as the event lasts."
}

/// What the busiest minute is made of; nil without requests.
func peakTable(_ report: ReportContent) -> DataTable? {
  guard let peak = PeakMinute(report.run) else { return nil }
  let scale = Scale(of: report.run)
  let start = UTCTime(peak.start, of: report.run.scenario.clock)
  return DataTable(
    caption: LoadSource(report).phonesTitle("Requests") + " of the busiest minute, \(start.full), by cause",
    columns: ["Cause", "Meaning"] + (scale.isSample ? ["Share"] : ["Requests", "Share"]),
    rows: peak.causes.map { cause, requests in
      // A sample's busiest minute is no estimate of the fleet's; what it is made of is.
      [cause.name, cause.description]
        + (scale.isSample ? [] : [NumberText.text(scale.fleetCount(Int128(requests))?.approximate)])
        + [NumberText.percent(Double(requests) / Double(peak.requests))]
    }, textColumns: 2)
}
