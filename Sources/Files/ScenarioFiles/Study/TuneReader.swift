package import Scenario

/// A reader for the `tune` section of a scenario file.
package enum TuneReader {
  package struct Outcome: Sendable {
    /// The plan; `nil` if `diagnostics` contains an error.
    package var plan: TunePlan?
    package var diagnostics: [Diagnostic] = []
  }

  /// The maximum number of keys to search, which equals the number of dimensions of the Sobol sequence.
  static let maxKeys = 40

  /// Reads a file for tuning. The file must have a `tune` section unless the command line specifies both the objective
  /// and the keys.
  package static func read(
    text bytes: [UInt8], fileName: String, settings: [SetArgument], options: TuneOptions = TuneOptions(),
    files: NamedFiles = .none
  ) -> Outcome {
    var problems = ProblemList(
      file: SourceText(file: fileName, bytes), files: files)
    guard let written = ScenarioReader.tree(settings, problems: &problems) else {
      return Outcome(diagnostics: problems.diagnostics)
    }
    let root = options.applied(to: written, problems: &problems)
    guard problems.isEmpty, let base = ScenarioReader.scenario(of: root, problems: &problems)
    else { return Outcome(diagnostics: problems.diagnostics) }
    if root["tune"] == nil {
      problems.add(
        .missingKey, at: nil, "the scenario has no 'tune' section", note: "",
        help:
          "add --minimize and --search PATH=A..B, or a tune section with a metric to minimize and paths to search"
      )
    }
    let plan = plan(root, base, problems: &problems)
    return Outcome(plan: problems.isEmpty ? plan : nil, diagnostics: problems.diagnostics)
  }

  /// Checks the `tune` section for commands that do not use it.
  static func check(_ root: Node, _ base: Scenario, problems: inout ProblemList) {
    _ = plan(root, base, problems: &problems)
  }

  /// Returns the tuning plan for a valid scenario; `nil` if there is a problem or no `tune` section.
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

  /// Returns the objective of tuning, which is a metric or one of the searched keys.
  private static func objective(
    _ section: Node, _ keys: [SearchKey], hasGoals: Bool, _ base: Scenario, _ problems: inout ProblemList
  ) -> TuneObjective? {
    guard let node = section["minimize"], let text = node.text else { return nil }
    if let index = keys.firstIndex(where: { $0.path == text }) {
      if !keys[index].isOrdered {
        problems.add(
          .wrongShape, at: node.span, "\(text.quoted) is searched in a list, which has no smallest value",
          note: "to be minimized", help: "search it in a range such as 0s..30min")
      } else if !hasGoals {
        problems.add(
          .missingKey, at: node.span, "nothing keeps \(text.quoted) above the low end of its range: there are no goals",
          note: "to be minimized", help: "goals are needed to find the lowest value that holds")
      }
      return .key(index)
    }
    if text.contains("."), !text.contains(where: { "{( ".contains($0) }) {
      problems.add(
        .unknownName, at: node.span, "\(text.quoted) is not among the searched keys", note: "not searched",
        help: Spelling.hint(text, among: keys.map(\.path))
          ?? "minimize a searched key, or a metric as in goals")
      return nil
    }
    do { return .figure(try AssertionReader.figure(text, LabelNames(of: base))) } catch {
      problems.add(error, at: node.span)
      return nil
    }
  }

  /// Returns the goals listed under `subject_to`, or all goals if the key is omitted.
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
        problems.add(.duplicateName, at: item.span, "the goal \(id.quoted) is listed twice", note: "the second time")
      }
    }
    return base.goals.filter { chosen.contains($0.id) }
  }

  private static func keys(_ section: Node, _ root: Node, _ problems: inout ProblemList) -> [SearchKey] {
    guard let search = section["search"], let pairs = search.pairs else { return [] }
    if pairs.isEmpty || pairs.count > maxKeys {
      problems.add(
        pairs.isEmpty ? .nothingThere : .tooBig, at: search.span.narrow,
        pairs.isEmpty ? "'search' is empty" : "'search' has more than \(maxKeys) keys",
        note: pairs.isEmpty ? "at least one is needed" : "too many",
        help: "keys are paths and values are ranges: kinds.weather.jitter.up_to: 0s..30min")
    }
    return pairs.prefix(maxKeys).compactMap { SearchKey($0, in: root, problems: &problems) }
  }

  /// Checks that the scenario is valid at both ends of a range, or for each word of a list.
  private static func check(_ key: SearchKey, _ root: Node, _ problems: inout ProblemList) {
    let levels = key.isOrdered ? [0, key.levels - 1] : Array(0..<min(key.levels, 1_000))
    // The check stops at the first invalid value.
    _ = levels.allSatisfy { ScenarioReader.isValid(with: [key.setting(at: $0)], root, problems: &problems) }
  }
}

extension ScenarioReader {
  /// Whether the scenario is valid after applying settings; adds problems if it is not.
  static func isValid(with settings: [Setting], _ root: Node, problems: inout ProblemList) -> Bool {
    let before = problems.count
    let tree = SettingApplier.apply(settings, to: root, problems: &problems)
    guard problems.count == before else { return false }
    var trial = problems.emptied
    let isValid = scenario(of: tree, problems: &trial) != nil
    if !isValid { problems.take(trial) }
    return isValid
  }
}

extension AssertionReader {
  /// Parses a string that consists of a single metric.
  static func figure(_ text: String, _ names: LabelNames) throws(AssertionProblem) -> FigureName {
    var reader = AssertionReader(names: names, text: AssertionText(text))
    let figure = try reader.figure()
    let (more, place) = reader.text.rest()
    guard more.isEmpty else {
      throw reader.text.problem(
        .badAssertion, "nothing may follow the metric here", note: "unexpected",
        help: "minimize takes only a metric; limits belong in goals", at: place)
    }
    return figure
  }
}

/// The validated tuning plan, from the scenario file or the command line.
package struct TunePlan: Sendable {
  package var objective: TuneObjective
  /// The objective, as written by the user.
  package var objectiveText: String
  /// The goals that must be met, in file order.
  package var goals: [Goal]
  package var keys: [SearchKey]
  /// The scenario before any changes.
  package var base: Scenario
  let root: Node
  let problems: ProblemList

  /// Returns a key's value in the scenario as written; `nil` if the key is missing or has no plain value.
  package func written(_ key: SearchKey) -> String? { root.value(at: key.steps[...])?.text }

  /// Returns the values of the keys at the given levels, in the form used in files.
  package func values(at levels: [Int]) -> [String] { zip(keys, levels).map { $0.text(at: $1) } }

  /// Returns the scenario at the given levels, or the reasons why it is invalid.
  package func scenario(at levels: [Int]) -> (scenario: Scenario?, diagnostics: [Diagnostic]) {
    var problems = problems
    let scenario = ScenarioReader.scenario(of: root, with: settings(at: levels), problems: &problems)
    return (scenario, problems.diagnostics)
  }

  private func settings(at levels: [Int]) -> [Setting] { zip(keys, levels).map { $0.setting(at: $1) } }

  /// Returns the text of the file with the values at the given levels; `nil` if the new text would be read as different
  /// values.
  ///
  /// The rest of the text is unchanged.
  ///
  /// - Parameter file: the original bytes of the file.
  package func tunedText(of file: [UInt8], at levels: [Int]) -> [UInt8]? {
    TextEditor.text(of: file) { SettingApplier.apply(settings(at: levels), to: $0, problems: &$1) }
  }
}

/// An editor that applies settings to the text of a file.
package enum SettingText {
  /// Returns the text of a file with settings applied; `nil` if the new text would be read as different values.
  ///
  /// The rest of the text is unchanged.
  package static func text(of file: [UInt8], with settings: [SetArgument]) -> [UInt8]? {
    TextEditor.text(of: file) { root, problems in
      let read = settings.compactMap { argument in
        let source = problems.add(argument: argument.option, argument.text)
        return Setting.read(source: source, option: argument.option, problems: &problems)
      }
      return SettingApplier.apply(read, to: root, problems: &problems)
    }
  }
}

extension TextEditor {
  /// Returns the text of a file with its tree changed; `nil` if the new text would be read as a different tree.
  ///
  /// - Parameter remark: a further edit of the text that does not change its meaning.
  static func text(
    of file: [UInt8], changed change: (Node, inout ProblemList) -> Node, remark: ([UInt8]) -> [UInt8]? = { $0 }
  ) -> [UInt8]? {
    let bytes = TextCheck.withoutMark(file)
    let mark = Array(file.prefix(file.count - bytes.count))
    var problems = ProblemList(file: SourceText(name: "file", bytes: bytes))
    guard let written = TreeReader.read(source: 0, problems: &problems) else { return nil }
    let wanted = change(written, &problems)
    guard problems.isEmpty, let text = TextEditor.text(bytes, written, changedTo: wanted).flatMap(remark) else {
      return nil
    }
    // The new text is read again to ensure that a text with a different meaning is never written.
    var second = ProblemList(file: SourceText(name: "file", bytes: text))
    guard let tree = TreeReader.read(source: 0, problems: &second), second.isEmpty, tree.means(wanted) else {
      return nil
    }
    return mark + text
  }
}

extension Node {
  /// Whether two trees have the same meaning, ignoring positions and the order of keys.
  func means(_ other: Node) -> Bool {
    switch (content, other.content) {
    case (.scalar(let text, _), .scalar(let others, _)): return text == others
    case (.list(let items), .list(let others)):
      return items.count == others.count && zip(items, others).allSatisfy { $0.means($1) }
    case (.mapping(let pairs), .mapping(let others)):
      return pairs.count == others.count
        && pairs.allSatisfy { pair in other[pair.key].map { pair.value.means($0) } ?? false }
    default: return false
    }
  }
}

/// The command-line options for tuning, which override the file.
package struct TuneOptions: Sendable {
  /// The objective, which is a metric or the path of a searched key; `nil` to use the objective given in the file.
  package var minimize: String?
  /// The arguments in the form `PATH=A..B` or `PATH=V1,V2,...`. If the list is empty, the keys in the file are
  /// searched.
  package var search: [String]

  package init(minimize: String? = nil, search: [String] = []) {
    self.minimize = minimize
    self.search = search
  }

  static let searchOption = "--search"

  var isEmpty: Bool { minimize == nil && search.isEmpty }

  /// Returns the tree of a file with its options replaced by those given on the command line.
  func applied(to root: Node, problems: inout ProblemList) -> Node {
    guard !isEmpty, var pairs = root.pairs else { return root }
    var section = root["tune"]?.pairs ?? []
    if let minimize {
      let source = problems.add(argument: "--minimize", minimize)
      let span = Span(source: source, line: 1, column: 1, length: max(1, minimize.unicodeScalars.count))
      let value = Node(content: .scalar(minimize, isPlain: true), span: span)
      Self.put(Node.Pair(key: "minimize", keySpan: span, value: value), into: &section)
    }
    let keys = searched(&problems)
    if let first = keys.first {
      let value = Node(content: .mapping(keys), span: first.keySpan)
      Self.put(Node.Pair(key: "search", keySpan: first.keySpan, value: value), into: &section)
    }
    guard problems.isEmpty, let place = section.first?.keySpan, isComplete(section, &problems) else { return root }
    let value = Node(content: .mapping(section), span: root["tune"]?.span ?? place)
    Self.put(Node.Pair(key: "tune", keySpan: value.span, value: value), into: &pairs)
    return Node(content: .mapping(pairs), span: root.span)
  }

  /// Replaces the pair with the same key, or appends the pair if there is none.
  private static func put(_ pair: Node.Pair, into pairs: inout [Node.Pair]) {
    if let index = pairs.firstIndex(where: { $0.key == pair.key }) { pairs[index] = pair } else { pairs.append(pair) }
  }

  private func searched(_ problems: inout ProblemList) -> [Node.Pair] {
    var pairs: [Node.Pair] = []
    for text in search {
      guard let pair = Self.pair(problems.add(argument: Self.searchOption, text), &problems) else { continue }
      if pairs.contains(where: { $0.key == pair.key }) {
        problems.add(
          .duplicateName, at: pair.keySpan, "\(pair.key.quoted) is searched twice", note: "the second time")
      } else {
        pairs.append(pair)
      }
    }
    return pairs
  }

  /// Returns a key with its range or list; `nil` if there is a problem.
  private static func pair(_ source: Int, _ problems: inout ProblemList) -> Node.Pair? {
    guard
      let (scalars, equals) = Setting.split(
        source, "\(searchOption) takes PATH=A..B", example: "kinds.weather.jitter.up_to=0s..30min", problems: &problems),
      let items = Setting.list(scalars, from: equals + 1, source, &problems)
    else { return nil }
    let span = Span(source: source, line: 1, column: 1, length: equals)
    guard let first = items.first, !items.contains(where: \.isNull) else {
      problems.add(
        .missingValue, at: span, "\(searchOption) has no value", note: "for this path",
        help: "use A..B for a range, and commas for a list")
      return nil
    }
    // An argument with a single item is either a range or a bracketed list.
    let value = items.count == 1 ? first : Node(content: .list(items), span: first.span)
    var key = String.UnicodeScalarView()
    key.append(contentsOf: scalars[..<equals])
    return Node.Pair(key: String(key), keySpan: span, value: value)
  }

  /// Whether the command line or the file specifies an objective and at least one key to search.
  private func isComplete(_ section: [Node.Pair], _ problems: inout ProblemList) -> Bool {
    let lacks = { (key: String) in !section.contains { $0.key == key } }
    if lacks("minimize") {
      problems.add(
        .missingKey, at: nil, "there is nothing to minimize",
        help: "add --minimize with a figure such as requests or a searched key, or tune.minimize to the scenario")
    }
    if lacks("search") {
      problems.add(
        .missingKey, at: nil, "there is nothing to search",
        help: "add --search kinds.weather.jitter.up_to=0s..30min, or tune.search to the scenario")
    }
    return problems.isEmpty
  }
}

/// A key that tuning may change, together with its possible values.
package struct SearchKey: Sendable {
  enum Choice: Sendable {
    case range(SweepRange)
    /// The items of a list, as written in the file.
    case words([Node])
  }

  let steps: [PathStep]
  let choice: Choice
  /// The source of the key: `tune.search` or `--search`.
  let origin: String

  package var path: String { steps.map(\.text).joined(separator: ".") }

  package var levels: Int {
    switch choice {
    case .range(let range): range.levels
    case .words(let nodes): nodes.count
    }
  }

  /// Whether adjacent levels have similar values.
  package var isOrdered: Bool {
    if case .range = choice { return true }
    return false
  }

  /// One level at each quarter point of the range, or one for each word, with its value as written in files.
  package var ticks: [(level: Int, text: String)] {
    let last = levels - 1
    let places = isOrdered ? Set([0, last / 4, last / 2, last * 3 / 4, last]).sorted() : Array(0..<levels)
    return places.map { ($0, text(at: $0)) }
  }

  /// Returns the value at a level, in the form used in files.
  package func text(at level: Int) -> String { node(at: level).flowText }

  func node(at level: Int) -> Node {
    switch choice {
    case .range(let range): range.value(level: level)
    case .words(let nodes): nodes[level]
    }
  }

  func setting(at level: Int) -> Setting { Setting(steps: steps, value: node(at: level), option: origin) }
}

extension SearchKey {
  /// The keys that tuning cannot change, given by the first components of their paths.
  private static let foreign: Set<String> = [
    "schema", "name", "description", "goals", "sweep", "tune", "calibrate", "run.seed", "run.replications",
  ]

  /// Reads a key given with `tune.search` or `--search`; returns `nil` if there is a problem.
  init?(_ pair: Node.Pair, in root: Node, problems: inout ProblemList) {
    let isArgument = problems.sources[pair.keySpan.source].name.hasPrefix(TuneOptions.searchOption)
    origin = isArgument ? TuneOptions.searchOption : "tune.search"
    steps = Setting.steps(ofKey: pair)
    let path = pair.key.printable(longest: 80)
    let heads = [steps[0].text, steps.prefix(2).map(\.text).joined(separator: ".")]
    guard steps.count <= Setting.maxSteps, !heads.contains(where: Self.foreign.contains) else {
      problems.add(
        .settingPath, at: pair.keySpan, "\(origin) does not name a key to tune", note: "not a policy",
        help: "a path looks like kinds.weather.jitter.up_to")
      return nil
    }
    if let items = pair.value.items {
      guard items.count > 1, !items.contains(where: \.isNull) else {
        problems.add(
          .nothingThere, at: pair.value.span, "\(path.quoted) has nothing to choose from", note: "at least two values",
          help: "separate values with commas: [at-end, never]")
        return nil
      }
      choice = .words(items)
      return
    }
    guard pair.value.text != nil, !pair.value.isNull else {
      problems.add(
        .wrongShape, at: pair.value.span, "\(path.quoted) takes a range or a list of values", note: "neither",
        help: "a range such as 0s..30min, or a list such as [1h, 2h]")
      return nil
    }
    let probe = Setting(steps: steps, value: pair.value, option: origin)
    guard let target = SettingApplier.target(of: probe, in: root, problems: &problems),
      let range = SweepRange(pair.value, target, path: path, problems: &problems)
    else { return nil }
    choice = .range(range)
  }
}
