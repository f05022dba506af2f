package import Calibration
import RequestStatistics
package import Scenario

/// What is told of a back-test: how well a scenario that was fitted on some days of a log foretells others.
package struct BacktestReport: Sendable {
  /// The scenario as the file has it.
  package var base: Scenario
  package var logs: LogsReport
  /// The days that were forecast, in the order of training and day.
  package var forecasts: [ForecastDay]
  /// What the last training days say of each key.
  package var findings: [KeyFinding]
  /// The file with what they say; nil where it does not take it.
  package var calibratedText: [UInt8]?
  /// What the app or the backend does otherwise from a date on.
  package var changes: [Change]
  package var provenance: Provenance
  /// Requests that come together.
  package var clump: Double
  /// From the last training days.
  package var forecaster: LoadForecaster
  /// Milliseconds since 1970 at which the first day begins.
  package let start: Int64
  package let scores: BacktestScores

  package struct Change: Hashable, Sendable {
    /// Milliseconds since 1970.
    package var start: Int64
    /// `PATH=VALUE`.
    package var text: String

    package init(start: Int64, text: String) { (self.start, self.text) = (start, text) }
  }

  package static let stepsPerHour = 12
  package static let stepsPerDay = 24 * stepsPerHour
  package static let dayMilliseconds: Int64 = 86_400_000

  /// - Parameter forecasts: one or more.
  package init(
    _ calibration: CalibrationReport, logs: LogsReport, forecasts: [ForecastDay], _ forecaster: LoadForecaster,
    clump: Double, changes: [Change]
  ) throws(BacktestProblem) {
    (base, findings, provenance) = (calibration.base, calibration.findings, calibration.provenance)
    calibratedText = calibration.calibratedText
    (self.logs, self.forecasts, self.forecaster) = (logs, forecasts, forecaster)
    (self.clump, self.changes) = (clump, changes)
    start = logs.firstDay
    scores = try Self.scores(forecasts, clump)
  }

  private static func scores(_ forecasts: [ForecastDay], _ clump: Double) throws(BacktestProblem) -> BacktestScores {
    do {
      return try BacktestScores(forecasts, clump: clump, stepsPerHour: stepsPerHour)
    } catch { throw BacktestProblem(text: error.description) }
  }

  /// Scores of a day alone, or of all with one horizon; nil where they cannot be made.
  func scores(of forecasts: [ForecastDay]) -> BacktestScores? { try? Self.scores(forecasts, clump) }

  /// Days from the last training day, each once.
  var horizons: [Int] { forecasts.map(\.horizon).withoutRepetitions.sorted() }

  /// Whether several calibrations were tried, each on all days before those it foretells.
  var isRolling: Bool { forecasts.contains { $0.trained != forecasts[0].trained } }

  /// The forecast of each day from the nearest training days, in the order of the days.
  var nearest: [ForecastDay] {
    forecasts.map(\.day.number).withoutRepetitions.sorted().compactMap { number in
      forecasts.filter { $0.day.number == number }.min { $0.horizon < $1.horizon }
    }
  }

  /// Milliseconds since 1970 at which a step of a day begins.
  func time(_ number: Int, _ step: Int) -> Int64 {
    start + Int64(number - 1) * Self.dayMilliseconds + Int64(step) * CalibrationReport.binMilliseconds
  }

  /// Keys of the team's own code that the training days rule out.
  package var contradictions: [KeyFinding] { findings.filter { $0.owner == .team && $0.contradicts } }

  package var isIdentified: Bool { findings.contains(where: \.isTold) }

  package var files: [BacktestFile] { BacktestFile.allCases.filter { calibratedText != nil || $0 != .calibrated } }
}

/// Why a back-test has no result.
package struct BacktestProblem: Error {
  package var text: String

  package init(text: String) { self.text = text }
}

/// The files of a back-test's folder, the manifest last: a folder that has one is whole.
package enum BacktestFile: String, CaseIterable, Sendable {
  case calibrated = "calibrated.yaml"
  case days = "backtest.csv"
  case forecast = "forecast.csv"
  case page = "report.html"
  case manifest = "manifest.json"

  package var name: String { rawValue }

  package func bytes(of report: BacktestReport) -> [UInt8] {
    switch self {
    case .calibrated: report.calibratedText ?? []
    case .days: backtestCSV(of: report)
    case .forecast: forecastCSV(of: report)
    case .page: backtestPage(of: report)
    case .manifest: backtestManifest(of: report)
    }
  }
}
