import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// What one endpoint's queue was offered and what its capacity made of it, over all replications.
private struct EndpointBackend {
  var name: String
  var number: Int
  /// Requests per second that reached the queue, base load included, by window in ascending order.
  var offered: [Double] = []
  /// By step: requests per second.
  var base: [Double] = []
  var capacities: [Double] = []
  var longestBacklog = 0.0
  var refused = 0.0
  var replications: Int
  var window: LoadWindow

  /// nil without a backend or a window.
  init?(_ source: LoadSource, endpoint: Int) {
    let result = source.report.run
    let stepSeconds = result.scenario.clock.step.seconds
    guard let window = source.drawn, let steps = window.steps(of: result.scenario.clock) else { return nil }
    self.window = window
    name = result.scenario.endpoints[endpoint].name
    number = endpoint
    replications = result.replications.count
    for replication in result.replications {
      let records = replication.load[endpoint].queue
      guard !records.isEmpty else { return nil }
      for index in 0..<records.count / steps {
        let sum = records[index * steps..<(index + 1) * steps].reduce(0) { $0 + $1.reached + $1.base }
        offered.append(sum / window.length.seconds)
      }
      base += records.map { $0.base / stepSeconds }
      capacities += records.map(\.capacity)
      longestBacklog = max(longestBacklog, records.map(\.backlog).max() ?? 0)
      refused += records.reduce(0) { $0 + $1.refused }
    }
    guard !offered.isEmpty else { return nil }
    offered.sort()
  }

  static func all(_ report: ReportContent) -> [EndpointBackend] {
    let source = LoadSource(report)
    return Overload.endpoints(of: report.run.scenario).compactMap { EndpointBackend(source, endpoint: $0) }
  }

  var highest: Double { offered.last ?? 0 }

  /// The lowest and the highest capacity in force.
  var capacityText: String {
    let (low, high) = (capacities.min() ?? 0, capacities.max() ?? 0)
    if low == high { return Self.text(low) }
    return Self.text(low) + " to " + Self.text(high)
  }

  private static func text(_ capacity: Double) -> String {
    capacity.isFinite ? NumberText.text(capacity) : "unlimited"
  }
}

/// What would cover the busiest step of each endpoint that has a capacity.
func offeredSentence(_ report: ReportContent) -> String {
  let backends = EndpointBackend.all(report)
  guard let first = backends.max(by: { $0.highest < $1.highest }), first.highest > 0 else { return "" }
  let hasBase = report.run.scenario.endpoints[first.number].baseLoad != nil
  let row = LoadSource(report).row(.peak, endpoint: first.number)
  // What a sample counts in its busiest window is by chance more than the fleet has.
  let highest = row.flatMap { $0.isEstimate ? $0.value?.approximate : nil } ?? first.highest
  return " At most \(NumberText.text(highest)) requests per second" + BracketText.hull(row)
    + " reach the queue of \(first.name)" + (hasBase ? ", base load included," : "")
    + " beside a capacity of \(first.capacityText)."
}

/// The tables of the endpoints that have a capacity: what they did, and how long each capacity would be exceeded.
func capacityDetails(of report: ReportContent) -> [Markup] {
  let backends = EndpointBackend.all(report)
  guard !backends.isEmpty else { return [] }
  return [endpoints(backends, report).details("Endpoints and their capacity, as numbers")]
    + backends.prefix(6).map { table($0).details("Capacity of \($0.name) and time above it, as numbers") }
}

private func endpoints(_ backends: [EndpointBackend], _ report: ReportContent) -> DataTable {
  let rows = backends.map { backend in
    let base = backend.base.reduce(0, +) / Double(backend.base.count)
    return [
      backend.name, backend.capacityText,
      BracketText.seconds(report.summary.row(.overloadSeconds, .total, Labels().with(\.endpoint, backend.name))),
      Scale(of: report.run).isSample ? NumberText.unknown : NumberText.whole(meanOverload(report, backend.number)),
      NumberText.text(base),
      NumberText.text(backend.base.max()), NumberText.whole(backend.longestBacklog),
      NumberText.whole(backend.refused / Double(backend.replications)),
    ]
  }
  return DataTable(
    caption: "Endpoints with a capacity; requests per second where nothing else is said",
    columns: [
      "Endpoint", "Capacity", "Time above it", "Requests meanwhile", "Base load, mean", "Base load, highest",
      "Longest queue, requests", "Beyond the queue, requests",
    ], rows: rows)
}

private func table(_ backend: EndpointBackend) -> DataTable {
  let curve = DurationCurve(
    rates: backend.offered, windowSeconds: backend.window.length.seconds, replications: backend.replications)
  return curve.table(
    "Time in which more than a capacity reaches the queue of \(backend.name), base load included, if the "
      + "rest stayed as it is; window \(backend.window.name)", share: "of the highest", blank: "\u{A0}")
}
