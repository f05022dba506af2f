import Calibration

/// Returns the section on the fit by simulation.
func fitSection(_ report: CalibrationReport) -> ReportSection? {
  guard let fit = report.fit else { return nil }
  let text = { (key: ReportedFit.Key, ends: ClosedRange<Double>) -> Cell in
    .text(KeyText.value(key.finding, ends.lowerBound) + " to " + KeyText.value(key.finding, ends.upperBound))
  }
  let table = Table(
    "Keys fitted by simulation", fit.keys,
    [
      Column("key") { .text($0.finding.path) }, Column("chance alone") { text($0, $0.statistical) },
      Column("with model error") { text($0, $0.withModelError) },
      Column("identified") { key in
        let together = key.fitted.confounded.joined(separator: ", ")
        return .text(
          NumberText.percent(key.fitted.contraction) + ", " + word(key.fitted.verdict)
            + (together.isEmpty ? "" : ", confounded with " + together))
      },
    ])
  let worst = Table(
    "Worst explained", fit.result.worst,
    [
      Column("statistic") { residual in
        let statistic = residual.statistic
        return .text([statistic.kind, statistic.name, statistic.part].filter { !$0.isEmpty }.joined(separator: " "))
      },
      Column(number: "log") { .number($0.statistic.value) }, Column(number: "simulated") { .number($0.simulated) },
      Column(number: "standard errors") { .number($0.deviate) },
    ])
  return ReportSection(
    "calibrate/fit",
    answer: FitSentences(fit: fit).all.joined(separator: " "),
    figures: table.markup + worst.details("Worst-explained statistics"))
}

private func word(_ verdict: Estimate.Verdict) -> String {
  switch verdict {
  case .identified: "identified"
  case .weakly: "weakly"
  case .oneSided, .notFromThisLog: "not identified"
  }
}

/// The results of a fit, as sentences.
struct FitSentences {
  let fit: ReportedFit

  /// The chi-square per degree of freedom above which a fit is considered poor; chance rarely causes larger values.
  private static let misfit = 2.0
  /// The number of standard errors above which a statistic is an outlier. By chance, at least one of a few hundred
  /// statistics exceeds it in 2 % of fits.
  private static let outlier = 4.0

  var all: [String] { [found, test] + (fit.result.isCutShort ? [Self.cutShort] : []) }

  private static let cutShort = "Stopped before converging; increase --max-minutes."

  private var found: String {
    let identified = fit.keys.filter { $0.fitted.verdict == .identified }
    let count = fit.keys.count
    let simulations = NumberText.whole(Double(fit.result.simulations))
    return "\(simulations) simulations identified \(identified.count) of \(counted(count, "key"))."
  }

  private var test: String {
    guard let ratio = fit.result.ratio else {
      return "There are no more statistics than keys, so the fit cannot be tested."
    }
    let figures = "chi-square \(NumberText.text(fit.result.chiSquare)) with \(fit.result.freedom) degrees of freedom"
    guard ratio <= Self.misfit else {
      return
        "The model does not explain everything (\(figures)), so the intervals were widened accordingly."
    }
    let outliers = fit.result.worst.count { abs($0.deviate) > Self.outlier }
    guard outliers > 0, let worst = fit.result.worst.first else {
      return "The model explains the fitted statistics (\(figures))."
    }
    return "Overall, the model explains the fitted statistics (\(figures)), but "
      + (outliers == 1 ? "one statistic is" : "\(outliers) statistics are")
      + " off by more than chance explains, by up to \(NumberText.text(abs(worst.deviate))) standard errors."
  }
}
