import Scenario
import Studies

/// That an end of the bracket costs more because phones wait for overloaded servers, in words.
///
/// Waiting is the active radio and the waiting processor beyond what as many requests would take in the scenario itself.
struct EnergyOfWaiting {
  private let summary: Summary

  init(_ summary: Summary) { self.summary = summary }

  /// More than the scenario's own is told from a quarter on, where waiting makes half of it or more.
  private static let (leastMore, leastShare) = (0.25, 0.5)

  /// Empty where nothing of the kind shows.
  var sentence: String {
    [(Preset.prompt, \SummaryRow.prompt), (.lazy, \.lazy)].compactMap { preset, end in
      sentence(under: end).map { " If the system is \(preset.rawValue), \($0)" }
    }.joined()
  }

  private func sentence(under end: KeyPath<SummaryRow, Quantity?>) -> String? {
    let total = values(.energyPerDay, .mean, end: end)
    let overload = values(.overloadSeconds, .total, end: end)
    let requests = values(.requests, .total, end: end)
    guard let total, total.own > 0, let requests, requests.own > 0, let overload,
      overload.end - overload.own >= RunFinding.leastOverload
    else { return nil }
    let (more, timesRequests) = (total.end - total.own, max(requests.end / requests.own, 1))
    let waiting = [EnergyComponent.active, .wait].compactMap {
      values(.energyPerDay, .mean, Labels().with(\.component, $0.name), end: end)
    }.reduce(0) { $0 + $1.end - $1.own * timesRequests }
    guard more >= Self.leastMore * total.own, waiting >= Self.leastShare * more else { return nil }
    return "the servers are above their capacity for \(TimeText.seconds(overload.end)), and waiting longer for their "
      + "answers, with an active radio and processor, makes \(NumberText.percent(min(waiting / more, 1))) of what comes "
      + "on top."
  }

  private func values(
    _ metric: Metric, _ statistic: Statistic, _ labels: Labels = Labels(), end: KeyPath<SummaryRow, Quantity?>
  ) -> (own: Double, end: Double)? {
    guard let row = summary.row(metric, statistic, labels), let own = row.value?.approximate,
      let there = row[keyPath: end]?.approximate
    else { return nil }
    return (own, there)
  }
}
