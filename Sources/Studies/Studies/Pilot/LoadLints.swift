package import Scenario
import SimulationKernel

/// Warnings, based on pilots, about dates that make phones send requests simultaneously and about servers whose mean
/// load exceeds their capacity (MODEL.md 8.5).
package struct LoadLints {
  let scenario: Scenario
  private var runs: PilotRuns

  /// The maximum number of kinds for which pilots are run.
  private static let maxKinds = 4
  /// The smallest number of simultaneous requests that is considered a herd.
  private static let fewestTogether = 60.0
  /// The smallest ratio of a herd's plateau without jitter to the mean load.
  private static let crest = 2.0
  /// The fraction of a plateau below which a kind is ignored. It is also the minimum fraction by which spreading must
  /// lower a peak.
  private static let minPart = 0.05

  /// - Parameter zones: a function that returns the tables of all zones in a scenario.
  package static func all(of scenario: Scenario, zones: @escaping (Scenario) -> [String: ZoneTable]) -> [Lint] {
    let dated = scenario.datedKinds
    guard !dated.isEmpty || scenario.endpoints.contains(where: { $0.largestCapacity != nil }) else { return [] }
    var lints = LoadLints(scenario: scenario, runs: PilotRuns(zones: zones))
    var found: [Lint] = []
    for kind in dated.prefix(maxKinds) { found += lints.dateLints(kind) }
    for endpoint in scenario.endpoints.indices { found += lints.meanLints(endpoint) }
    return found
  }

  // MARK: Loads

  /// Returns the load at an endpoint's servers for a scenario or a variant of it.
  mutating func load(_ scenario: Scenario, _ endpoint: Int, _ window: LoadWindow = .second) -> PilotLoad? {
    runs.pilot(of: scenario)?.load(endpoint, window)
  }

  /// Returns the loads for the scenario's system constants and for those of the preset `prompt`.
  private mutating func ends(_ scenario: Scenario, _ endpoint: Int) -> LoadEnds? {
    guard let own = load(scenario, endpoint), let prompt = load(scenario.under(.prompt), endpoint) else { return nil }
    return LoadEnds(own: own, prompt: prompt)
  }

  /// Returns whether an endpoint's servers can serve the load, given both the scenario's constants and the preset
  /// `prompt`.
  mutating func fits(_ scenario: Scenario, _ endpoint: Int) -> Bool {
    let capacity = scenario.endpoints[endpoint].largestCapacity ?? .infinity
    return [scenario.under(.prompt), scenario].allSatisfy { load($0, endpoint)?.fits(capacity) == true }
  }

  /// The scenario with each shared date spread over its period, so that there are no herds.
  var spread: Scenario {
    scenario.datedKinds.reduce(into: scenario) { spread, kind in
      guard let period = spread.kinds[kind].shortestPeriod, period > spread.kinds[kind].jitter?.upTo ?? .zero else {
        return
      }
      spread = Remedy.jitter(kinds: [kind], upTo: period).applied(to: spread)
    }
  }

  /// Returns the scenario with requests to an endpoint from only one kind.
  func asking(_ kind: Int, _ endpoint: Int) -> Scenario {
    var alone = scenario
    for other in alone.kinds.indices where other != kind {
      alone.kinds[other].requests.removeAll { $0.endpoint == endpoint }
    }
    return alone
  }

  /// Returns the number of requests from a kind to an endpoint in a pilot.
  mutating func requests(of kind: Int, _ endpoint: Int) -> Int64 {
    runs.pilot(of: scenario)?.requests(of: kind, endpoint) ?? 0
  }

  // MARK: Dates

  /// Returns a lint about clock-aligned dates.
  ///
  /// Dates without jitter are reported if they cause a plateau above twice the mean (Apple, WWDC21 session 10048 at 766
  /// s: add jitter to dates that devices share). Dates with jitter are reported if the load exceeds what the servers
  /// can serve.
  private mutating func dateLints(_ kind: Int) -> [Lint] {
    guard let date = SharedDate(kind, of: scenario), let endpoint = worstEndpoint(of: kind),
      let loads = ends(scenario, endpoint), let alone = ends(asking(kind, endpoint), endpoint)
    else { return [] }
    let capacity = scenario.endpoints[endpoint].largestCapacity
    let isTooMuch = capacity.map { self.isTooMuch(loads, alone, endpoint, $0) } ?? false
    guard isTooMuch || isHerd(kind, date, alone, endpoint) && capacity.map(loads.fit) != true else { return [] }
    let shown = capacity == nil ? alone : loads
    let jitter = scenario.kinds[kind].jitter?.upTo ?? .zero
    let spread = jitter > .zero ? ", spread over \(LintText.span(jitter))" : " at once"
    let remedy = advice(kind, endpoint, date, alone.own)
    return [
      Lint(
        .alignedDates, at: date.path,
        "\(date.words), \(LintText.number(date.widgets)) widgets of kind \(scenario.kinds[kind].name.inQuotes) are due"
          + "\(spread): \(shown.words(scenario.endpoints[endpoint]))",
        note: note(loads, capacity, jitter), help: remedy.words + queueWords(endpoint, loads.all, capacity),
        numbers: [
          "widgets": (date.widgets, "1"), "plateau": (alone.own.fleet, "1/s"),
          "prompt": (alone.prompt.fleet, "1/s"), "capacity": (capacity ?? .infinity, "1/s"),
          "servers": (loads.own.level, "1/s"),
        ], repairs: remedy.repairs(in: scenario))
    ]
  }

  /// Returns the endpoint where a kind's load is highest relative to the capacity. Without capacities, returns the
  /// endpoint to which the kind sends the most requests.
  private mutating func worstEndpoint(of kind: Int) -> Int? {
    let perRun = Dictionary(scenario.kinds[kind].requests.map { ($0.endpoint, $0.count) }, uniquingKeysWith: +)
    var strains: [(endpoint: Int, strain: (Double, Int))] = []
    for (endpoint, count) in perRun.sorted(by: { $0.key < $1.key }) {
      let capacity = scenario.endpoints[endpoint].largestCapacity
      let strain = capacity.flatMap { capacity in load(scenario, endpoint).map { $0.level / max(capacity, 1e-9) } }
      strains.append((endpoint, (strain ?? 0, Int(count))))
    }
    return strains.max { $0.strain < $1.strain }?.endpoint
  }

  /// Returns whether a kind's dates cause a load that the servers cannot serve.
  private mutating func isTooMuch(_ loads: LoadEnds, _ alone: LoadEnds, _ endpoint: Int, _ capacity: Double) -> Bool {
    guard loads.all.contains(where: { $0.exceeds(capacity) }), let spread = load(spread, endpoint) else {
      return false
    }
    return spread.peak < (1 - Self.minPart) * loads.highest
      && zip(alone.all, loads.all).contains { $0.fleet > Self.minPart * $1.fleet }
  }

  /// Returns whether only the system's delay spreads a kind's dates, so that the plateau exceeds twice the mean.
  private func isHerd(_ kind: Int, _ date: SharedDate, _ alone: LoadEnds, _ endpoint: Int) -> Bool {
    let requests = date.widgets * scenario.kinds[kind].requests(to: endpoint)
    let isSpread = (scenario.kinds[kind].jitter?.upTo ?? .zero) > .zero
    return !isSpread && requests >= Self.fewestTogether && date.reachesServers
      && alone.own.fleet > Self.crest * requests / date.period.seconds
  }

  private func note(_ loads: LoadEnds, _ capacity: Double?, _ jitter: TimeAmount) -> String {
    guard let capacity, loads.all.contains(where: { $0.exceeds(capacity) }) else {
      return jitter > .zero ? "too little jitter" : "no jitter"
    }
    let others = loads.all.map(\.others).max() ?? 0
    let left = others > 0 ? ", \(LintText.number(max(capacity - others, 0))) of it free" : ""
    let isAbove = loads.all.contains { $0.level > capacity }
    return "capacity \(LintText.rate(capacity))\(left): "
      + (isAbove ? "too little" : "the busiest second needs \(LintText.rate(loads.highest))")
  }

  /// Returns a phrase for the effect of an unlimited queue if a load exceeds the capacity; empty otherwise.
  private func queueWords(_ endpoint: Int, _ loads: [PilotLoad], _ capacity: Double?) -> String {
    let target = scenario.endpoints[endpoint]
    guard target.queue == nil, let capacity, loads.contains(where: { $0.level > capacity }) else { return "" }
    return "; above the capacity, requests time out, because \(target.wordsWithoutQueue)"
  }

  // MARK: Means

  /// Returns a lint about an endpoint whose servers cannot serve the five-minute mean, even if all shared dates are
  /// spread.
  private mutating func meanLints(_ endpoint: Int) -> [Lint] {
    let target = scenario.endpoints[endpoint]
    guard let capacity = target.largestCapacity, let mean = load(spread, endpoint, .fiveMinutes),
      mean.fleet > 0, mean.level > capacity
    else { return [] }
    let advice = rarer(endpoint)
    // The difference is computed from the rounded numbers because those are printed.
    let missing = Double(LintText.rounded(mean.fleet) + LintText.rounded(mean.others)) - capacity
    return [
      Lint(
        .meanBeyondCapacity, at: ["backend", "endpoints", target.name, "capacity"],
        "endpoint \(target.name.inQuotes) cannot serve its load even without herds: "
          + "\(mean.meanWords("exceed")) \(LintText.rate(capacity))",
        note: missing > 0 ? "short by \(LintText.rate(missing))" : "too little",
        help: (advice == nil
          ? "refresh less often, or give it at least \(LintText.rate(mean.level))" : "with that, the load fits")
          + queueWords(endpoint, [mean], capacity),
        numbers: [
          "mean": (mean.fleet, "1/s"), "base": (mean.others, "1/s"), "capacity": (capacity, "1/s"),
        ], repairs: advice?.repairs(in: scenario) ?? [])
    ]
  }
}

/// The load on an endpoint for the scenario's system constants and for those of the preset `prompt`.
private struct LoadEnds {
  var own: PilotLoad
  var prompt: PilotLoad

  var all: [PilotLoad] { [own, prompt] }
  var highest: Double { max(own.peak, prompt.peak) }

  func fit(_ capacity: Double) -> Bool { all.allSatisfy { $0.fits(capacity) } }

  /// Returns a phrase such as `about 1 110 requests/s to endpoint 'api' with this start delay, and 16 700 if ...`.
  func words(_ endpoint: Endpoint) -> String {
    let place = endpoint.cdn == nil ? "to" : "at the servers of"
    let base = endpoint.baseLoad == nil ? "" : ", base load included,"
    let sooner =
      prompt.level > 1.1 * own.level
      ? ", and \(LintText.number(prompt.level)) if the system starts them all within a minute" : ""
    return "about \(LintText.rate(own.level)) \(place) endpoint \(endpoint.name.inQuotes)\(base) with this start delay"
      + sooner
  }
}

extension PilotLoad {
  /// Returns a phrase such as `a mean of 1 570 requests/s and the base load at that time, 1 200/s, exceed`, or
  /// `a mean of 1 570 requests/s alone exceeds`.
  func meanWords(_ verb: String) -> String {
    let mean = "a mean of \(LintText.rate(fleet))"
    return others > 0
      ? "\(mean) and the base load at that time, \(LintText.number(others))/s, \(verb)" : "\(mean) alone \(verb)s"
  }
}
