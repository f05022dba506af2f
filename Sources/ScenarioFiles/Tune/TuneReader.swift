import Scenario

/// Reads what the `tune` of a scenario file asks for.
package enum TuneReader {
  package struct Outcome: Sendable {
    /// nil when `diagnostics` hold an error.
    package var plan: TunePlan?
    package var diagnostics: [Diagnostic] = []
  }

  /// As many keys as Sobol's sequence has dimensions.
  static let mostKeys = 40

  /// Reads a file that is to be tuned: one without `tune` is a problem, unless the command line says it all.
  package static func read(
    text bytes: [UInt8], fileName: String, settings: [SetArgument], options: TuneOptions = TuneOptions(),
    files: NamedFiles = .none
  ) -> Outcome {
    var problems = ProblemList(
      file: SourceText(name: fileName, bytes: TextCheck.withoutMark(bytes)), files: files)
    guard let written = ScenarioReader.tree(settings, problems: &problems) else {
      return Outcome(diagnostics: problems.diagnostics)
    }
    let root = options.applied(to: written, problems: &problems)
    guard problems.isEmpty, let base = ScenarioReader.scenario(of: root, problems: &problems)
    else { return Outcome(diagnostics: problems.diagnostics) }
    if root["tune"] == nil {
      problems.add(
        .missingKey, at: nil, "the scenario does not say what to tune", note: "",
        help:
          "give --minimize and --search PATH=A..B, or the scenario a tune with a metric to minimize and paths to search"
      )
    }
    let plan = plan(root, base, problems: &problems)
    return Outcome(plan: problems.isEmpty ? plan : nil, diagnostics: problems.diagnostics)
  }

  /// Checks the `tune` of a file for those who do not simulate it.
  static func check(_ root: Node, _ base: Scenario, problems: inout ProblemList) {
    _ = plan(root, base, problems: &problems)
  }

  /// Checks the `tune` of a valid scenario; nil after a problem, and without a `tune`.
  private static func plan(_ root: Node, _ base: Scenario, problems: inout ProblemList) -> TunePlan? {
    guard let section = root["tune"], problems.isEmpty else { return nil }
    let goals = goals(section, base, &problems)
    let keys = keys(section, root, &problems)
    let objective = objective(section, keys, hasGoals: !goals.isEmpty, base, &problems)
    for key in keys where !problems.isFull { check(key, root, &problems) }
    guard problems.isEmpty, let objective, !keys.isEmpty else { return nil }
    return TunePlan(
      objective: objective, objectiveText: section["minimize"]?.text ?? "", goals: goals, keys: keys, base: base,
      root: root, problems: problems)
  }

  /// A figure, or a key that is searched.
  private static func objective(
    _ section: Node, _ keys: [SearchKey], hasGoals: Bool, _ base: Scenario, _ problems: inout ProblemList
  ) -> TuneObjective? {
    guard let node = section["minimize"], let text = node.text else { return nil }
    if let index = keys.firstIndex(where: { $0.path == text }) {
      if !keys[index].isOrdered {
        problems.add(
          .wrongShape, at: node.span, "\(text.quoted) is searched in a list, and a list has no least value",
          note: "to be minimized", help: "search it in a range such as 0s..30min")
      } else if !hasGoals {
        problems.add(
          .missingKey, at: node.span, "nothing keeps \(text.quoted) from the low end of its range: there are no goals",
          note: "to be minimized", help: "the least value that holds needs goals that can be missed")
      }
      return .key(index)
    }
    if text.contains("."), !text.contains(where: { "{( ".contains($0) }) {
      problems.add(
        .unknownName, at: node.span, "\(text.quoted) is not among the keys that are searched", note: "not searched",
        help: Spelling.hint(text, among: keys.map(\.path))
          ?? "what is minimized is a searched key, or a metric as in goals")
      return nil
    }
    do { return .figure(try AssertionReader.figure(text, LabelNames(of: base))) } catch {
      problems.add(error, at: node.span)
      return nil
    }
  }

  /// Those of `subject_to`; without it all.
  private static func goals(_ section: Node, _ base: Scenario, _ problems: inout ProblemList) -> [Goal] {
    guard let items = section["subject_to"]?.items else { return base.goals }
    let known = base.goals.map(\.id)
    var chosen: Set<String> = []
    for item in items {
      guard let id = item.text else { continue }
      if !known.contains(id) {
        let list = known.isEmpty ? "the scenario has no goals" : "goals are \(known.prefix(12).joined(separator: ", "))"
        problems.add(
          .unknownName, at: item.span, "there is no goal \(id.quoted)", note: "not under goals",
          help: Spelling.hint(id, among: known) ?? Help(list.printable))
      } else if !chosen.insert(id).inserted {
        problems.add(.duplicateName, at: item.span, "the goal \(id.quoted) stands here twice", note: "the second time")
      }
    }
    return base.goals.filter { chosen.contains($0.id) }
  }

  private static func keys(_ section: Node, _ root: Node, _ problems: inout ProblemList) -> [SearchKey] {
    guard let search = section["search"], let pairs = search.pairs else { return [] }
    if pairs.isEmpty || pairs.count > mostKeys {
      problems.add(
        pairs.isEmpty ? .nothingThere : .tooBig, at: search.span.narrow,
        pairs.isEmpty ? "'search' is empty" : "'search' has more than \(mostKeys) keys",
        note: pairs.isEmpty ? "at least one is needed" : "too many",
        help: "its keys are paths, their values ranges: kinds.weather.jitter.up_to: 0s..30min")
    }
    return pairs.prefix(mostKeys).compactMap { SearchKey($0, in: root, problems: &problems) }
  }

  /// Whether the scenario is valid at both ends of a range, and with every word.
  private static func check(_ key: SearchKey, _ root: Node, _ problems: inout ProblemList) {
    let levels = key.isOrdered ? [0, key.levels - 1] : Array(0..<min(key.levels, 1_000))
    for level in levels {
      let before = problems.count
      let tree = SettingApplier.apply(key.setting(at: level), to: root, problems: &problems)
      var trial = problems.emptied
      guard problems.count == before, ScenarioReader.scenario(of: tree, problems: &trial) == nil else {
        if problems.count > before { return }
        continue
      }
      problems.take(trial)
      // One value that is wrong is enough.
      return
    }
  }
}

extension AssertionReader {
  /// A figure alone: the whole of a text.
  static func figure(_ text: String, _ names: LabelNames) throws(AssertionProblem) -> FigureName {
    var reader = AssertionReader(names: names, text: AssertionText(text))
    let figure = try reader.figure()
    let (more, place) = reader.text.rest()
    guard more.isEmpty else {
      throw reader.text.problem(
        .badAssertion, "nothing follows the metric here", note: "too much",
        help: "what to make small is a metric alone; its limits are goals", at: place)
    }
    return figure
  }
}
