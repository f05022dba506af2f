import Scenario
import Testing

@testable import ScenarioFiles

/// The key table agrees with the design's reference.
@Suite struct ReferenceTests {
  private let table = KeyTable.standard

  @Test func everyKeyIsInTheTable() throws {
    var problems = ProblemList(file: SourceText(name: "reference", bytes: Array(Samples.reference.utf8)))
    let root = try #require(TreeReader.read(source: 0, problems: &problems))
    var missing: [String] = []
    walk(root, "", &missing)
    #expect(missing == [])
  }

  private func walk(_ node: Node, _ path: String, _ missing: inout [String]) {
    for item in node.items ?? [] where !table.children(of: path).isEmpty { walk(item, path + ".*", &missing) }
    for pair in node.pairs ?? [] {
      if let entry = table.child(pair.key, of: path) {
        walk(pair.value, entry.path, &missing)
      } else if !isWhole(path) {
        missing.append(path + "." + pair.key)
      }
    }
  }

  /// Returns whether the table describes the value of a key as a whole.
  private func isWhole(_ path: String) -> Bool {
    (table[path]?.type.alternatives ?? []).contains { type in
      switch type {
      case .distribution, .shares, .anything: true
      default: false
      }
    }
  }

  /// The lines have the form `key: value # [default] ...` or `# <dist> [default]`, by the key's name.
  @Test func bracketedDefaultsMatchTheTable() throws {
    var checked = 0
    for line in Samples.reference.split(separator: "\n") {
      guard let row = Row(line) else { continue }
      let entries = table.entries.filter { $0.name == row.key && !$0.path.hasPrefix("events.") }
      let texts = entries.map { defaultText($0) }
      #expect(texts.contains(row.standard), "\(row.key): \(texts) instead of \(row.standard)")
      checked += 1
    }
    #expect(checked >= 30, "\(checked)")
  }

  private func defaultText(_ entry: KeyEntry) -> String {
    switch entry.default {
    case .required: "required"
    case .value(let text): text
    case .none: "none"
    case .absent: "absent"
    }
  }

  /// A key and its default.
  private struct Row {
    var key: String
    var standard: String

    init?(_ line: Substring) {
      guard let hash = line.firstIndex(of: "#"), let colon = line.firstIndex(of: ":"), colon < hash else { return nil }
      let comment = line[hash...].dropFirst().drop { $0 == " " }
      let value = String(line[line.index(after: colon)..<hash]).trimmed
      key = String(line[..<colon]).replacing("- ", with: "").trimmed
      let rest = comment.hasPrefix("<dist> ") ? comment.dropFirst(7) : comment
      if rest.hasPrefix("required") {
        standard = "required"
      } else if rest.first == "[", let end = rest.firstIndex(of: "]") {
        let inside = String(rest[rest.index(after: rest.startIndex)..<end])
        standard = inside == "this" ? value : inside
      } else {
        return nil
      }
      let others = ["network", "power", "attempts", "entries", "on_error", "phones", "app", "subject_to"]
      if others.contains(key) || value.hasPrefix("*") { return nil }
    }
  }

  @Test(arguments: [
    ("kinds.*.entries.count", "1"), ("kinds.*.entries.every", "1h"), ("kinds.*.entries.align", "run"),
    ("kinds.*.on_error", "{after: 15min}"), ("kinds.*.attempts.count", "1"), ("kinds.*.attempts.backoff", "2s"),
    ("fleet.cohorts.*.phones", "{iphone-15: 100%}"), ("fleet.cohorts.*.network.wifi", "63%"),
    ("fleet.cohorts.*.network.dwell", "3h"), ("fleet.cohorts.*.network.cellular", "lte-2021-vz"),
    ("fleet.cohorts.*.network.offline.share", "0%"), ("fleet.cohorts.*.network.offline.mean", "20min"),
    ("fleet.cohorts.*.power.overnight", "85%"), ("fleet.cohorts.*.power.health", "100%"),
    ("fleet.cohorts.*.power.low_power_mode", "30%"), ("fleet.cohorts.*.widgets.*.family", "small"),
    ("fleet.cohorts.*.widgets.*.page", "1"), ("fleet.cohorts.*.widgets.*.share", "100%"),
    ("app.reloads.*.clears_cache", "false"), ("app.reloads.*.fills_cache", "false"),
    ("app.reloads.*.restarts", "false"),
    ("kinds.*.taps.burst", "1"), ("kinds.*.taps.gap", "3s"), ("kinds.*.taps.reloads", "kind"),
    ("backend.endpoints.*.timeout", "30s"), ("events.*.outage.errors", "100%"), ("goals.*.severity", "error"),
  ]) func otherDefaultsMatchTheTable(_ path: String, _ standard: String) {
    #expect(table[path].map(defaultText) == standard)
  }

  @Test func everyDefaultAndBoundCanBeRead() {
    for entry in table.entries {
      var problems = ProblemList(file: SourceText(name: "default", bytes: []))
      if case .value(let text) = entry.default, let node = Defaults.node(text) {
        var check = TreeCheck(problems: problems)
        check.check(node, entry, TreeCheck.Place(key: entry.name, span: node.span, owner: entry.name))
        problems = check.problems
      }
      #expect(problems.diagnostics.humanText == "", "\(entry.path)")
      for bound in [entry.minimum, entry.maximum].compactMap({ $0 }) {
        let isRead = entry.boundTypes.contains { (try? Scalars.measure(bound, as: $0)) != nil }
        #expect(isRead, "\(entry.path): \(bound)")
      }
    }
  }
}

extension KeyEntry {
  fileprivate var boundTypes: [ValueType] {
    type.alternatives.map { type in
      switch type {
      case .distribution(of: let inner), .range(of: let inner), .values(of: let inner, _): inner
      default: type
      }
    }
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = Substring(self).drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
