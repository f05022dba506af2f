package import Calibration
package import Numerics
import RequestStatistics
package import Scenario

/// What is told of a back-test: how well a scenario that was fitted on some days of a log foretells others.
package struct BacktestReport: Sendable {
  /// The scenario as the file has it.
  package var base: Scenario
  package var logs: LogsReport
  /// Training days, counted from 1.
  package var trained: ClosedRange<Int>
  /// The days that were forecast, in their order.
  package var forecasts: [ForecastDay]
  /// What the training days say of each key.
  package var findings: [KeyFinding]
  /// The file with what they say; nil where it does not take it.
  package var calibratedText: [UInt8]?
  /// What the app or the backend does otherwise from a date on.
  package var changes: [Change]
  package var provenance: Provenance
  /// Requests that come together.
  package var clump: Double
  /// Forecaster of the training days.
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
    _ calibration: CalibrationReport, logs: LogsReport, trained: ClosedRange<Int>, forecasts: [ForecastDay],
    _ forecaster: LoadForecaster, changes: [Change]
  ) throws(NumericsError) {
    (base, findings, provenance) = (calibration.base, calibration.findings, calibration.provenance)
    calibratedText = calibration.calibratedText
    (self.logs, self.trained, self.forecasts, self.forecaster) = (logs, trained, forecasts, forecaster)
    (clump, self.changes) = (calibration.requestsPerRun, changes)
    start = logs.firstDay
    scores = try Self.scores(forecasts, clump)
  }

  private static func scores(_ forecasts: [ForecastDay], _ clump: Double) throws(NumericsError) -> BacktestScores {
    try BacktestScores(forecasts, clump: clump, stepsPerHour: stepsPerHour)
  }

  /// Scores of a day alone; nil where they cannot be made.
  func scores(of forecast: ForecastDay) -> BacktestScores? { try? Self.scores([forecast], clump) }

  /// Milliseconds since 1970 at which a step of a day begins.
  func time(_ number: Int, _ step: Int) -> Int64 {
    start + Int64(number - 1) * Self.dayMilliseconds + Int64(step) * CalibrationReport.binMilliseconds
  }

  /// Keys of the team's own code that the training days rule out.
  package var contradictions: [KeyFinding] { findings.filter { $0.owner == .team && $0.contradicts } }

  package var isIdentified: Bool { findings.contains(where: \.isTold) }

  package var files: [BacktestFile] { BacktestFile.allCases.filter { calibratedText != nil || $0 != .calibrated } }
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
    case .days: report.daysCSV
    case .forecast: report.forecastCSV
    case .page: backtestPage(of: report)
    case .manifest: report.manifest
    }
  }
}
