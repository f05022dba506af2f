package import Scenario
package import Studies

/// A searched key with what is told of it.
package struct TunedKey: Hashable, Sendable {
  package var path: String
  /// Values at some levels, from the low end to the high end, or all words.
  package var ticks: [Tick]
  /// What the scenario has, as resolved; nil: the same as what was found.
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

/// What is told of a tuning: what it did, with the values of its settings as the file has them.
package struct TuneReport: Sendable {
  package var study: TuneStudy
  /// What was searched.
  package var keys: [TunedKey]
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

  /// The values of the setting that was found or came nearest.
  var finalValues: [String] {
    guard let final = study.final, let index = study.trials.firstIndex(of: final) else { return [] }
    return values[index]
  }

  /// `PATH=VALUE` for each key, with the values that were found or came nearest.
  var settings: [String] { zip(keys, finalValues).map { $0.path + "=" + $1 } }

  /// The files of the folder.
  package var files: [TuneFile] {
    TuneFile.allCases.filter { tunedText != nil || $0 != .tuned && $0 != .patch }
  }
}

/// The files of a tuning's folder, the manifest last: a folder that has one is whole.
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
