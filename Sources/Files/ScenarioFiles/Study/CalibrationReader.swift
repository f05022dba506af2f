package import Scenario

/// A reader for the `calibrate` section of a scenario file. If there is no such section, the plan requests all
/// estimates that a log supports.
package enum CalibrationReader {
  package struct Outcome: Sendable {
    /// The plan; `nil` if `diagnostics` contains an error.
    package var plan: CalibrationPlan?
    package var diagnostics: [Diagnostic] = []
  }

  /// Reads the calibration plan of a file.
  ///
  /// - Parameter fits: arguments of the form `PATH=LOW..HIGH`, as in `calibrate.fit`, or paths that have a built-in
  ///   range.
  package static func read(
    text bytes: [UInt8], fileName: String, settings: [SetArgument], fits: [SetArgument] = [],
    files: NamedFiles = .none
  ) -> Outcome {
    var problems = ProblemList(
      file: SourceText(file: fileName, bytes), files: files)
    guard let root = ScenarioReader.tree(settings, problems: &problems),
      let base = ScenarioReader.scenario(of: root, problems: &problems)
    else { return Outcome(diagnostics: problems.diagnostics) }
    var plan = plan(root, base, &problems)
    for argument in fits {
      let text = argument.text.contains("=") ? argument.text : argument.text + "=" + BuiltInRange.word
      let source = problems.add(argument: "--fit", text)
      guard let setting = Setting.read(source: source, option: "--fit", problems: &problems) else { continue }
      if let range = FitRange(setting, in: root, problems: &problems) {
        plan.ranges.append(range)
      } else if problems.isEmpty {
        let isUnknown = setting.value.text == BuiltInRange.word
        problems.add(
          .wrongShape, at: setting.value.span,
          isUnknown ? "this key has no built-in range" : "--fit takes PATH=LOW..HIGH with quantities",
          note: isUnknown ? "a range is needed" : "no such range", help: "--fit os.idle.after=30min..4h")
      }
    }
    // The check stops at the first end of the range that is invalid.
    _ = [0, 1].allSatisfy { end in
      ScenarioReader.isValid(with: plan.ranges.map { $0.setting(at: end) }, root, problems: &problems)
    }
    plan.texts = problems.emptied
    return Outcome(plan: problems.isEmpty ? plan : nil, diagnostics: problems.diagnostics)
  }

  /// Checks the `calibrate` section of a file, for commands that do not use the section.
  static func check(_ root: Node, _ base: Scenario, problems: inout ProblemList) { _ = plan(root, base, &problems) }

  private static func plan(_ root: Node, _ base: Scenario, _ problems: inout ProblemList) -> CalibrationPlan {
    let section = root["calibrate"]
    let log = section?["log"]
    checkEndpoints(log?["endpoints"], base, &problems)
    return CalibrationPlan(
      log: log.map(rules) ?? CalibrationPlan.LogRules(), fit: fit(section?["fit"], root, &problems),
      ranges: ranges(section?["fit"], root, &problems), check: checked(section?["check"], root, &problems), base: base,
      root: root, texts: problems.emptied)
  }

  private static func rules(_ log: Node) -> CalibrationPlan.LogRules {
    CalibrationPlan.LogRules(
      format: log["format"]?.text ?? "auto", logFormat: log["log_format"]?.text, id: log["id"]?.text,
      widget: log["widget"]?.text, endpoints: named(log["endpoints"]), map: named(log["map"]))
  }

  private static func named(_ node: Node?) -> [CalibrationPlan.Named] {
    (node?.pairs ?? []).map { CalibrationPlan.Named(name: $0.key, text: $0.value.text ?? "") }
  }

  /// Checks that a kind sends requests to each of the log's endpoints.
  private static func checkEndpoints(_ node: Node?, _ base: Scenario, _ problems: inout ProblemList) {
    let known = base.endpoints.map(\.name)
    for pair in node?.pairs ?? [] where !known.contains(pair.key) {
      problems.add(
        .unknownName, at: pair.keySpan, "no kind uses an endpoint \(pair.key.quoted)", note: "not under requests",
        help: Spelling.hint(pair.key, among: known) ?? Help("endpoints are \(known.joined(separator: ", "))".printable))
    }
  }

  private static func fit(
    _ node: Node?, _ root: Node, _ problems: inout ProblemList
  ) -> [CalibrationPlan.FittedKey] {
    (node?.pairs ?? []).map { pair in
      let setting = Setting(steps: Setting.steps(ofKey: pair), value: pair.value, option: "calibrate.fit")
      _ = SettingApplier.target(of: setting, in: root, problems: &problems)
      return CalibrationPlan.FittedKey(path: pair.key, prior: pair.value.flowText)
    }
  }

  private static func ranges(_ node: Node?, _ root: Node, _ problems: inout ProblemList) -> [FitRange] {
    (node?.pairs ?? []).compactMap { pair in
      let setting = Setting(steps: Setting.steps(ofKey: pair), value: pair.value, option: "calibrate.fit")
      return FitRange(setting, in: root, problems: &problems)
    }
  }

  private static func checked(_ node: Node?, _ root: Node, _ problems: inout ProblemList) -> [String] {
    (node?.items ?? []).compactMap { item in
      guard let path = item.text else { return nil }
      let key = Node.Pair(key: path, keySpan: item.span, value: item)
      let setting = Setting(steps: Setting.steps(ofKey: key), value: item, option: "calibrate.check")
      _ = SettingApplier.target(of: setting, in: root, problems: &problems)
      return path
    }
  }
}

/// The parsed and validated content of a scenario file's `calibrate` section.
package struct CalibrationPlan: Sendable {
  package var log: LogRules
  /// The keys to estimate, in file order; empty to estimate all keys that a log supports.
  package var fit: [FittedKey]
  /// The keys from the file and the command line that a simulation may fit; each has a range for a single quantity.
  package var ranges: [FitRange]
  /// The keys whose values are compared but never changed; empty to compare all keys of the team's own code.
  package var check: [String]
  /// The scenario before any change.
  package var base: Scenario
  let root: Node
  /// The source texts to which the positions of values refer.
  var texts: ProblemList

  /// The rules for reading a log.
  package struct LogRules: Hashable, Sendable {
    /// The format of the log, as written for `calibrate.log.format`.
    package var format = "auto"
    /// The log_format of nginx; `nil` for the format `combined`.
    package var logFormat: String?
    /// The name of the field that identifies phones; `nil` if there is no such field.
    package var id: String?
    /// The rule for recognizing requests that the widget has sent.
    package var widget: String?
    /// The endpoints in file order, each with a regular expression that matches the paths of its requests.
    package var endpoints: [Named] = []
    /// The locations of the fields within each log entry.
    package var map: [Named] = []
  }

  package struct Named: Hashable, Sendable {
    package var name: String
    package var text: String
  }

  package struct FittedKey: Hashable, Sendable {
    package var path: String
    /// The prior as it is written, which can be the word `prior`, a range or a distribution.
    package var prior: String
  }

  /// A new value with a remark, or only a remark on a value that does not change.
  package struct Change: Hashable, Sendable {
    package var path: String
    /// The new value as it would be written in the file; `nil` if the value does not change.
    package var value: String?
    package var comment: String

    package init(path: String, value: String?, comment: String) {
      (self.path, self.value, self.comment) = (path, value, comment)
    }
  }

  /// Whether a key keeps the value that it has in the file, no matter what the log contains.
  ///
  /// - Parameter isTeams: whether the key belongs to the team's own code; such keys need not be listed in `fit`.
  package func keeps(_ path: String, isTeams: Bool) -> Bool {
    if check.contains(where: { path == $0 || path.hasPrefix($0 + ".") }) { return true }
    return !fit.isEmpty && !isTeams && !fit.contains { path.hasPrefix($0.path) }
  }

  /// Returns the scenario after setting each key to the given position in its range; `nil` if the scenario is invalid.
  package func scenario(with ranges: [FitRange], at fractions: [Double]) -> Scenario? {
    var problems = texts
    let settings = zip(ranges, fractions).map { $0.setting(at: $1) }
    return ScenarioReader.scenario(of: root, with: settings, problems: &problems)
  }

  /// Returns the text of the file after replacing some values and adding comments; `nil` if reading this text would
  /// yield different values.
  ///
  /// All other parts of the text are unchanged.
  ///
  /// - Parameter file: the bytes of the file, as they were read.
  package func text(of file: [UInt8], with changes: [Change]) -> [UInt8]? {
    TextEditor.text(
      of: file,
      changed: { written, problems in
        let settings = changes.compactMap { change -> Setting? in
          guard let value = change.value else { return nil }
          let source = problems.add(source: SourceText(name: "value", bytes: Array("\(change.path)=\(value)".utf8)))
          return Setting.read(source: source, problems: &problems)
        }
        let wanted = SettingApplier.apply(settings, to: written, problems: &problems)
        return wanted.shortened(as: written, meaning: Shorthand.expand(written, at: ""))
      },
      remark: { Remarks.text($0, with: changes) })
  }
}

extension Node {
  /// Returns the tree after replacing its unchanged parts by the short forms in which they were written.
  ///
  /// - Parameter expanded: the tree `written`, with all short forms expanded.
  func shortened(as written: Node, meaning expanded: Node) -> Node {
    if means(expanded) { return written }
    switch content {
    case .mapping(let pairs):
      let own = pairs.map { pair -> Pair in
        guard let old = written[pair.key], let full = expanded[pair.key] else { return pair }
        var pair = pair
        pair.value = pair.value.shortened(as: old, meaning: full)
        return pair
      }
      return Node(content: .mapping(own), span: span)
    case .list(let items):
      guard let old = written.items, let full = expanded.items, old.count == items.count, full.count == items.count
      else { return self }
      let own = items.indices.map { items[$0].shortened(as: old[$0], meaning: full[$0]) }
      return Node(content: .list(own), span: span)
    default: return self
    }
  }
}

/// An editor that adds comments to lines of a YAML file.
enum Remarks {
  /// Returns the text after adding the comment of each change to the line of its value; `nil` if the text cannot be
  /// read.
  ///
  /// If the line already has a comment, that comment is kept, and the new comment is put on a separate line above it.
  static func text(_ bytes: [UInt8], with changes: [CalibrationPlan.Change]) -> [UInt8]? {
    var problems = ProblemList(file: SourceText(name: "file", bytes: bytes))
    guard let root = TreeReader.read(source: 0, problems: &problems), problems.isEmpty else { return nil }
    var remarks: [Int: [CalibrationPlan.Change]] = [:]
    for change in changes {
      guard let (line, isWhole) = line(of: change.path, in: root), isWhole || change.value != nil else { continue }
      remarks[line, default: []].append(change)
    }
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    for (number, changes) in remarks.sorted(by: { $0.key > $1.key }) where number <= lines.count {
      let comment = "# " + self.comment(changes)
      let line = lines[number - 1]
      let ending: [UInt8] = line.last == 0x0D ? [0x0D] : []
      if line.contains(UInt8(ascii: "#")) || line.last == UInt8(ascii: "|") || line.last == UInt8(ascii: ">") {
        let indent = Array(line.prefix { $0 == 0x20 })
        lines.insert(indent + Array(comment.utf8) + ending, at: number - 1)
      } else {
        lines[number - 1] = line.dropLast(ending.count) + Array(("  " + comment).utf8) + ending
      }
    }
    return Array(lines.joined(separator: [0x0A]))
  }

  /// Returns the comment for a line; if there are several values on the line, the last components of their paths are
  /// included.
  private static func comment(_ changes: [CalibrationPlan.Change]) -> String {
    guard changes.count > 1 else { return changes.map(\.comment).joined() }
    return changes.map { "\($0.path.split(separator: ".").last ?? ""): \($0.comment)" }.joined(separator: "; ")
  }

  /// Returns the line of the value, or else of the last key on its path that is written, and whether the whole path is
  /// written.
  private static func line(of path: String, in root: Node) -> (line: Int, isWhole: Bool)? {
    var node = root
    var line: Int?
    var rest = path.split(separator: ".").map(String.init)[...]
    while !rest.isEmpty {
      guard let (next, place, count) = step(rest, in: node) else {
        // A value in the short form is equivalent to the full form.
        let isShort = node.text != nil && rest.count == 1
        return line.map { ($0, isShort) }
      }
      (node, line, rest) = (next, place, rest.dropFirst(count))
    }
    return line.map { ($0, true) }
  }

  /// Returns the node after one step along a path; names may contain dots, and list items are identified by number or
  /// name.
  private static func step(_ rest: ArraySlice<String>, in node: Node) -> (Node, Int, Int)? {
    if let items = node.items, let first = rest.first {
      let index = Int(first) ?? items.firstIndex { ($0["name"] ?? $0["id"])?.text == first }
      guard let index, items.indices.contains(index) else { return nil }
      return (items[index], items[index].span.line, 1)
    }
    for count in (1...rest.count).reversed() {
      let key = rest.prefix(count).joined(separator: ".")
      if let pair = node.pairs?.first(where: { $0.key == key }) { return (pair.value, pair.value.span.line, count) }
    }
    return nil
  }
}

/// A change that applies to a scenario from a date, as given with `--change`: `2027-01-25:
/// kinds.weather.reload.after=1h`.
package struct DatedChange: Hashable, Sendable {
  /// The start of the change, in milliseconds since 1970.
  package let start: Int64
  /// The setting to apply, in the form `PATH=VALUE`.
  package let setting: SetArgument

  /// Reads a date (meaning midnight UTC) or an instant, followed by a colon, a space and a setting; `nil` for other
  /// strings.
  package init?(_ text: String) {
    guard let colon = text.firstRange(of: ": ") else { return nil }
    let date = String(text[..<colon.lowerBound])
    let instant = date.utf8.count == Self.dateLength ? date + "T00:00:00Z" : date
    guard let start = try? CalendarText.instant(instant) else { return nil }
    self.start = start
    setting = SetArgument(String(text[colon.upperBound...].drop { $0 == " " }), option: "--change")
  }

  private static let dateLength = "2027-01-25".utf8.count
}
