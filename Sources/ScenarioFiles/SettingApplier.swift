import Scenario

/// Puts the value of a `--set` into a tree.
struct SettingApplier {
  private let table = KeyTable.standard
  private let setting: Setting
  /// The endpoints that requests name: they may be given keys without being listed.
  private let endpoints: [String]
  private var problems: ProblemList
  /// What the path leads to, once it was followed.
  private var target: SettingTarget?

  /// The tree with the value in its place; the same tree after a problem.
  static func apply(_ setting: Setting, to root: Node, problems: inout ProblemList) -> Node {
    var applier = SettingApplier(setting, root, problems)
    let changed = applier.replace(root, at: "", setting.steps[...])
    problems = applier.problems
    return changed ?? root
  }

  /// What the path of a setting leads to; nil after a problem.
  static func target(of setting: Setting, in root: Node, problems: inout ProblemList) -> SettingTarget? {
    var applier = SettingApplier(setting, root, problems)
    let changed = applier.replace(root, at: "", setting.steps[...])
    problems = applier.problems
    return changed == nil ? nil : applier.target
  }

  private init(_ setting: Setting, _ root: Node, _ problems: ProblemList) {
    self.setting = setting
    self.problems = problems
    endpoints = (root["kinds"]?.pairs ?? []).flatMap { $0.value["requests"]?.items ?? [] }
      .compactMap { $0["endpoint"]?.text }
  }

  /// - Parameter pattern: of `node` in the table; nil inside a value that the table describes as a whole.
  private mutating func replace(_ node: Node?, at pattern: String?, _ steps: ArraySlice<PathStep>) -> Node? {
    let entry = pattern.flatMap { table[$0] }
    guard let step = steps.first else {
      if let entry { target = SettingTarget(entry: entry) }
      return pattern.map { Shorthand.expand(setting.value, at: $0) } ?? setting.value
    }
    let node = pattern.flatMap { pattern in node.map { Shorthand.expand($0, at: pattern) } } ?? node
    let isList = entry?.type.alternatives.contains { $0 == .list } ?? false
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

  /// Replaces or appends the value of a key.
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

  /// Below a mapping from names: the longest run of steps that is a name, since names may hold dots.
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
      let byName = known.isEmpty ? "" : ", or by name: " + known.prefix(12).joined(separator: ", ")
      let range = items.isEmpty ? "the list is empty" : "items are 0 to \(items.count - 1)" + byName
      return refuse(step, known: known, otherwise: range.printable)
    }
    guard let value = replace(items[index], at: pattern.map { $0 + ".*" }, rest) else { return nil }
    items[index] = value
    return Node(content: .list(items), span: node?.span ?? step.span)
  }

  private mutating func refuse(_ step: PathStep, known: [String], otherwise: String? = nil) -> Node? {
    guard !step.text.isEmpty else {
      problems.add(
        .settingSyntax, at: step.span, "a part of the path of \(setting.option) is empty", note: "between the dots",
        help: "--set os.idle.after=2h")
      return nil
    }
    let list = known.isEmpty ? "nothing lies below it" : "there are \(known.prefix(12).joined(separator: ", "))"
    problems.add(
      .settingPath, at: step.span, "\(setting.option) names nothing: \(step.text.quoted)", note: "not there",
      help: Spelling.hint(step.text, among: known) ?? Help(otherwise ?? list.printable))
    return nil
  }
}

extension ArraySlice<PathStep> {
  /// As one step, with the dots between.
  fileprivate var joined: PathStep {
    let text = map(\.text).joined(separator: ".")
    var span = first?.span ?? Span(source: 0, line: 1, column: 1, length: 1)
    span.length = Swift.max(1, text.unicodeScalars.count)
    return PathStep(text: text, span: span)
  }
}

extension KeyEntry {
  /// Keys of a value that the table describes as a whole.
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
}
