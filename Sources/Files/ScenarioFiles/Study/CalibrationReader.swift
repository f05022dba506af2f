package import Scenario

/// A reader for the `calibrate` section of a scenario file. If the section is missing, the plan requests all estimates
/// that a log supports.
package enum CalibrationReader {
  package struct Outcome: Sendable {
    /// The plan; `nil` if `diagnostics` contains an error.
    package var plan: CalibrationPlan?
    package var diagnostics: [Diagnostic] = []
  }

  /// Reads the calibration plan from a file.
  ///
  /// - Parameter fits: arguments in the form `PATH=LOW..HIGH`, as in `calibrate.fit`, or paths that have a built-in
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
          isUnknown ? "this key has no built-in range" : "--fit takes a range of quantities: PATH=LOW..HIGH",
          note: isUnknown ? "a range is needed" : "no such range", help: "--fit os.idle.after=30min..4h")
      }
    }
    // The check stops at the first invalid end of the range.
    _ = [0, 1].allSatisfy { end in
      ScenarioReader.isValid(with: plan.ranges.map { $0.setting(at: end) }, root, problems: &problems)
    }
    plan.texts = problems.emptied
    return Outcome(plan: problems.isEmpty ? plan : nil, diagnostics: problems.diagnostics)
  }

  /// Checks the `calibrate` section for commands that do not use it.
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

  /// Checks that at least one kind sends requests to each endpoint in the log.
  private static func checkEndpoints(_ node: Node?, _ base: Scenario, _ problems: inout ProblemList) {
    let known = base.endpoints.map(\.name)
    for pair in node?.pairs ?? [] where !known.contains(pair.key) {
      problems.add(
        .unknownName, at: pair.keySpan, "no kind uses the endpoint \(pair.key.quoted)", note: "not under requests",
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

/// The validated content of the `calibrate` section.
package struct CalibrationPlan: Sendable {
  package var log: LogRules
  /// The keys to estimate, in file order. If the list is empty, all keys that a log supports are estimated.
  package var fit: [FittedKey]
  /// The keys from the file and the command line that can be fitted by simulation, each with a range for a single
  /// quantity.
  package var ranges: [FitRange]
  /// The keys whose values are compared but never changed. If the list is empty, all keys of the team's own code are
  /// compared.
  package var check: [String]
  /// The scenario before any changes.
  package var base: Scenario
  let root: Node
  /// The source texts that positions refer to.
  var texts: ProblemList

  /// The rules for interpreting a log.
  package struct LogRules: Hashable, Sendable {
    /// The log format, as in `calibrate.log.format`.
    package var format = "auto"
    /// The `log_format` of nginx; `nil` for the predefined format `combined`.
    package var logFormat: String?
    /// The name of the field that identifies a phone; `nil` if there is no such field.
    package var id: String?
    /// The rule that identifies requests sent by the widget.
    package var widget: String?
    /// The endpoints in file order, each with a regular expression for the paths of its requests.
    package var endpoints: [Named] = []
    /// The locations of fields within a log entry.
    package var map: [Named] = []
  }

  package struct Named: Hashable, Sendable {
    package var name: String
    package var text: String
  }

  package struct FittedKey: Hashable, Sendable {
    package var path: String
    /// The prior as written in the file: the word `prior`, a range or a distribution.
    package var prior: String
  }

  /// A new value with a remark, or a remark on an unchanged value.
  package struct Change: Hashable, Sendable {
    package var path: String
    /// The new value in the form used in files; `nil` if the value is unchanged.
    package var value: String?
    package var comment: String

    package init(path: String, value: String?, comment: String) {
      (self.path, self.value, self.comment) = (path, value, comment)
    }
  }

  /// Whether a key keeps its value from the file, regardless of the log.
  ///
  /// - Parameter isTeams: whether the key describes the team's own code; such keys need not be listed in `fit`.
  package func keeps(_ path: String, isTeams: Bool) -> Bool {
    if check.contains(where: { path == $0 || path.hasPrefix($0 + ".") }) { return true }
    return !fit.isEmpty && !isTeams && !fit.contains { path.hasPrefix($0.path) }
  }

  /// Returns the scenario with each key set to the given position within its range; `nil` if the scenario is invalid.
  package func scenario(with ranges: [FitRange], at fractions: [Double]) -> Scenario? {
    var problems = texts
    let settings = zip(ranges, fractions).map { $0.setting(at: $1) }
    return ScenarioReader.scenario(of: root, with: settings, problems: &problems)
  }

  /// Returns the text of the file with some values replaced and comments added; `nil` if the new text would be read as
  /// different values.
  ///
  /// The rest of the text is unchanged.
  ///
  /// - Parameter file: the original bytes of the file.
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
  /// Returns the tree with all unchanged parts in the short forms used in the file.
  ///
  /// - Parameter expanded: the tree `written` with all short forms expanded.
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

/// An editor that adds comments to the lines of a YAML file.
enum Remarks {
  /// Returns the text with the comment of each change added to the line of the changed value; `nil` if the text cannot
  /// be read.
  ///
  /// If the line already has a comment, the new comment is placed on a separate line above it.
  static func text(_ bytes: [UInt8], with changes: [CalibrationPlan.Change]) -> [UInt8]? {
    var problems = ProblemList(file: SourceText(name: "file", bytes: bytes))
    guard let root = TreeReader.read(source: 0, problems: &problems), problems.isEmpty else { return nil }
    var remarks: [Int: [CalibrationPlan.Change]] = [:]
    for change in changes where !change.comment.isEmpty {
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

  /// Returns the comment for a line. If the line contains several values, the comment includes the last components of
  /// their paths.
  private static func comment(_ changes: [CalibrationPlan.Change]) -> String {
    guard changes.count > 1 else { return changes.map(\.comment).joined() }
    return changes.map { "\($0.path.split(separator: ".").last ?? ""): \($0.comment)" }.joined(separator: "; ")
  }

  /// Returns the line of a value, or of the last key on its path that exists, and whether the whole path exists.
  private static func line(of path: String, in root: Node) -> (line: Int, isWhole: Bool)? {
    var node = root
    var line: Int?
    var rest = path.split(separator: ".").map(String.init)[...]
    while !rest.isEmpty {
      guard let (next, place, count) = step(rest, in: node) else {
        // A value in short form is equivalent to the full form.
        let isShort = node.text != nil && rest.count == 1
        return line.map { ($0, isShort) }
      }
      (node, line, rest) = (next, place, rest.dropFirst(count))
    }
    return line.map { ($0, true) }
  }

  /// Returns the node after one step along a path. Names may contain dots, and list items are identified by index or
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

/// A change that applies from a given date, specified with `--change`, for example `2027-01-25:
/// kinds.weather.reload.after=1h`.
package struct DatedChange: Hashable, Sendable {
  /// The start of the change in milliseconds since 1970.
  package let start: Int64
  /// The setting to apply, as `PATH=VALUE`.
  package let setting: SetArgument

  /// Parses a date (midnight UTC) or an instant, followed by a colon, a space and a setting; returns `nil` for any
  /// other string.
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
