package import FleetEngine
package import SimulationKernel

/// The echo of an outage at an endpoint, compared with a run that has the same draws but no outage (MODEL.md 8).
package struct EchoComparison: Hashable, Sendable {
  package enum Verdict: Hashable, Sendable {
    case echo, noEcho
    /// The sample is too small to distinguish an echo from chance.
    case unknown
  }

  /// The minute with the largest increase in retries and reloads after errors, counted from clock.start.
  package var minute: Int
  /// The additional requests per second in that minute.
  package var added: Double
  /// The requests per second in that minute, with and without the outage.
  package var with: Double
  package var without: Double
  /// The fraction of the additional requests in that minute that are retries or reloads.
  package var share: Double
  /// The mean requests per second in the run without the outage, after the end of the outage.
  package var mean: Double
  /// The length of the period after the outage in which the busiest minute is searched for. It is an hour, or longer if
  /// `minute` is later.
  package var watched: TimeAmount
  /// The requests per second in the busiest minute of that period, with and without the outage.
  package var busiestWith: Double
  package var busiestWithout: Double
  package var verdict: Verdict

  /// The additional load in the minute with the largest increase, as a multiple of the mean load.
  package var size: Double { mean > 0 ? added / mean : 0 }

  /// The smallest load increase that is considered an echo, as a fraction of the mean load.
  package static let minShare = 0.2

  /// - Parameter to: the end of the outage.
  /// - Parameter until: the start of the endpoint's next outage, or the instant at which the clock ends.
  /// - Returns: `nil` if the clock ends when the outage ends, or if the run without the outage has no requests.
  package init?(
    to: Instant, until: Instant, with: EndpointTries, without: EndpointTries, perSecond rate: Double
  ) {
    let first = max(Int(to.millisecondsSinceStart / 60_000), 0)
    let last = min(Int((until.millisecondsSinceStart + 59_999) / 60_000), with.minutes.count, without.minutes.count)
    guard first < last else { return nil }
    let after = first..<last
    let added = { (minute: Int) -> Int64 in
      let (one, other) = (with.minutes[minute], without.minutes[minute])
      return min(one.arrivals - other.arrivals, one.repeats - other.repeats)
    }
    let total = after.reduce(Int64(0)) { $0 + without.minutes[$1].arrivals }
    guard total > 0, let minute = after.max(by: { (added($0), $1) < (added($1), $0) }) else { return nil }
    let (one, other) = (with.minutes[minute], without.minutes[minute])
    self.minute = minute
    self.added = Double(added(minute)) * rate
    self.with = Double(one.arrivals) * rate
    self.without = Double(other.arrivals) * rate
    let difference = one.arrivals - other.arrivals
    share = difference > 0 ? Double(added(minute)) / Double(difference) : 0
    mean = Double(total) * rate / Double(after.count)
    let near = first..<min(last, max(first + 60, minute + 1))
    watched = .minutes(Int64(near.count))
    busiestWith = Double(near.map { with.minutes[$0].arrivals }.max() ?? 0) * rate
    busiestWithout = Double(near.map { without.minutes[$0].arrivals }.max() ?? 0) * rate
    verdict = Self.verdict(
      Double(added(minute)), minimum: Self.minShare * Double(total) / Double(after.count), share: share,
      hasRepeats: after.contains { with.minutes[$0].repeats > without.minutes[$0].repeats })
  }

  /// - Parameter added: the additional requests of the sample in the worst minute. An echo requires at least `minimum`
  ///   additional requests. Because the largest of many minutes is biased upwards, this number must remain after three
  ///   standard errors are subtracted. If `minimum` is below five, an echo is ruled out only if there were no
  ///   additional retries.
  private static func verdict(_ added: Double, minimum: Double, share: Double, hasRepeats: Bool) -> Verdict {
    guard hasRepeats, added > 0 else { return .noEcho }
    if added < minimum || share < 0.5 { return minimum >= 5 ? .noEcho : .unknown }
    return added - 3 * added.squareRoot() >= minimum ? .echo : .unknown
  }

  /// Creates the comparison for one outage; `nil` if the run without the outage is unavailable.
  package init?(_ span: EventSpan, endpoint: Int, of run: StoredRun, _ trials: StoredTrials) {
    guard let without = trials.withoutOutages.first(where: { $0.endpoint == endpoint }) else { return nil }
    let others = run.eventSpans.filter { other in
      guard case .outage(let outage) = run.scenario.events[other.event].action else { return false }
      return outage.endpoint == endpoint && other.from >= span.to
    }
    let scale = Scale(of: run)
    self.init(
      to: max(span.to, .start), until: others.map(\.from).min() ?? run.scenario.clock.end,
      with: EndpointTries(of: endpoint, in: run), without: without,
      perSecond: Double(scale.fleet) / Double(max(scale.simulated, 1)) / 60)
  }
}
