import FleetEngine
import Scenario
import SimulationKernel

/// Returns the rows for the number of pushes and for the time until phones showed their data. The time is measured both
/// from the push to each phone and from the start of the event (MODEL.md 8.4). The result is empty if there were no
/// pushes.
func pushRows(of result: RunResult) -> [SummaryRow] {
  let events = result.scenario.events
  guard events.contains(where: { $0.push != nil }) else { return [] }
  let started = events.indices.filter { events[$0].isStartedPush }
  return sentRows(of: result) + ScopeResult.all(of: result).flatMap { rows(.pushToView, of: $0, $0.labels, \.pushes) }
    + (started.isEmpty ? [] : [started] + started.map { [$0] }).enumerated().flatMap { place, summed in
      ScopeResult.all(of: result).flatMap { scope in
        let labels = place == 0 ? scope.labels : scope.labels.with(\.event, events[summed[0]].name)
        return rows(.eventToView, of: scope, labels) { followed in
          followed.eventPushes.filter { summed.contains($0.event) }.reduce(into: PushResult()) { $0 += $1.pushes }
        }
      }
    }
}

/// Returns the number of pushes sent, for all events together and for each event.
private func sentRows(of result: RunResult) -> [SummaryRow] {
  let events = result.scenario.events
  let scale = Scale(of: result)
  return ([nil] + events.indices.filter { events[$0].push != nil }.map { Optional($0) }).map { event in
    SummaryRow(
      .pushes, event.map { Labels().with(\.event, events[$0].name) } ?? Labels(), .total,
      replications: result.replications.map { replication in
        let sent = replication.pushes.indices.filter { event == nil || event == $0 }.map { replication.pushes[$0] }
        return scale.fleetCount(Int128(sent.reduce(0, +)))
      })
  }
}

/// Returns rows for the quantiles of the wait, for the share of pushes whose data is ever shown, and for the share
/// shown within each period.
private func rows(
  _ metric: Metric, of scope: ScopeResult, _ labels: Labels, _ pushes: (FollowedResult) -> PushResult
) -> [SummaryRow] {
  let sums = scope.sums.map { $0.map { pushes($0.followed) } }
  func row(_ statistic: Statistic, _ labels: Labels, _ figure: (PushResult) -> Quantity?) -> SummaryRow {
    SummaryRow(metric, labels, statistic, replications: sums.map { $0.flatMap(figure) })
  }
  return metric.statistics.compactMap { statistic in
    statistic.probability.map { probability in
      row(statistic, labels) { $0.quantile(probability).map { .real($0) } }
    }
  } + [row(.share, labels) { Quantity(Int128($0.shown.total), over: Int128($0.waits)) }]
    + Herd.periods.map { period in
      row(.share, labels.with(\.period, Herd.name(of: period))) { pushes in
        Quantity(Int128(pushes.ended(within: period)), over: Int128(pushes.waits))
      }
    }
}

extension PushResult {
  /// Returns the number of waits that ended within a span, to the precision of the histogram bins.
  fileprivate func ended(within span: TimeAmount) -> Int64 {
    shown.counts.prefix(SpanHistogram.bin(of: span)).reduce(0, +)
  }

  /// Returns the quantile of all waits in seconds, treating unfinished waits as the longest ones. Returns `nil` if the
  /// quantile falls on an unfinished wait.
  fileprivate func quantile(_ probability: Double) -> Double? {
    let ended = shown.total
    let rank = probability * Double(waits - 1)
    guard waits > 0, ended > 0, rank <= Double(ended - 1) else { return nil }
    return spans.quantileSeconds(ended == 1 ? 0 : rank / Double(ended - 1))
  }
}
