package import FleetEngine
import Scenario
package import SimulationKernel

/// The time from the end of an outage or a push until its endpoints recover, in one replication (MODEL.md 8).
package struct Recovery: Hashable, Sendable {
  package var span: EventSpan
  /// Whether an endpoint was already unhealthy before the event, for a reason other than an outage.
  package var wasFailing: Bool
  /// The time until the start of the first healthy step; `nil` if no such step occurs before the clock ends, or if the
  /// recovery is not due to this event.
  ///
  /// A healthy step ends with an empty queue. Less than 1 % of the requests fail, both in the step and in the hour that
  /// starts with it. In that hour, waits of at least 5 s last less than a minute in total.
  package var time: TimeAmount?

  /// Returns the recovery from each outage and push that ends in the measured period, in the order of
  /// `RunResult.eventSpans`.
  package static func all(_ replication: ReplicationResult, of result: RunResult) -> [Recovery] {
    let histories = replication.load.enumerated().map { endpoint, load in
      EndpointHistory(
        failures: load.failures, arrivals: load.arrivals,
        queue: replication.backend?.records[endpoint].map { ($0.backlog, $0.capacity.perSecond) } ?? [],
        scale: Scale(of: result))
    }
    return all(result.eventSpans, result.scenario, histories)
  }

  /// Returns the recoveries of a run that was read from its files.
  package static func all(_ replication: StoredReplication, of run: StoredRun) -> [Recovery] {
    let histories = replication.load.map { load in
      EndpointHistory(
        failures: load.failures, arrivals: load.arrivals, queue: load.queue.map { ($0.backlog, $0.capacity) },
        scale: Scale(of: run))
    }
    return all(run.eventSpans, run.scenario, histories)
  }

  /// - Parameter histories: the load histories by endpoint.
  private static func all(
    _ spans: [EventSpan], _ scenario: Scenario, _ histories: [EndpointHistory]
  ) -> [Recovery] {
    let clock = scenario.clock
    return spans.compactMap { span in
      guard let endpoints = scenario.endpointsToRecover(from: span.event) else { return nil }
      guard span.to >= .start, span.to < clock.end else { return nil }
      let before = minuteBefore(span.from, clock)
      let wasFailing = endpoints.contains { endpoint in
        !before.isEmpty && !before.contains { histories[endpoint].isHealthy(in: $0) }
          && !spans.contains { $0.isOutage(of: endpoint, scenario) && $0.from < span.from && span.from <= $0.to }
      }
      let next = endpoints.map { endpoint in
        (endpoint, spans.filter { $0.from > span.to && $0.concerns(endpoint, scenario) }.map(\.from).min())
      }
      let later = Dictionary(uniqueKeysWithValues: next)
      let isLasting = { (endpoint: Int, step: Int) in
        guard histories[endpoint].isHealthy(in: step) else { return false }
        let hour = step..<lastStep(ofHourFrom: step, later[endpoint] ?? nil, clock)
        return histories[endpoint].failLittle(in: hour)
          && clock.step * histories[endpoint].longWaits(in: hour) < maxWaiting
      }
      return Recovery(
        span: span, wasFailing: wasFailing, time: wasFailing ? nil : time(endpoints, from: span.to, clock, isLasting)
      )
    }
  }

  /// The maximum total duration of long waits in the hour after a recovery. Shorter overloads are not reported as
  /// findings, either.
  private static let maxWaiting = TimeAmount.minutes(1)

  /// Returns the measured steps that end in the minute before an event. The result contains at least one step unless
  /// the event starts in the first step.
  private static func minuteBefore(_ start: Instant, _ clock: Clock) -> Range<Int> {
    let length = clock.step.milliseconds
    let last = min(Int(start.millisecondsSinceStart / length), Int(clock.duration.milliseconds / length))
    return last > 0 ? max(0, last - max(Int(60_000 / length), 1))..<last : 0..<0
  }

  /// Returns the end (exclusive) of the hour that starts with a step. The hour ends early when the clock ends or the
  /// next event starts.
  private static func lastStep(ofHourFrom step: Int, _ next: Instant?, _ clock: Clock) -> Int {
    let length = clock.step.milliseconds
    let ends = [
      step + max(Int(3_600_000 / length), 1), Int(clock.duration.milliseconds / length),
      next.map { Int($0.millisecondsSinceStart / length) } ?? .max,
    ]
    return max(ends.min() ?? step, step + 1)
  }

  private static func time(
    _ endpoints: [Int], from end: Instant, _ clock: Clock, _ isHealthy: (_ endpoint: Int, _ step: Int) -> Bool
  ) -> TimeAmount? {
    let length = clock.step.milliseconds
    let steps = Int(clock.duration.milliseconds / length)
    let first = Int((end.millisecondsSinceStart + length - 1) / length)
    let recovered = (first..<max(steps, first)).first { step in
      endpoints.allSatisfy { isHealthy($0, step) }
    }
    return recovered.map { max(.start + clock.step * Int64($0) - end, .zero) }
  }
}

private struct EndpointHistory {
  /// The cumulative number of failures before each step.
  private var failures: [Int64] = [0]
  private var arrivals: [Int64] = [0]
  /// The backlog at the end of each step; empty if requests do not queue.
  private let backlogs: [Double]
  /// The cumulative number of steps that ended with a long wait, before each step.
  private var waiting: [Int64] = [0]

  /// The shortest wait that is considered long, in seconds of work at full capacity.
  private static let longWait = 5.0
  /// The length above which a queue is considered long, in simulated requests. Sampling noise causes shorter queues.
  private static let longQueue = 20.0

  init(
    failures: some Sequence<some BinaryInteger>, arrivals: some Sequence<some BinaryInteger>,
    queue: [(backlog: Double, capacity: Double)], scale: Scale
  ) {
    for count in failures { self.failures.append(self.failures[self.failures.count - 1] + Int64(count)) }
    for count in arrivals { self.arrivals.append(self.arrivals[self.arrivals.count - 1] + Int64(count)) }
    backlogs = queue.map(\.backlog)
    let noise = Self.longQueue * Double(scale.fleet) / Double(scale.simulated)
    for (backlog, capacity) in queue {
      waiting.append(waiting[waiting.count - 1] + (backlog > max(Self.longWait * capacity, noise) ? 1 : 0))
    }
  }

  func longWaits(in steps: Range<Int>) -> Int64 {
    waiting[min(steps.upperBound, waiting.count - 1)] - waiting[min(steps.lowerBound, waiting.count - 1)]
  }

  /// Returns whether the queue is empty at the end of a step and less than 1 % of the step's requests fail.
  func isHealthy(in step: Int) -> Bool {
    guard step < arrivals.count - 1 else { return false }
    return (step < backlogs.count ? backlogs[step] : 0) == 0 && failLittle(in: step..<step + 1)
  }

  /// Returns whether less than 1 % of all requests in these steps fail.
  func failLittle(in steps: Range<Int>) -> Bool {
    let (first, last) = (min(steps.lowerBound, failures.count - 1), min(steps.upperBound, failures.count - 1))
    let failed = failures[last] - failures[first]
    return failed == 0 || Int128(failed) * 100 < Int128(arrivals[last] - arrivals[first])
  }
}

extension Scenario {
  /// Returns the endpoint of an outage, or the endpoints used by the kinds that a push updates; `nil` if no endpoint
  /// needs to recover.
  fileprivate func endpointsToRecover(from event: Int) -> [Int]? {
    switch events[event].action {
    case .outage(let outage): return [outage.endpoint]
    case .push(let push):
      let endpoints = Set(push.kinds.flatMap { kinds[$0].requests.map(\.endpoint) })
      return endpoints.isEmpty ? nil : endpoints.sorted()
    case .appUpdate, .systemChange, .reboot, .gallery: return nil
    }
  }
}

extension EventSpan {
  /// Returns whether the event is an outage of the endpoint, or a push to kinds that send requests to it.
  fileprivate func concerns(_ endpoint: Int, _ scenario: Scenario) -> Bool {
    scenario.endpointsToRecover(from: event)?.contains(endpoint) == true
  }

  fileprivate func isOutage(of endpoint: Int, _ scenario: Scenario) -> Bool {
    guard case .outage(let outage) = scenario.events[event].action else { return false }
    return outage.endpoint == endpoint
  }
}

/// Returns the recovery_time rows for all outages and pushes. A time is unknown if the clock ends before the recovery.
func recoveryRows(of result: RunResult) -> [SummaryRow] {
  let recoveries = result.replications.map { Recovery.all($0, of: result) }
  let events = Set(result.eventSpans.map(\.event)).filter { result.scenario.endpointsToRecover(from: $0) != nil }
  return events.sorted().flatMap { event in
    let labels = Labels().with(\.event, result.scenario.events[event].name)
    let times = recoveries.map { $0.filter { $0.span.event == event }.map(\.time) }
    return [
      SummaryRow(.recoveryTime, labels, .mean, replications: times.map { seconds($0) { $0.reduce(.zero, +) } }),
      SummaryRow(
        .recoveryTime, labels, .max, replications: times.map { seconds($0, one: true) { $0.max() ?? .zero } }),
    ]
  }
}

/// Returns a statistic of durations in seconds, divided by the number of durations unless `one` is set; `nil` if any
/// duration is unknown.
private func seconds(_ times: [TimeAmount?], one: Bool = false, _ figure: ([TimeAmount]) -> TimeAmount) -> Quantity? {
  let known = times.compactMap { $0 }
  guard known.count == times.count, !known.isEmpty else { return nil }
  return Quantity(Int128(figure(known).milliseconds), over: 1_000 * Int128(one ? 1 : known.count))
}
