import Scenario

/// A setting `PATH=VALUE` given with `--set`, or an argument of another option in the same format.
package struct SetArgument: Hashable, Sendable {
  /// The argument on the command line, without the option name.
  package var text: String
  /// The option name to use in messages.
  let option: String

  package init(_ text: String, option: String = "--set") { (self.text, self.option) = (text, option) }
}

/// A component of a path, with its position in the argument.
struct PathStep {
  var text: String
  var span: Span
}

/// A parsed setting, which consists of a key path and the value to set.
struct Setting {
  /// The maximum number of components in a path; no key is nested more deeply.
  static let maxSteps = 32

  var steps: [PathStep]
  var value: Node
  /// The option name to use in messages.
  var option = "--set"

  /// Parses an argument, given by its source number; returns `nil` if there is a problem.
  static func read(source: Int, option: String = "--set", problems: inout ProblemList) -> Setting? {
    guard
      let (scalars, equals) = split(
        source, "\(option) takes PATH=VALUE", example: "clock.step=1s", problems: &problems)
    else { return nil }
    guard let value = value(scalars, from: equals + 1, source, option, &problems) else { return nil }
    let steps = steps(scalars[..<equals], source)
    guard steps.count <= maxSteps else {
      problems.add(.settingPath, at: steps.first?.span, "the path does not name a key", note: "too many levels")
      return nil
    }
    return Setting(steps: steps, value: value, option: option)
  }

  /// Returns the characters of an argument and the index of the equals sign after the path; `nil` if there is a
  /// problem.
  static func split(
    _ source: Int, _ form: String, example: String, problems: inout ProblemList
  ) -> (scalars: [Unicode.Scalar], equals: Int)? {
    let scalars = Array(String(decoding: problems.sources[source].bytes, as: UTF8.self).unicodeScalars)
    if let equals = scalars.firstIndex(of: "="), equals > 0 { return (scalars, equals) }
    problems.add(
      .settingSyntax, at: Span(source: source, line: 1, column: 1, length: max(1, scalars.count)), form,
      note: scalars.first == "=" ? "no path" : "no = here", help: .write(like: example))
    return nil
  }

  /// Parses the text after the equals sign as YAML. The text is padded with as many spaces as the path has characters,
  /// so that positions are correct.
  private static func value(
    _ scalars: [Unicode.Scalar], from start: Int, _ source: Int, _ option: String, _ problems: inout ProblemList
  ) -> Node? {
    var blanked = String.UnicodeScalarView(repeating: " ", count: start)
    blanked.append(contentsOf: scalars[start...])
    let before = problems
    let node = TreeReader.read(Array(String(blanked).utf8), source: source, problems: &problems)
    if let node, !node.isNull { return node }
    if problems.count == before.count {
      problems.add(
        .missingValue, at: Span(source: source, line: 1, column: max(1, start), length: 1), "\(option) has no value",
        note: "nothing follows", help: "the form is PATH=VALUE; quote text with spaces for the shell")
    }
    return nil
  }

  /// Parses the text after the equals sign as a comma-separated list; returns `nil` if there is a problem.
  ///
  /// The text is padded with as many spaces as the path has characters, so that positions are correct. Commas inside
  /// brackets are not separators.
  static func list(
    _ scalars: [Unicode.Scalar], from start: Int, _ source: Int, _ problems: inout ProblemList
  ) -> [Node]? {
    var list = String.UnicodeScalarView(repeating: " ", count: start - 1)
    list.append("[")
    list.append(contentsOf: scalars[start...])
    list.append("]")
    guard let node = TreeReader.read(Array(String(list).utf8), source: source, problems: &problems) else { return nil }
    return node.items ?? []
  }

  static func steps(_ path: ArraySlice<Unicode.Scalar>, _ source: Int) -> [PathStep] {
    path.split(separator: ".", maxSplits: maxSteps, omittingEmptySubsequences: false).map { part in
      var text = String.UnicodeScalarView()
      text.append(contentsOf: part)
      let span = Span(source: source, line: 1, column: part.startIndex + 1, length: max(1, part.count))
      return PathStep(text: String(text), span: span)
    }
  }

  /// Returns the components of a path that is used as a key in the file. The components have positions if the key is
  /// written literally.
  static func steps(ofKey pair: Node.Pair) -> [PathStep] {
    var column = pair.keySpan.column
    let isPlain = pair.keySpan.length == pair.key.unicodeScalars.count
    return pair.key.split(separator: ".", omittingEmptySubsequences: false).map { part in
      var place = pair.keySpan
      let length = part.unicodeScalars.count
      if isPlain { (place.column, place.length) = (column, max(1, length)) }
      column += length + 1
      return PathStep(text: String(part), span: place)
    }
  }
}

/// An operation that inserts the values of `--set` arguments into a tree.
struct SettingApplier {
  private let table = KeyTable.standard
  private let setting: Setting
  /// The endpoints named in requests. Their keys can be set even if the endpoints are not listed.
  private let endpoints: [String]
  private var problems: ProblemList
  /// The target of the path; `nil` before the path has been followed.
  private var target: SettingTarget?

  /// Returns the tree after applying settings one after another; settings with problems are ignored.
  static func apply(_ settings: [Setting], to root: Node, problems: inout ProblemList) -> Node {
    settings.reduce(root) { follow($1, in: $0, &problems).tree ?? $0 }
  }

  /// Returns the target of a setting's path; `nil` if there is a problem.
  static func target(of setting: Setting, in root: Node, problems: inout ProblemList) -> SettingTarget? {
    let (tree, target) = follow(setting, in: root, &problems)
    return tree == nil ? nil : target
  }

  private static func follow(
    _ setting: Setting, in root: Node, _ problems: inout ProblemList
  ) -> (tree: Node?, target: SettingTarget?) {
    var applier = SettingApplier(setting, root, problems)
    let changed = applier.replace(root, at: "", setting.steps[...])
    problems = applier.problems
    return (changed, applier.target)
  }

  private init(_ setting: Setting, _ root: Node, _ problems: ProblemList) {
    self.setting = setting
    self.problems = problems
    endpoints = (root["kinds"]?.pairs ?? [])
      .flatMap { ($0.value["requests"]?.items ?? []) + ($0.value["taps"]?["requests"]?.items ?? []) }
      .compactMap { $0["endpoint"]?.text }
  }

  /// Returns the node with the value of the setting inserted.
  ///
  /// - Parameter pattern: the pattern of `node` in the key table; `nil` inside a value that has a single table entry.
  private mutating func replace(_ node: Node?, at pattern: String?, _ steps: ArraySlice<PathStep>) -> Node? {
    let entry = pattern.flatMap { table[$0] }
    guard let step = steps.first else {
      if let entry { target = SettingTarget(entry: entry) }
      return pattern.map { Shorthand.expand(setting.value, at: $0) } ?? setting.value
    }
    let node = pattern.flatMap { pattern in node.map { Shorthand.expand($0, at: pattern) } } ?? node
    let forms = entry?.type.alternatives ?? []
    let isList = forms.contains(.list) && !forms.contains(.mapping)
    if node?.items != nil || isList { return replaceItem(node, at: pattern, step, steps.dropFirst()) }
    guard let pattern else { return put(replacing: node, step, steps.dropFirst(), at: nil) }
    if entry?.type == .names { return replaceNamed(node, at: pattern, steps) }
    if let child = table.child(step.text, of: pattern) {
      return put(replacing: node, step, steps.dropFirst(), at: child.path)
    }
    if let entry, entry.takesFreeKey(step.text) {
      target = SettingTarget(entry: entry, parts: steps.map(\.text))
      return put(replacing: node, step, steps.dropFirst(), at: nil)
    }
    return refuse(step, known: table.children(of: pattern).map(\.name) + (entry?.freeKeys ?? []))
  }

  /// Replaces the value of a key, or appends the key if it is missing.
  private mutating func put(
    replacing node: Node?, _ step: PathStep, _ rest: ArraySlice<PathStep>, at pattern: String?
  ) -> Node? {
    var pairs = node?.pairs ?? []
    let index = pairs.firstIndex { $0.key == step.text }
    guard let value = replace(index.map { pairs[$0].value }, at: pattern, rest) else { return nil }
    let pair = Node.Pair(key: step.text, keySpan: step.span, value: value)
    if let index { pairs[index].value = value } else { pairs.append(pair) }
    if let index, rest.isEmpty { pairs[index] = pair }
    return Node(content: .mapping(pairs), span: node?.span ?? step.span)
  }

  /// Replaces an entry of a mapping whose keys are names. Names may contain dots, so the longest matching sequence of
  /// path components is used as the name.
  private mutating func replaceNamed(_ node: Node?, at pattern: String, _ steps: ArraySlice<PathStep>) -> Node? {
    let names = (node?.pairs ?? []).map(\.key)
    for count in (1...steps.count).reversed() {
      let joined = steps.prefix(count).joined
      guard names.contains(joined.text) else { continue }
      return put(replacing: node, joined, steps.dropFirst(count), at: pattern + ".*")
    }
    guard let step = steps.first else { return setting.value }
    if table[pattern + ".*"]?.type == .anything { return put(replacing: node, steps.joined, [], at: nil) }
    let mayCreate = steps.count == 1 || pattern == "backend.endpoints" && endpoints.contains(step.text)
    if mayCreate { return put(replacing: node, step, steps.dropFirst(), at: pattern + ".*") }
    return refuse(step, known: names)
  }

  private mutating func replaceItem(
    _ node: Node?, at pattern: String?, _ step: PathStep, _ rest: ArraySlice<PathStep>
  ) -> Node? {
    var items = node?.items ?? []
    let names = items.map { ($0["name"] ?? $0["id"])?.text ?? "" }
    guard let index = items.indices.first(where: { String($0) == step.text }) ?? names.firstIndex(of: step.text) else {
      let known = names.filter { !$0.isEmpty }
      let byName = known.isEmpty ? "" : ", or a name: " + known.prefix(12).joined(separator: ", ")
      let range = items.isEmpty ? "the list is empty" : "use an index from 0 to \(items.count - 1)" + byName
      return refuse(step, known: known, otherwise: range.printable)
    }
    guard let value = replace(items[index], at: pattern.map { $0 + ".*" }, rest) else { return nil }
    items[index] = value
    return Node(content: .list(items), span: node?.span ?? step.span)
  }

  private mutating func refuse(_ step: PathStep, known: [String], otherwise: String? = nil) -> Node? {
    guard !step.text.isEmpty else {
      problems.add(
        .settingSyntax, at: step.span, "the path of \(setting.option) has an empty part", note: "between the dots",
        help: "--set os.idle.after=2h")
      return nil
    }
    let list = known.isEmpty ? "it has no keys" : "available: \(known.prefix(12).joined(separator: ", "))"
    problems.add(
      .settingPath, at: step.span, "\(setting.option) does not name a key: \(step.text.quoted)", note: "not found",
      help: Spelling.hint(step.text, among: known) ?? Help(otherwise ?? list.printable))
    return nil
  }
}

extension ArraySlice<PathStep> {
  /// The components combined into a single component, separated by dots.
  fileprivate var joined: PathStep {
    let text = map(\.text).joined(separator: ".")
    var span = first?.span ?? Span(source: 0, line: 1, column: 1, length: 1)
    span.length = Swift.max(1, text.unicodeScalars.count)
    return PathStep(text: text, span: span)
  }
}

extension KeyEntry {
  /// The keys that may occur inside a value that has a single table entry.
  fileprivate var freeKeys: [String] {
    type.alternatives.flatMap { type -> [String] in
      if case .distribution = type { return DistributionForm.allCases.map(\.rawValue) }
      return []
    }
  }

  fileprivate func takesFreeKey(_ key: String) -> Bool {
    let hasNames = type.alternatives.contains { type in
      switch type {
      case .shares, .anything: true
      default: false
      }
    }
    return hasNames || freeKeys.contains(key)
  }

  /// Whether the value can be something other than a mapping or a list.
  fileprivate var takesPlainValue: Bool { type.alternatives.contains { ![.mapping, .names, .list].contains($0) } }
}

/// The target of a setting's path: a key in the table, or a part of a value that has a single table entry.
struct SettingTarget {
  var entry: KeyEntry
  /// The path components inside the value, such as `lognormal` and `median`.
  var parts: [String] = []

  /// The types of plain values that are accepted; empty if unknown.
  var plainTypes: [ValueType] {
    guard let part = parts.first, let last = parts.last else { return entry.scalarTypes }
    return entry.type.alternatives.lazy.compactMap { type -> [ValueType]? in
      switch type {
      case .shares: [.share]
      case .distribution(of: let value): Self.types(in: part, last, value)
      default: nil
      }
    }.first ?? []
  }

  private static func types(in form: String, _ last: String, _ value: ValueType) -> [ValueType] {
    switch (DistributionForm(rawValue: form), last) {
    case (.uniform, _): [.range(of: value)]
    case (.choice, _): [.share]
    case (_, "sigma"): [.number]
    default: [value]
    }
  }

  /// The accepted types that are quantities.
  var amountTypes: [ValueType] { plainTypes.filter(\.isAmount) }

  /// Whether the key accepts `a..b` as a single value.
  var takesRanges: Bool { plainTypes.contains { if case .range = $0 { true } else { false } } }
}

extension ValueType {
  /// The unit in which studies write quantities of this type, and its size in the unit of `Scalars.measure`. The value
  /// is `nil` for types that are not quantities.
  ///
  /// The unit is empty for plain numbers.
  private var amount: (unit: String, measures: Double)? {
    switch self {
    case .integer, .number, .count: ("", 1)
    case .share: ("share", 1)
    case .duration: ("s", 1_000)
    case .rate: ("/s", 86_400_000_000)
    case .size: ("B", 1)
    case .power: ("W", 1_000_000)
    case .energyPerBit: ("nJ/bit", 1_000)
    case .battery: ("Wh", 100)
    default: nil
    }
  }

  /// Whether values of this type are quantities, which are numbers with or without a unit.
  var isAmount: Bool { amount != nil }
  var amountUnit: String { amount?.unit ?? "" }
  var measuresPerUnit: Double { amount?.measures ?? 1 }
}

/// The key paths of a scenario that `--set` and similar options accept, for shell completion.
package enum ScenarioPaths {
  /// The sections that are read only by certain commands.
  private static let sectionsOfStudies: Set<String> = ["sweep", "tune", "calibrate"]

  /// Returns the paths of all keys with plain values, including the names of kinds, cohorts, endpoints and similar
  /// items in the file.
  ///
  /// - Parameter bytes: the content of a scenario file, which need not be valid. If it is empty, only paths without
  ///   names are returned.
  package static func all(in bytes: [UInt8]) -> [String] {
    let text = SourceText(file: "", bytes)
    var problems = ProblemList(file: text, files: .none)
    var paths: [String] = []
    add(to: &paths, below: "", path: "", text.isQuotable ? ScenarioReader.tree([], problems: &problems) : nil)
    return paths.filter(isPlain)
  }

  /// Whether the path contains no characters that a shell would expand.
  private static func isPlain(_ path: String) -> Bool {
    path.utf8.allSatisfy { plain.contains($0) }
  }

  private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_".utf8)

  private static func add(to paths: inout [String], below pattern: String, path: String, _ node: Node?) {
    for entry in KeyTable.standard.children(of: pattern) where !sectionsOfStudies.contains(entry.path) {
      for (name, child) in entry.name == "*" ? items(of: node) : [(entry.name, node?[entry.name])] {
        let full = path.isEmpty ? name : path + "." + name
        let hasOthers = !KeyTable.standard.children(of: entry.path).isEmpty
        if !hasOthers || entry.takesPlainValue { paths.append(full) }
        if hasOthers { add(to: &paths, below: entry.path, path: full, child) }
      }
    }
  }

  /// Returns the items of a list by name (or by zero-based index if unnamed), or the values of a mapping by key.
  static func items(of node: Node?) -> [(String, Node?)] {
    if let items = node?.items {
      return items.enumerated().map { number, item in ((item["name"] ?? item["id"])?.text ?? String(number), item) }
    }
    return (node?.pairs ?? []).map { ($0.key, $0.value) }
  }
}
