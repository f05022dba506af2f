import FleetReports
import RequestStatistics
import Scenario
import ScenarioFiles
import Studies
import Words

/// The topics that `explain` can explain.
enum Topics {
  static let all: [Topic] =
    Code.allCases.map(topic) + LogDefect.allCases.map(topic) + Metric.allCases.map(topic) + words
    + ColumnMeaning.all.map(topic)
    + (KeyTable.standard.entries + KeyTable.standard.planEntries).map(topic) + [plan]

  /// Returns all topics with a given name, because a name may have several meanings; empty for an unknown name.
  static func named(_ name: String) -> [Topic] {
    let exact = exactly(name) + planKeys(name.lowercased())
    let meant = (aliases[words(name)] ?? []).flatMap(exactly)
    guard exact.isEmpty else {
      // If the name is a section or term of a report page, metrics with that name and similar topics are added. They
      // are needed to write goals.
      return exact + (exact.allSatisfy { categoriesOfPages.contains($0.category) } ? metrics(with: name) + meant : [])
    }
    guard meant.isEmpty else { return meant }
    let row = ofRow(name)
    guard row.isEmpty else { return row }
    let part = ofPart(name.lowercased())
    guard part.isEmpty else { return part }
    // Plurals are accepted: `stacks` matches `stack`, and `trials` matches `trial`.
    return ["s", "es"].filter(name.hasSuffix).map { exactly(String(name.dropLast($0.count))) }.first { !$0.isEmpty }
      ?? []
  }

  /// Words that appear in the output or that users might enter, with the names of the topics that explain them.
  static let aliases = [
    "at-end": ["kinds.*.reload", "kinds.*.entries", "os.at_end_gap"],
    "freshness": ["data_age", "stale_views", "kinds.*.stale_after"],
    "staleness": ["stale_views", "kinds.*.stale_after"], "outdated": ["stale_views", "kinds.*.stale_after"],
    "max-age": ["kinds.*.stale_after", "backend.endpoints.*.hint"],
    "headroom": ["goals.*.assert", "server_peak_rps", "backend.endpoints.*.capacity"],
    "utilization": ["goals.*.assert", "server_peak_rps", "backend.endpoints.*.autoscale.target"],
    "utilisation": ["goals.*.assert", "server_peak_rps", "backend.endpoints.*.autoscale.target"],
    "saturation": ["overload_seconds"], "inconclusive": [words(RunVerdict.Word.unknown.rawValue)],
    "does-not-hold": ["holds"],
    "no-limit-set": ["goals"],
  ]

  private static func exactly(_ name: String) -> [Topic] {
    let wanted = name.lowercased()
    let word = words(name)
    let exact = all.filter { topic in
      topic.name.lowercased() == wanted
        || !word.isEmpty && categoriesOfPages.contains(topic.category)
          && [topic.name, words(topic.title)].contains(word)
    }
    if let path = pattern(of: name), let entry = KeyTable.standard[path] {
      return exact.isEmpty ? [topic(entry)] : exact
    }
    let keys = KeyTable.standard.entries.filter { $0.name == name && name != "*" }.map(topic)
    return exact + keys.filter { key in !exact.contains { $0.name == key.name } }
  }

  /// Returns the plan file keys whose paths end with the given components; user-defined names are ignored. Examples are
  /// `lead`, `capacity.lead` and `plan.capacity.lead`.
  private static func planKeys(_ name: String) -> [Topic] {
    let wanted = name.split(separator: ".")
    return KeyTable.standard.planEntries.filter { entry in
      !wanted.isEmpty && entry.name != "*" && name != entry.path
        && entry.path.split(separator: ".").filter { $0 != "*" }.suffix(wanted.count).elementsEqual(wanted)
    }.map(topic)
  }

  /// Returns the metrics for a row of the table printed by `run`, such as `peak load, 1s`, or for words such as `stale
  /// views`.
  private static func ofRow(_ name: String) -> [Topic] {
    let parts = name.split { ",:".contains($0) }.map { words($0) }
    let ofRows = TableRow.allCases.filter { row in
      let wanted = words(row.rawValue)
      // If the clock is shorter than a day, the row includes the length of the period, as in `waits per widget in 1 h`.
      let ofPeriod = wanted.hasSuffix("per-day") ? wanted.dropLast("per-day".count) + "in-" : nil
      return parts.contains { part in
        row.namesSomething
          ? part.hasPrefix(wanted + "-") : part == wanted || ofPeriod.map { part.hasPrefix($0) } ?? false
      }
    }
    let named = Metric.allCases.filter { parts.first == words($0.rawValue.replacing("_", with: " ")) }
    return (ofRows.isEmpty ? named : ofRows.flatMap(\.metrics)).map(topic)
  }

  /// Returns the keys whose paths end with the given components, such as `cache.ttl`. If there are none, returns keys
  /// whose names contain the text, or metrics that contain it as a word. Shorter paths come first.
  private static func ofPart(_ text: String) -> [Topic] {
    let entries = KeyTable.standard.entries.filter { $0.name != "*" }
    let steps = text.split(separator: ".", omittingEmptySubsequences: false)
    let ends = entries.filter { entry in
      let path = entry.path.split(separator: ".").suffix(steps.count)
      return steps.count > 1 && path.count == steps.count
        && zip(path, steps).allSatisfy { $0 == $1 || $0 == "*" && !$1.isEmpty }
    }
    if !ends.isEmpty { return ends.sorted { $0.path.count < $1.path.count }.map(topic) }
    guard text.count >= minPart else { return [] }
    let keys = entries.filter { $0.name.contains(text) }.map(topic)
    return keys.isEmpty ? metrics(with: text) : keys
  }

  /// Returns the metrics whose names contain the given word.
  private static func metrics(with word: String) -> [Topic] {
    Metric.allCases.map(topic).filter { $0.name.split(separator: "_").contains { $0 == word.lowercased() } }
  }

  /// The minimum number of letters required to match part of a key's name.
  private static let minPart = 4

  /// The names that can be suggested for an unknown name.
  static var names: [String] {
    var seen: Set<String> = []
    let rows = TableRow.allCases.map(\.rawValue)
    let keys = KeyTable.standard.entries + KeyTable.standard.planEntries
    return (all.map(\.name) + rows + keys.map(\.name)).filter {
      seen.insert($0).inserted && $0 != "*"
    }
  }

  /// Returns the key pattern that matches a path with names or indices, such as kinds.weather.jitter; `nil` if there is
  /// none.
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
    Topic("problem code for scenario files", code.rawValue, title: code.meaning.title, code.meaning.meaning)
  }

  private static func topic(_ defect: LogDefect) -> Topic {
    Topic("finding code for access logs", defect.rawValue, title: defect.meaning.title, defect.meaning.meaning)
  }

  private static func topic(_ metric: Metric) -> Topic {
    Topic(
      "metric", metric.rawValue, metric.explanation.meaning,
      [
        ("unit", "\(metric.unit): \(metric.measure.meaning)"),
        ("statistics", metric.statistics.map(\.rawValue).joined(separator: ", ")),
        ("labels", metric.labels.map(\.rawValue).joined(separator: ", ")), ("advice", metric.explanation.advice),
      ])
  }

  private static func topic(_ column: ColumnMeaning) -> Topic {
    Topic(
      "column of \(column.file)", column.column, column.meaning,
      [("unit", column.unit.isEmpty ? nil : column.unit)])
  }

  private static func topic(_ entry: KeyEntry) -> Topic {
    var topic = ofKey(entry)
    topic.children = children(of: entry.path).map { child in
      Topic.Child(
        name: String(child.path.dropFirst(entry.path.count + 1)),
        standard: child.default == .required ? "required" : defaultText(of: child),
        meaning: child.help)
    }
    topic.example = KeyExamples.line(of: entry)
    return topic
  }

  /// Returns the keys directly below a key. For a list, or for a mapping with user-defined names, returns the keys of
  /// its items.
  private static func children(of path: String) -> [KeyEntry] {
    let below = KeyTable.standard.children(of: path)
    guard below.count == 1, below[0].name == "*" else { return below }
    let items = children(of: below[0].path)
    return items.isEmpty ? below : items
  }

  private static func ofKey(_ entry: KeyEntry) -> Topic {
    let bounds = [entry.minimum.map { "from \($0)" }, entry.maximum.map { "to \($0)" }].compactMap { $0 }
    return Topic(
      entry.isOfPlan ? "plan key" : "scenario key", entry.path, entry.help.isEmpty ? "A scenario key." : entry.help,
      [
        ("form", entry.form), ("unit", entry.unit), ("default", defaultText(of: entry)),
        ("range", bounds.isEmpty ? nil : bounds.joined(separator: " ")),
      ] + varied(entry))
  }

  /// The topic for plan files as a whole, including their top-level keys.
  private static var plan: Topic {
    var topic = Topic(
      "file", "plan",
      "A YAML file with the growth, releases, capacity and prices of a fleet over a year, forecast by "
        + "'widgetfleet plan FILE'; 'widgetfleet init plan' writes one.")
    topic.children = children(of: "plan").map { child in
      Topic.Child(
        name: child.name, standard: child.default == .required ? "required" : defaultText(of: child),
        meaning: child.help)
    }
    return topic
  }

  /// Returns the range over which `run` varies an assumed key, and the evidence for that range; empty for other keys.
  private static func varied(_ entry: KeyEntry) -> [(String, String?)] {
    if entry.isOfPlan { return [] }
    let range = AssumedRange.all.first { entry.path == $0.key || entry.path.hasSuffix("." + $0.key) }
    guard let range else { return [] }
    return [
      ("plausible", range.span), ("evidence", range.evidence.rawValue), ("source", range.source),
      ("ends", range.reason),
    ]
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
    Cause.allCases.map { word("refresh cause", $0.name, $0.explanation) }
    + WaitReason.allCases.map { word("wait reason", $0.name, $0.explanation) }
    + FailureReason.allCases.map { word("failure reason", $0.name, $0.explanation) }
    + EnergyComponent.allCases.map { word("energy component", $0.name, $0.explanation) }
    + Statistic.allCases.map { Topic("statistic", $0.rawValue, $0.meaning) } + ofPages
    + Catalogue.scope.words.map { Topic("scope", $0.name, title: $0.title, $0.meaning) }

  fileprivate static let categoriesOfPages = ["report term", "page section"]

  /// The glossary of report pages. Spaces in terms are replaced by hyphens.
  private static let ofPages: [Topic] =
    Catalogue.glossary.words.flatMap { word in
      word.name.split(separator: ",").map { part in
        let name = words(part)
        return Topic("report term", name, word.meaning.prefix(1).uppercased() + word.meaning.dropFirst())
      }
    } + Catalogue.sections.words.map { Topic("page section", words($0.short), title: $0.title, $0.meaning) }

  /// Returns a heading or term as a single word, with hyphens instead of spaces.
  fileprivate static func words(_ text: some StringProtocol) -> String {
    text.lowercased().filter { !"%?,".contains($0) }.split(separator: " ").joined(separator: "-")
  }

  private static func word(_ category: String, _ name: String, _ meaning: Word) -> Topic {
    Topic(category, name, meaning.meaning, [("advice", meaning.advice)])
  }
}

extension KeyEntry {
  /// Whether the key belongs to plan files.
  fileprivate var isOfPlan: Bool { path.hasPrefix("plan.") }
}
