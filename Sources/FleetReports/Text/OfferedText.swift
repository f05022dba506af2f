import Scenario
import Studies

/// What servers would get if they answered every request, beside what they get (MODEL.md 8, offered load).
struct OfferedText {
  let report: ReportContent

  /// `; if every request were answered they would get up to 1 665 (119 %); plan for at least 1 665 requests/s`, beside a
  /// load that is above its limit or is so under an end of the bracket; empty without.
  func clause(_ check: RunCheck, share: (_ value: Double, _ limit: Double) -> String) -> String {
    let result = check.result
    guard check.isLoad, result.goal.figure.metric == .serverPeakRPS, let limit = result.limit, let load = result.value,
      let row = row(result.goal.figure.labels), let offered = row.value,
      [load, result.prompt, result.lazy].contains(where: { ($0?.approximate ?? 0) > limit })
    else { return "" }
    let value = offered.approximate
    let own =
      offered == load
      ? "" : "; if every request were answered they would get up to \(NumberText.text(value)) (\(share(value, limit)))"
    let plan = plan(row, above: limit)
    return own + (plan.isEmpty ? "" : "; " + plan)
  }

  /// `plan for at least 1 700 requests/s (the upper end of the 95 % interval), 1 900 if the system is prompt`.
  ///
  /// - Parameter limit: what is there already; nothing is said of less.
  func plan(_ row: SummaryRow, above limit: Double = 0) -> String {
    guard let value = row.value?.approximate else { return "" }
    let upper = row.estimatedInterval?.high ?? value
    let worst = [(Preset.prompt, row.prompt), (.lazy, row.lazy)].compactMap { preset, value in
      value.map { (preset: preset, value: $0.approximate) }
    }.filter { $0.value > 1.01 * value && $0.value > limit }.max { $0.value < $1.value }
    let end = worst.map { "\(NumberText.text($0.value)) if the system is \($0.preset.rawValue)" }
    guard upper > limit else { return end.map { "plan for at least \($0)" } ?? "" }
    return "plan for at least \(NumberText.text(upper)) requests/s"
      + (row.estimatedInterval == nil ? "" : " (the upper end of the 95\u{A0}% interval)")
      + (end.map { ", " + $0 } ?? "")
  }

  /// The offered peak with some labels, where anything limits the servers.
  func row(_ labels: Labels) -> SummaryRow? { report.summary.row(.offeredPeakRPS, .max, labels) }

  /// The offered peak of an endpoint, or of all together, in a window, where a plan needs it: the servers are above a
  /// capacity, or would get 1 % more than they get; under an end of the bracket counts, too.
  func different(endpoint: Int?, _ window: LoadWindow?) -> SummaryRow? {
    let name = report.run.scenario.endpointName(endpoint)
    let labels = Labels().with(\.endpoint, name).with(\.window, window?.name ?? "")
    guard let row = row(labels), let value = row.value,
      let load = report.summary.figure(FigureName(.serverPeakRPS, .max, labels))
    else { return nil }
    let isHigher = zip([value, row.prompt, row.lazy], [load.value, load.prompt, load.lazy]).contains { offered, load in
      (offered?.approximate ?? 0) > 1.01 * (load?.approximate ?? .infinity)
    }
    let isOther = value != load.value || row.prompt != load.prompt || row.lazy != load.lazy
    return isHigher || isOther && isOverloaded(endpoint: endpoint) ? row : nil
  }

  /// Whether an endpoint, or any, is above its capacity, in the scenario or under an end of the bracket.
  func isOverloaded(endpoint: Int?) -> Bool {
    let labels = Labels().with(\.endpoint, report.run.scenario.endpointName(endpoint))
    let row = report.summary.row(.overloadSeconds, .total, labels)
    return [row?.value, row?.prompt, row?.lazy].contains { ($0?.approximate ?? 0) > 0 }
  }
}
