package import Calibration

/// What a fit by simulation found, with the values in the units of their keys.
package struct ReportedFit: Sendable {
  package let result: FitResult
  package let keys: [Key]

  package struct Key: Sendable {
    package let finding: KeyFinding
    package let fitted: FitResult.FittedKey
    /// The values at the ends of both 95 % intervals.
    package let statistical: ClosedRange<Double>
    package let withModelError: ClosedRange<Double>

    package init(
      _ finding: KeyFinding, _ fitted: FitResult.FittedKey, statistical: ClosedRange<Double>,
      withModelError: ClosedRange<Double>
    ) {
      (self.finding, self.fitted) = (finding, fitted)
      (self.statistical, self.withModelError) = (statistical, withModelError)
    }
  }

  package init(_ result: FitResult, _ keys: [Key]) { (self.result, self.keys) = (result, keys) }

  /// Findings of closed forms, with those of the fit in place of what they left open: a key, or the law that it is of.
  package func joined(with others: [KeyFinding]) -> [KeyFinding] {
    let fitted = keys.map(\.finding.path)
    let rest = others.filter { other in
      let isOfFitted = other.estimate.value == nil && fitted.contains { $0.hasPrefix(other.path + ".") }
      return !fitted.contains(other.path) && !isOfFitted
    }
    return rest + keys.map(\.finding)
  }
}

/// What did simulations find?
func fitSection(_ report: CalibrationReport) -> ReportSection? {
  guard let fit = report.fit else { return nil }
  let table = DataTable(
    caption: "Keys that simulations were fitted by", columns: ["Key", "Chance alone", "With model error", "Told"],
    rows: fit.keys.map(row), textColumns: 4, stacks: true)
  let worst = DataTable(
    caption: "What is explained worst", columns: ["Statistic", "Log", "Simulated", "Standard errors"],
    rows: fit.result.worst.map(row), textColumns: 1)
  return ReportSection(
    id: "fit", short: "Fit", question: "What did simulations find?",
    answer: FitSentences(fit: fit).all.joined(separator: " "),
    figures: [table.markup, worst.details("What is explained worst")],
    note: "A key is told by as much as its interval is narrower than its range was: above 80 % it is identified, "
      + "above 30 % weakly; where an end of its range cuts the interval, weakly at most. "
      + "The same statistics were computed of the log and of every simulation.")
}

private func row(_ key: ReportedFit.Key) -> [String] {
  func text(_ ends: ClosedRange<Double>) -> String {
    KeyText.value(key.finding, ends.lowerBound) + " to " + KeyText.value(key.finding, ends.upperBound)
  }
  let told = NumberText.percent(key.fitted.contraction) + ", " + word(key.fitted.verdict)
  return [
    key.finding.path, text(key.statistical), text(key.withModelError),
    key.fitted.confounded.isEmpty ? told : told + ", together with " + key.fitted.confounded.joined(separator: ", "),
  ]
}

private func word(_ verdict: Estimate.Verdict) -> String {
  switch verdict {
  case .identified: "identified"
  case .weakly: "weakly"
  case .oneSided, .notFromThisLog: "not identified"
  }
}

private func row(_ residual: FitResult.Residual) -> [String] {
  [
    [residual.statistic.kind, residual.statistic.name, residual.statistic.part].filter { !$0.isEmpty }
      .joined(separator: " "),
    NumberText.text(residual.statistic.value), NumberText.text(residual.simulated), NumberText.text(residual.deviate),
  ]
}

/// What a fit comes to, in words.
struct FitSentences {
  let fit: ReportedFit

  /// Chance leaves a chi-square per degree of freedom below this in all but a few fits.
  private static let misfit = 2.0
  /// Chance takes one of some hundred statistics further than so many standard errors in two fits of a hundred.
  private static let outlier = 4.0

  var all: [String] { [found, test] + (fit.result.isCutShort ? [Self.cutShort] : []) }

  private static let cutShort = "Time was up before it settled: give it more with --max-minutes."

  private var found: String {
    let told = fit.keys.filter { $0.fitted.verdict == .identified }
    let count = fit.keys.count
    let simulations = NumberText.whole(Double(fit.result.simulations))
    return "\(simulations) simulations identified \(told.count) of \(count) \(count == 1 ? "key" : "keys")."
  }

  private var test: String {
    guard fit.result.freedom > 0 else { return "There are no more statistics than keys, so nothing tests the fit." }
    let ratio = fit.result.chiSquare / Double(fit.result.freedom)
    let figures = "chi-square \(NumberText.text(fit.result.chiSquare)) for \(fit.result.freedom) degrees of freedom"
    guard ratio <= Self.misfit else {
      return
        "The model does not explain all of it (\(figures)): the intervals are wider by as much, and the table says "
        + "where."
    }
    let outliers = fit.result.worst.count { abs($0.deviate) > Self.outlier }
    guard outliers > 0, let worst = fit.result.worst.first else {
      return "The model explains what it was fitted to (\(figures))."
    }
    return "On the whole the model explains what it was fitted to (\(figures)), but "
      + (outliers == 1 ? "one statistic is" : "\(outliers) statistics are")
      + " further off than chance takes them, by up to \(NumberText.text(abs(worst.deviate))) standard errors: the table "
      + "says which."
  }
}

/// fit.csv: what simulations found, a row for each key.
func fitCSV(of report: CalibrationReport) -> [UInt8] {
  var csv = CSVWriter(header: [
    "path", "unit", "value", "statistical_low", "statistical_high", "low", "high", "contraction", "verdict",
    "confounded_with",
  ])
  for key in report.fit?.keys ?? [] {
    csv.row(
      key.finding.path, key.finding.measure.unit, key.finding.estimate.value, key.statistical.lowerBound,
      key.statistical.upperBound, key.withModelError.lowerBound, key.withModelError.upperBound, key.fitted.contraction,
      key.fitted.verdict.rawValue, key.fitted.confounded.joined(separator: " "))
  }
  return csv.bytes
}

/// correlation.csv: how the estimates of a fit move together, a row for each pair of keys.
func correlationCSV(of report: CalibrationReport) -> [UInt8] {
  var csv = CSVWriter(header: ["path", "other_path", "correlation"])
  let keys = report.fit?.keys ?? []
  for (number, key) in keys.enumerated() {
    for (other, value) in zip(keys, key.fitted.correlations).prefix(number) {
      csv.row(key.finding.path, other.finding.path, value)
    }
  }
  return csv.bytes
}
