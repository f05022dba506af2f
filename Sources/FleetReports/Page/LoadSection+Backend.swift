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
      Overload.endpoints(of: scenario).contains(endpoint), let steps = drawn?.steps(of: scenario.clock)
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

  /// Base load at the servers by drawn window, requests per second, the mean over replications; empty without one.
  func base(endpoint: Int?) -> [Double] {
    let scenario = report.run.scenario
    let endpoints = (endpoint.map { [$0] } ?? Array(scenario.endpoints.indices)).filter(scenario.hasServerLoad)
    guard endpoints.contains(where: { scenario.endpoints[$0].baseLoad != nil }), let drawn,
      let steps = drawn.steps(of: scenario.clock)
    else { return [] }
    let parts = report.run.replications.flatMap { replication in endpoints.map { replication.load[$0].queue } }
    let count = (parts.map(\.count).max() ?? 0) / steps
    let seconds = drawn.length.seconds * Double(max(report.run.replications.count, 1))
    return (0..<count).map { window in
      parts.reduce(0.0) { sum, queue in
        let range = window * steps..<min((window + 1) * steps, queue.count)
        return range.reduce(sum) { $0 + queue[$1].base }
      } / seconds
    }
  }

  /// What the phones send by drawn window, requests per second, the mean over replications.
  func edge(endpoint: Int?) -> [Double] {
    guard let drawn else { return [] }
    let loads = report.run.replications.compactMap {
      WindowedLoad($0.stepCounts(endpoint: endpoint), window: drawn, clock: report.run.scenario.clock)
    }
    guard let first = loads.first, let factor = RateFactor(drawn, Scale(of: report.run)) else { return [] }
    return first.counts.indices.map { window in
      factor.rate(of: Double(loads.reduce(0) { $0 + $1.counts[window] }) / Double(loads.count))
    }
  }

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
