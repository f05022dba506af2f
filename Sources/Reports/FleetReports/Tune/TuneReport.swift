package import Scenario
package import Studies

/// A tuned key, as shown in the report.
package struct TunedKey: Hashable, Sendable {
  package var path: String
  /// The values at some of the key's levels in ascending order, or all values if they are words.
  package var ticks: [Tick]
  /// The key's resolved value in the scenario; `nil` if it equals the result.
  package var before: String?

  package struct Tick: Hashable, Sendable {
    package var level: Int
    package var text: String

    package init(level: Int, text: String) { (self.level, self.text) = (level, text) }
  }

  package init(path: String, ticks: [Tick], before: String? = nil) {
    (self.path, self.ticks, self.before) = (path, ticks, before)
  }
}

/// The report on a tuning run, with its trials and with the values of each setting in the form that files use.
package struct TuneReport: Sendable {
  package var study: TuneStudy
  /// The keys that were tuned.
  package var keys: [TunedKey]
  /// The values in each trial, one per key.
  package var values: [[String]]
  /// The objective, as given by the user.
  package var objective: String
  /// The scenario as written in the scenario file.
  package var base: Scenario
  package var provenance: Provenance
  /// The text of the scenario file with the values that were found; `nil` if nothing was found, or if the values cannot
  /// be written into the file.
  package var tunedText: [UInt8]?
  /// The patch that turns the original file into `tunedText`.
  package var patch: [UInt8]

  package init(
    study: TuneStudy, keys: [TunedKey], values: [[String]], objective: String, base: Scenario, provenance: Provenance,
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

  /// The values of the keys in the best or closest setting.
  var finalValues: [String] {
    guard let final = study.final, let index = study.trials.firstIndex(of: final) else { return [] }
    return values[index]
  }

  /// The values of the best or closest setting in the form `PATH=VALUE`, one for each key.
  var settings: [String] { zip(keys, finalValues).map { $0.path + "=" + $1 } }

  /// The files to write to the results folder.
  package var files: [TuneFile] {
    TuneFile.allCases.filter { tunedText != nil || $0 != .tuned && $0 != .patch }
  }
}

/// The files in the results folder of a tuning run. The manifest is written last, so a folder with a manifest is
/// complete.
package enum TuneFile: String, CaseIterable, Sendable {
  case page = "report.html"
  case runs = "runs.csv"
  case tuned = "tuned.yaml"
  case patch = "tuned.patch"
  case manifest = "manifest.json"

  package var name: String { rawValue }

  package func bytes(of report: TuneReport) -> [UInt8] {
    switch self {
    case .page: tunePage(of: report)
    case .runs: report.runsCSV
    case .tuned: report.tunedText ?? []
    case .patch: report.patch
    case .manifest: report.manifest
    }
  }
}
