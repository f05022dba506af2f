import Scenario
import Studies

/// That an end of the bracket costs more because phones wait for overloaded servers, in words.
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
    guard let total, let overload, total.own > 0, overload.end - overload.own >= RunFinding.leastOverload else {
      return nil
    }
    let more = total.end - total.own
    let waiting = [EnergyComponent.active, .wait].compactMap {
      values(.energyPerDay, .mean, Labels().with(\.component, $0.name), end: end)
    }.reduce(0) { $0 + $1.end - $1.own }
    guard more >= Self.leastMore * total.own, waiting >= Self.leastShare * more else { return nil }
    return "the servers are above their capacity for \(TimeText.seconds(overload.end)), and phones that wait for their "
      + "answers with an active radio and processor make \(NumberText.percent(min(waiting / more, 1))) of what comes on top."
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
