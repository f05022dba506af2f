import Scenario
import SimulationKernel

/// A scenario change that was tried in a pilot, and the text that recommends it.
struct LoadAdvice {
  var words: String
  var remedy: Remedy?

  func repairs(in scenario: Scenario) -> [Lint.Repair] { remedy?.repairs(in: scenario) ?? [] }
}

extension Remedy {
  func repairs(in scenario: Scenario) -> [Lint.Repair] {
    settings(in: scenario).compactMap { setting in
      let parts = setting.split(separator: "=", maxSplits: 1)
      return parts.count == 2 ? Lint.Repair(path: String(parts[0]), value: String(parts[1])) : nil
    }
  }
}

/// Changes that keep a load within a capacity. Each change is tried in pilots before it is recommended.
extension LoadLints {
  /// The fraction of a plateau that may remain after adding jitter if the capacity is unknown. It is one half plus a
  /// margin for random variation; if no jitter achieves this, 90 % is accepted.
  private static let half = 0.55
  private static let minimum = 0.9

  /// Returns a recommendation to add jitter to the kind or to all kinds with shared dates, or to use a longer interval.
  mutating func advice(_ kind: Int, _ endpoint: Int, _ date: SharedDate, _ alone: PilotLoad) -> LoadAdvice {
    guard let capacity = scenario.endpoints[endpoint].largestCapacity else { return plain(kind, endpoint, date, alone) }
    let others = scenario.datedKinds.filter { $0 != kind && scenario.kinds[$0].requests(to: endpoint) > 0 }
    for kinds in [[kind]] + (others.isEmpty ? [] : [[kind] + others]) {
      guard let found = jitter(of: kinds, endpoint, in: scenario) else { continue }
      return LoadAdvice(words: "that lowers it to \(outcome(found, endpoint))", remedy: found)
    }
    guard let mean = load(spread, endpoint, .fiveMinutes) else { return LoadAdvice(words: "spread the dates") }
    let isBeyond = mean.level > capacity
    let why =
      mean.meanWords(isBeyond ? "exceed" : "leave") + (isBeyond ? " " : " too little headroom below ")
      + LintText.rate(capacity)
    let found = interval(of: kind, endpoint)
    return LoadAdvice(
      words: (found == nil ? "no jitter suffices: " : "no jitter suffices by itself: ") + why, remedy: found)
  }

  /// Returns a longer interval for the kind that sends the most requests to an endpoint.
  mutating func rarer(_ endpoint: Int) -> Remedy? {
    var counts: [Int64] = []
    for kind in scenario.kinds.indices { counts.append(requests(of: kind, endpoint)) }
    let maximum = counts.indices.max { counts[$0] < counts[$1] }
    return maximum.flatMap { interval(of: $0, endpoint) }
  }

  /// Returns a phrase for the load after a remedy, such as `about 556 requests/s, slightly more in single seconds,
  /// however prompt the system is`.
  private mutating func outcome(_ remedy: Remedy, _ endpoint: Int) -> String {
    let rate = load(remedy.applied(to: scenario).under(.prompt), endpoint)?.level ?? 0
    let base = scenario.endpoints[endpoint].baseLoad == nil ? "" : ", base load included"
    return "about \(LintText.rate(rate))\(base), slightly more in single seconds, however prompt the system is"
  }

  /// Returns a jitter that halves the plateau or, failing that, lowers it by at least 10 %; used if the capacity is
  /// unknown.
  private mutating func plain(_ kind: Int, _ endpoint: Int, _ date: SharedDate, _ alone: PilotLoad) -> LoadAdvice {
    let choices = UsualSpan.all.filter { $0 >= .minutes(5) && $0 < date.period }
    let asked = asking(kind, endpoint).under(.prompt)
    for part in [Self.half, Self.minimum] {
      let span = smallest(choices) { lints, span in
        let load = lints.load(Remedy.jitter(kinds: [kind], upTo: span).applied(to: asked), endpoint)
        return (load?.fleet).map { $0 <= part * alone.fleet } ?? false
      }
      guard let span else { continue }
      let remedy = Remedy.jitter(kinds: [kind], upTo: span)
      return LoadAdvice(words: "that lowers it to \(outcome(remedy, endpoint))", remedy: remedy)
    }
    return LoadAdvice(words: "count from the end of the run (after: 1h), so that phones are not aligned")
  }

  /// Returns the shortest commonly used jitter with which the load of these kinds fits, up to the period of their
  /// dates.
  private mutating func jitter(of kinds: [Int], _ endpoint: Int, in scenario: Scenario) -> Remedy? {
    let present = { (kind: Int) in scenario.kinds[kind].jitter?.upTo ?? .zero }
    let periods = kinds.compactMap { scenario.kinds[$0].shortestPeriod }
    guard let minimum = kinds.map(present).min(), let maximum = periods.min() else { return nil }
    let remedy = { (span: TimeAmount) in Remedy.jitter(kinds: kinds.filter { present($0) < span }, upTo: span) }
    return smallest(UsualSpan.all.filter { $0 > minimum && $0 <= maximum }) { lints, span in
      lints.fits(remedy(span).applied(to: scenario), endpoint)
    }.map(remedy)
  }

  /// Returns the shortest commonly used interval of a kind with which the load fits. Jitter is added if the kind's
  /// dates are shared.
  private mutating func interval(of kind: Int, _ endpoint: Int) -> Remedy? {
    guard let given = scenario.kinds[kind].onlyInterval else { return nil }
    let (scenario, isShared) = (scenario, scenario.kinds[kind].shortestPeriod != nil)
    let widest = { (span: TimeAmount) in Remedy.interval(kind: kind, span, jitter: isShared ? span : nil) }
    let found = smallest(UsualSpan.all.filter { $0 > given }) { lints, span in
      lints.fits(widest(span).applied(to: scenario), endpoint)
    }
    guard let found else { return nil }
    let spread =
      isShared ? jitter(of: [kind], endpoint, in: Remedy.interval(kind: kind, found).applied(to: scenario)) : nil
    guard case .jitter(_, let span) = spread else { return widest(found) }
    return .interval(kind: kind, found, jitter: span)
  }

  /// Returns the shortest of the ascending spans for which the condition holds, both for that span and for all longer
  /// ones.
  private mutating func smallest(
    _ spans: [TimeAmount], where holds: (inout LoadLints, TimeAmount) -> Bool
  ) -> TimeAmount? {
    guard let last = spans.last, holds(&self, last) else { return nil }
    var (low, high) = (0, spans.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if holds(&self, spans[middle]) { high = middle } else { low = middle + 1 }
    }
    return spans[high]
  }
}
