import Testing

@testable import Calibration
@testable import FleetReports

/// The claims about a fit on the page and terminal, with their thresholds.
struct FitSentenceTests {
  private func sentence(chiSquare: Double, worst: [Double]) -> String {
    let residuals = worst.map { deviate in
      FitResult.Residual(
        statistic: LogStatistic(kind: "k", name: "line", part: "1", value: 1, error: 1), simulated: 1, deviate: deviate)
    }
    let result = FitResult(
      keys: [], chiSquare: chiSquare, freedom: 300, worst: residuals, simulations: 80, isCutShort: false)
    return FitSentences(fit: ReportedFit(result, [])).all.joined(separator: " ")
  }

  @Test func goodFitIsDescribed() {
    let text = sentence(chiSquare: 310, worst: [-3.9, 2])
    #expect(text.contains("The model explains the fitted statistics (chi-square 310 with 300 degrees of freedom)."))
  }

  /// A sum of squares can hide a single statistic beyond chance.
  @Test func outliersOfAFitAreReported() {
    #expect(sentence(chiSquare: 310, worst: [-8.4, 2]).contains("but one statistic is off by more"))
    let text = sentence(chiSquare: 310, worst: [-8.4, 5.9, 3.8])
    #expect(text.contains("but 2 statistics are off by more than chance explains, by up to 8.40 standard errors"))
    #expect(!text.contains("The model explains"))
  }

  @Test func misfitOfAFitIsReported() {
    #expect(sentence(chiSquare: 601, worst: [-8.4]).contains("does not explain everything"))
  }
}
