import Scenario

/// Reads what the `calibrate` of a scenario file asks for; a file without asks for everything that a log can tell.
package enum CalibrationReader {
  package struct Outcome: Sendable {
    /// nil when `diagnostics` hold an error.
    package var plan: CalibrationPlan?
    package var diagnostics: [Diagnostic] = []
  }

  /// - Parameter fits: `PATH=LOW..HIGH`, as in `calibrate.fit`, or a path that has a built-in range.
  package static func read(
    text bytes: [UInt8], fileName: String, settings: [SetArgument], fits: [SetArgument] = [],
    files: NamedFiles = .none
  ) -> Outcome {
    var problems = ProblemList(
      file: SourceText(name: fileName, bytes: TextCheck.withoutMark(bytes)), files: files)
    guard let root = ScenarioReader.tree(settings, problems: &problems),
      let base = ScenarioReader.scenario(of: root, problems: &problems)
    else { return Outcome(diagnostics: problems.diagnostics) }
    var plan = plan(root, base, &problems)
    for argument in fits {
      let text = argument.text.contains("=") ? argument.text : argument.text + "=" + BuiltInRange.word
      let source = problems.add(source: SourceText(name: "--fit argument", bytes: Array(text.utf8)))
      guard let setting = Setting.read(source: source, option: "--fit", problems: &problems) else { continue }
      if let range = FitRange(setting, in: root, problems: &problems) {
        plan.ranges.append(range)
      } else if problems.isEmpty {
        let isUnknown = setting.value.text == BuiltInRange.word
        problems.add(
          .wrongShape, at: setting.value.span,
          isUnknown ? "this key has no built-in range" : "--fit takes PATH=LOW..HIGH of an amount",
          note: isUnknown ? "say where to look" : "no such range", help: "--fit os.idle.after=30min..4h")
      }
    }
    return Outcome(plan: problems.isEmpty ? plan : nil, diagnostics: problems.diagnostics)
  }

  /// Checks the `calibrate` of a file for those who do not use it.
  static func check(_ root: Node, _ base: Scenario, problems: inout ProblemList) { _ = plan(root, base, &problems) }

  private static func plan(_ root: Node, _ base: Scenario, _ problems: inout ProblemList) -> CalibrationPlan {
    let section = root["calibrate"]
    let log = section?["log"]
    checkEndpoints(log?["endpoints"], base, &problems)
    return CalibrationPlan(
      log: log.map(rules) ?? CalibrationPlan.LogRules(), fit: fit(section?["fit"], root, &problems),
      ranges: ranges(section?["fit"], root, &problems), check: checked(section?["check"], root, &problems), base: base,
      root: root)
  }

  private static func rules(_ log: Node) -> CalibrationPlan.LogRules {
    CalibrationPlan.LogRules(
      format: log["format"]?.text ?? "auto", logFormat: log["log_format"]?.text, id: log["id"]?.text,
      widget: log["widget"]?.text, endpoints: named(log["endpoints"]), map: named(log["map"]))
  }

  private static func named(_ node: Node?) -> [CalibrationPlan.Named] {
    (node?.pairs ?? []).map { CalibrationPlan.Named(name: $0.key, text: $0.value.text ?? "") }
  }

  /// Endpoints of the log must be ones that a kind asks.
  private static func checkEndpoints(_ node: Node?, _ base: Scenario, _ problems: inout ProblemList) {
    let known = base.endpoints.map(\.name)
    for pair in node?.pairs ?? [] where !known.contains(pair.key) {
      problems.add(
        .unknownName, at: pair.keySpan, "no kind asks an endpoint \(pair.key.quoted)", note: "not under requests",
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
