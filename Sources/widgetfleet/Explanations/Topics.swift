import FleetReports
import RequestStatistics
import Scenario
import ScenarioFiles

/// Everything that `explain` knows.
enum Topics {
  static let all: [Topic] =
    Code.allCases.map(topic) + LogDefect.allCases.map(topic) + Metric.allCases.map(topic) + words
    + ColumnMeaning.all.map(topic)
    + KeyTable.standard.entries.map(topic)

  /// What a name stands for; a name may mean several things. Empty: nothing.
  static func named(_ name: String) -> [Topic] {
    let wanted = name.lowercased()
    let exact = all.filter { $0.name.lowercased() == wanted }
    if let path = pattern(of: name), let entry = KeyTable.standard[path] {
      return exact.isEmpty ? [topic(entry)] : exact
    }
    let keys = KeyTable.standard.entries.filter { $0.name == name && name != "*" }.map(topic)
    return exact + keys.filter { key in !exact.contains { $0.name == key.name } }
  }

  /// The names to choose from when one is not known.
  static var names: [String] {
    var seen: Set<String> = []
    return (all.map(\.name) + KeyTable.standard.entries.map(\.name)).filter { seen.insert($0).inserted && $0 != "*" }
  }

  /// The pattern of a path with names or places in it, such as kinds.weather.jitter; nil: none.
  private static func pattern(of path: String) -> String? {
    var pattern = ""
    for step in path.split(separator: ".", omittingEmptySubsequences: false) {
      guard let entry = KeyTable.standard.child(String(step), of: pattern) else { return nil }
      pattern = entry.path
    }
    return pattern
  }
}

extension Topics {
  private static func topic(_ code: Code) -> Topic {
    Topic("code of a problem in a scenario file", code.rawValue, title: code.meaning.title, code.meaning.help)
  }

  private static func topic(_ defect: LogDefect) -> Topic {
    Topic("code of a finding in access logs", defect.rawValue, title: defect.title, defect.help)
  }

  private static func topic(_ metric: Metric) -> Topic {
    Topic(
      "metric", metric.rawValue, metric.explanation.meaning,
      [
        ("unit", "\(metric.unit): \(metric.measure.meaning)"),
        ("statistics", metric.statistics.map(\.rawValue).joined(separator: ", ")),
        ("labels", metric.labels.map(\.rawValue).joined(separator: ", ")), ("advice", metric.explanation.remedy),
      ])
  }

  private static func topic(_ column: ColumnMeaning) -> Topic {
    Topic(
      "column of \(column.file)", column.column, column.meaning,
      [("unit", column.unit.isEmpty ? nil : column.unit)])
  }

  private static func topic(_ entry: KeyEntry) -> Topic {
    let bounds = [entry.least.map { "from \($0)" }, entry.most.map { "to \($0)" }].compactMap { $0 }
    return Topic(
      "key of a scenario", entry.path, entry.help.isEmpty ? "Part of a scenario." : entry.help,
      [
        ("form", entry.form), ("unit", entry.unit), ("default", defaultText(of: entry)),
        ("range", bounds.isEmpty ? nil : bounds.joined(separator: " ")),
      ])
  }

  private static func defaultText(of entry: KeyEntry) -> String? {
    switch entry.default {
    case .required: "none: the key is required"
    case .value(let text): text
    case .none: "none"
    case .absent: nil
    }
  }

  private static let words: [Topic] =
    Cause.allCases.map { word("cause of a refresh", $0.name, $0.explanation) }
    + WaitReason.allCases.map { word("reason for waiting", $0.name, $0.explanation) }
    + FailureReason.allCases.map { word("reason for a failure", $0.name, $0.explanation) }
    + EnergyComponent.allCases.map { word("component of energy", $0.name, $0.explanation) }
    + Statistic.allCases.map { Topic("statistic", $0.rawValue, $0.meaning) } + ofPages + [ofLab]

  /// What `explain` has a table for.
  static let lab = "lab"

  private static let ofLab = Topic(
    "plan of measurements", lab,
    "What some phones, watched for some days as Docs/LAB.md has it, say of the system's constants that Apple does not "
      + "document, and how surely.",
    [("options", "--phones 5 --days 14")])

  /// The glossary of reports, each word by itself, blanks as hyphens.
  private static let ofPages: [Topic] = glossaryTerms.flatMap { term, meaning in
    term.split(separator: ",").map { part in
      let name = part.lowercased().filter { $0 != "%" }.split(separator: " ").joined(separator: "-")
      return Topic("word of a report", name, meaning.prefix(1).uppercased() + meaning.dropFirst())
    }
  }

  private static func word(_ category: String, _ name: String, _ meaning: WordMeaning) -> Topic {
    Topic(category, name, meaning.meaning, [("advice", meaning.remedy)])
  }
}
