package import Calibration
package import Numerics
import RequestStatistics
package import Scenario

/// The content of a backtest, which fits a scenario to some days of a log and forecasts the other days.
package struct BacktestReport: Sendable {
  /// The scenario as written in the scenario file.
  package var base: Scenario
  package var logs: LogsReport
  /// The training days, numbered from 1 (the first day of the log).
  package var trained: ClosedRange<Int>
  /// The forecast days, in order.
  package var forecasts: [ForecastDay]
  /// The findings from the training days about each key.
  package var findings: [KeyFinding]
  /// The text of the scenario file with these findings applied; `nil` if they cannot be written into the file.
  package var calibratedText: [UInt8]?
  /// The changes to the app or backend. Each change takes effect on its date.
  package var changes: [Change]
  package var provenance: Provenance
  /// The average number of requests that a widget run sends at the same time.
  package var clump: Double
  /// The forecaster, fitted to the training days.
  package var forecaster: LoadForecaster
  /// The start of the first day, in milliseconds since 1970.
  package let start: Int64
  package let scores: BacktestScores

  package struct Change: Hashable, Sendable {
    /// The start of the day, in milliseconds since 1970.
    package var start: Int64
    /// The change as `PATH=VALUE`.
    package var text: String

    package init(start: Int64, text: String) { (self.start, self.text) = (start, text) }
  }

  package static let stepsPerHour = 12
  package static let stepsPerDay = 24 * stepsPerHour
  package static let dayMilliseconds: Int64 = 86_400_000

  /// - Parameter forecasts: at least one forecast day.
  package init(
    _ calibration: CalibrationReport, logs: LogsReport, trained: ClosedRange<Int>, forecasts: [ForecastDay],
    _ forecaster: LoadForecaster, changes: [Change]
  ) throws(NumericsError) {
    (base, findings, provenance) = (calibration.base, calibration.findings, calibration.provenance)
    calibratedText = calibration.calibratedText
    (self.logs, self.trained, self.forecasts, self.forecaster) = (logs, trained, forecasts, forecaster)
    (clump, self.changes) = (calibration.evidence.requestsPerRun, changes)
    start = logs.firstDay
    scores = try Self.scores(forecasts, clump)
  }

  private static func scores(_ forecasts: [ForecastDay], _ clump: Double) throws(NumericsError) -> BacktestScores {
    try BacktestScores(forecasts, clump: clump, stepsPerHour: stepsPerHour)
  }

  /// Returns the scores of a single day; `nil` if it has none.
  func scores(of forecast: ForecastDay) -> BacktestScores? { try? Self.scores([forecast], clump) }

  /// Returns the time at which a step of a day starts, in milliseconds since 1970.
  func time(_ number: Int, _ step: Int) -> Int64 {
    start + Int64(number - 1) * Self.dayMilliseconds + Int64(step) * MeasuredLoad.step
  }

  /// The findings that rule out values in the scenario file, for keys set by the team's own code.
  package var contradictions: [KeyFinding] { findings.filter { $0.owner == .team && $0.contradicts } }

  package var isIdentified: Bool { findings.contains(where: \.isEstimated) }

  package var files: [BacktestFile] { BacktestFile.allCases.filter { calibratedText != nil || $0 != .calibrated } }
}

/// The files in the results folder of a backtest. The manifest is written last, so a folder with a manifest is
/// complete.
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
    case .days: report.daysCSV
    case .forecast: report.forecastCSV
    case .page: backtestPage(of: report)
    case .manifest: report.manifest
    }
  }
}
