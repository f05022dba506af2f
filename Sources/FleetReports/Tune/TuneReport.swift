package import Scenario
package import Studies

/// What is told of a tuning: what it did, with the values of its settings as the file has them.
package struct TuneReport: Sendable {
  package var study: TuneStudy
  /// The paths that were searched.
  package var keys: [String]
  /// For each trial one value for each key.
  package var values: [[String]]
  /// As written.
  package var objective: String
  /// The scenario as the file has it.
  package var base: Scenario
  package var provenance: Provenance
  /// The scenario file with the values that were found; nil without any, and where the file does not take them.
  package var tunedText: [UInt8]?
  /// From the file as it was to `tunedText`.
  package var patch: [UInt8]

  package init(
    study: TuneStudy, keys: [String], values: [[String]], objective: String, base: Scenario, provenance: Provenance,
    tunedText: [UInt8]?, patch: [UInt8]
  ) {
    self.study = study
    self.keys = keys
    self.values = values
    self.objective = objective
    self.base = base
    self.provenance = provenance
    self.tunedText = tunedText
    self.patch = patch
  }

  /// The values of the setting that was found or came nearest.
  var finalValues: [String] {
    guard let final = study.final, let index = study.trials.firstIndex(of: final) else { return [] }
    return values[index]
  }

  /// The files of the folder.
  package var files: [TuneFile] {
    TuneFile.allCases.filter { tunedText != nil || $0 != .tuned && $0 != .patch }
  }
}

/// The files of a tuning's folder, the manifest last: a folder that has one is whole.
package enum TuneFile: String, CaseIterable, Sendable {
  case runs = "runs.csv"
  case tuned = "tuned.yaml"
  case patch = "tuned.patch"
  case manifest = "manifest.json"

  package var name: String { rawValue }

  package func bytes(of report: TuneReport) -> [UInt8] {
    switch self {
    case .runs: tuneRunsCSV(of: report)
    case .tuned: report.tunedText ?? []
    case .patch: report.patch
    case .manifest: tuneManifest(of: report)
    }
  }
}
