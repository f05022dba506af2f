import FleetReports
import Foundation
import Scenario
import ScenarioFiles
import Studies

/// The content of a golden file: about thirty figures for readers, and one digest of all the others.
enum GoldenFigures {
  /// Returns one line per figure, with its name as in goals and its value as in summary.csv; the digest of summary.csv
  /// comes last.
  static func text(of trial: Trial) -> String {
    let summary = Summary(of: trial.result)
    let lines = chosen.compactMap { name in
      summary.figure(name)?.value.map { "\(name.text) \(text($0)) \(name.unit.rawValue)" }
    }
    return (lines + ["summary.csv " + SHA256.hexadecimal(of: trial.summaryCSV)]).joined(separator: "\n") + "\n"
  }

  /// The figures of the fleet, one for each part that a rule of the model can change.
  private static let chosen: [FigureName] =
    [
      FigureName(.widgets, .total), FigureName(.runsPerDay, .mean), FigureName(.runsPerDay, .p95),
      FigureName(.runsPerDay, .mean, Labels().with(\.charged, "yes")),
    ]
    + [Cause.policy, .retry, .background, .tap].map {
      FigureName(.runsPerDay, .mean, Labels().with(\.cause, $0.name))
    }
    + [FigureName(.lateness, .mean), FigureName(.lateness, .p95)]
    + WaitReason.allCases.map { FigureName(.waitsPerDay, .mean, Labels().with(\.reason, $0.name)) }
    + [
      FigureName(.budgetExhaustedPerDay, .mean), FigureName(.requests, .total), FigureName(.failures, .total),
      FigureName(.bytesDown, .total), FigureName(.cacheHitsPerDay, .mean), FigureName(.viewsPerDay, .mean),
      FigureName(.staleViews, .share), FigureName(.dataAge, .mean), FigureName(.dataAge, .p95),
    ]
    + [LoadWindow.tenSeconds, .fiveMinutes].map { FigureName(.peakRPS, .max, Labels().with(\.window, $0.name)) }
    + [
      FigureName(.meanRPS, .mean), FigureName(.overloadSeconds, .total), FigureName(.energyPerDay, .mean),
      FigureName(.energySavedPerDay, .mean), FigureName(.energyInSessions, .share),
      FigureName(.batteryPercentPerDay, .mean), FigureName(.batteryPercentPerDay, .p95),
    ]

  private static func text(_ value: Quantity) -> String {
    switch value {
    case .whole(let count): "\(count)"
    case .real(let value): "\(value)"
    }
  }
}
