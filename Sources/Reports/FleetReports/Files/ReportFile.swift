import Studies

/// The files in the results folder of a run. The manifest is written last, so a folder with a manifest is complete.
package enum ReportFile: String, CaseIterable, Sendable {
  case summaryTable = "summary.csv"
  case summaryDocument = "summary.json"
  case goals = "goals.csv"
  case load = "load.csv"
  case causes = "causes.csv"
  case devices = "devices.csv"
  case distribution = "distribution.csv"
  case hours = "hours.csv"
  case asked = "asked.csv"
  case echo = "echo.csv"
  case trials = "trials.csv"
  case page = "report.html"
  /// The binary file from which the program reads the run back.
  case run = "run.bin"
  case manifest = "manifest.json"

  package var name: String { rawValue }

  /// Passes the content of the file to `sink`. The content of devices.csv, whose size grows with the fleet, is passed
  /// in pieces. All other files are passed as a whole.
  package func write<Problem: Error>(
    of report: Report, to sink: ([UInt8]) throws(Problem) -> Void
  ) throws(Problem) {
    if self == .devices { try writeDevicesCSV(of: report.result, to: sink) } else { try sink(bytes(of: report)) }
  }

  /// Returns the whole content of the file.
  package func bytes(of report: Report) -> [UInt8] {
    switch self {
    case .summaryTable: summaryCSV(of: report.summary)
    case .summaryDocument: summaryJSON(of: report)
    case .goals: goalsCSV(of: report.goals)
    case .load: loadCSV(of: report.result, timestamps: report.hasTimestamps)
    case .causes: causesCSV(of: report.result, timestamps: report.hasTimestamps)
    case .devices: devices(of: report)
    case .distribution: distributionCSV(of: report.result)
    case .hours: hoursCSV(of: report.result)
    case .asked: askedCSV(of: report.result)
    case .echo: echoCSV(of: report)
    case .trials: trialsCSV(of: report)
    case .page: reportPage(of: report.content)
    case .run: RunFile(content: report.content, distributions: Distributions(of: report.result)).bytes
    case .manifest: manifestJSON(of: report)
    }
  }

  /// Returns the complete content of devices.csv.
  private func devices(of report: Report) -> [UInt8] {
    var bytes: [UInt8] = []
    writeDevicesCSV(of: report.result) { bytes += $0 }
    return bytes
  }
}
