import Scenario

extension ScenarioReader.Outcome {
  /// Returns a scenario file with all values, in which comments describe the origin of each value.
  ///
  /// - Parameter assignments: the names of the options or files that the settings come from, in order.
  package func explainedText(assignments: [String]) -> String? {
    scenario.map { scenario in
      ResolvedText(ResolvedWalk(scenario, writtenAs: root).values, assignments: assignments).text
    }
  }

  /// Returns a JSON document with the resolved scenario, and with the path, origin and line of each value.
  package func explainedDocument(assignments: [String]) -> String? {
    scenario.map { scenario in
      let values = ResolvedWalk(scenario, writtenAs: root).values
      let origins = values.map { value -> PlainValue in
        var pairs: [PlainValue.Pair] = [
          .init(key: "path", value: .text(value.path.map(\.text).joined(separator: "."))),
          .init(key: "value", value: value.value),
          .init(key: "origin", value: .text(value.origin.word(assignments))),
        ]
        if case .line(let line) = value.origin { pairs.append(.init(key: "line", value: .count(line))) }
        return .mapping(pairs)
      }
      return PlainValue.mapping(["scenario": scenario.resolved, "origins": .list(origins)]).json() + "\n"
    }
  }
}

/// A layout that writes each value as YAML on a separate line, followed by a comment with its origin.
private struct ResolvedText {
  private(set) var text = ""
  private let assignments: [String]
  private var open: [ResolvedValue.Step] = []
  /// The paths of all values that are not remarks. Keys at any other path are also written as remarks, so that every
  /// written key has a value.
  private let written: Set<[ResolvedValue.Step]>

  /// The column at which comments start, unless the value is longer.
  private static let commentColumn = 52

  init(_ values: [ResolvedValue], assignments: [String]) {
    self.assignments = assignments
    written = Set(
      values.filter { !$0.isRemark }.flatMap { value in
        value.path.indices.map { Array(value.path.prefix($0 + 1)) }
      })
    for value in values { add(value) }
  }

  private mutating func add(_ value: ResolvedValue) {
    let shared = zip(open, value.path).prefix { $0 == $1 }.count
    var isItem = false
    for depth in shared..<value.path.count {
      let isLast = depth == value.path.count - 1
      guard case .key(let key) = value.path[depth] else {
        isItem = true
        continue
      }
      let indent = Self.indent(of: value.path.prefix(depth), isItem: isItem)
      let head = indent + Self.quoted(key) + ":"
      if isLast {
        line(head + " " + value.value.yaml, value)
      } else {
        text += (written.contains(Array(value.path.prefix(depth + 1))) ? "" : "# ") + head + "\n"
      }
      isItem = false
    }
    open = value.path
  }

  /// Returns an indentation of two spaces per path component, in which a dash replaces the last two spaces for list
  /// items.
  private static func indent(of path: ArraySlice<ResolvedValue.Step>, isItem: Bool) -> String {
    let blanks = String(repeating: " ", count: 2 * path.count)
    return isItem ? String(blanks.dropLast(2)) + "- " : blanks
  }

  private mutating func line(_ line: String, _ value: ResolvedValue) {
    let origin = value.origin.sentence(assignments)
    let shown = value.isRemark ? "# " + line : line
    let room = max(2, Self.commentColumn - shown.displayWidth)
    text += shown + String(repeating: " ", count: room) + "# " + origin + (value.isRemark ? ", bracketed" : "") + "\n"
  }

  static func quoted(_ key: String) -> String { PlainValue.text(key).yaml }
}

extension ValueOrigin {
  fileprivate func sentence(_ assignments: [String]) -> String {
    switch self {
    case .standard: "built-in default"
    case .preset(let name): "preset \(name)"
    case .line(let line): "line \(line)"
    case .profile(let name): "profile \(name)"
    case .assignment(let index): assignments.indices.contains(index) ? assignments[index] : "--set"
    }
  }

  fileprivate func word(_ assignments: [String]) -> String {
    switch self {
    case .standard: "default"
    case .line: "file"
    case .preset, .profile, .assignment: sentence(assignments)
    }
  }
}

extension PlainValue {
  /// The value as YAML on a single line, with quotes only where YAML requires them.
  package var yaml: String { oneLine { $0.isPlainYAML ? $0 : JSONText.quote($0) } }

  /// Returns the value at a path; `nil` if there is no such value.
  fileprivate func value(at path: some Collection<ResolvedValue.Step>) -> PlainValue? {
    guard let step = path.first else { return self }
    guard case .mapping(let pairs) = self, case .key(let key) = step else { return nil }
    return pairs.first { $0.key == key }?.value.value(at: path.dropFirst())
  }
}

extension String {
  /// Whether YAML reads the unquoted string unchanged, even in flow style.
  fileprivate var isPlainYAML: Bool {
    let isSafe = unicodeScalars.allSatisfy { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        || " ._/%+-".unicodeScalars.contains(scalar)
    }
    let isFramed = first?.isLetter == true || first?.isNumber == true
    return isSafe && isFramed && last != " " && !["null", "Null", "NULL"].contains(self)
  }
}

/// The origin of a value in a resolved scenario.
package enum ValueOrigin: Hashable, Sendable {
  /// A default that is built into the program.
  case standard
  /// A preset of `os` whose value differs from the built-in default.
  case preset(String)
  /// A line of the scenario file, by line number.
  case line(Int)
  /// An assignment, by its index.
  case assignment(Int)
  /// A measured value from the profile under `os`.
  case profile(String)
}

/// A value in a resolved scenario, with its path and origin.
struct ResolvedValue {
  /// A component of a path: a key or a list index.
  enum Step: Hashable {
    case key(String)
    case item(Int)

    var text: String {
      switch self {
      case .key(let key): key
      case .item(let index): String(index)
      }
    }
  }

  var path: [Step]
  var value: PlainValue
  var origin: ValueOrigin
  /// Whether the value is written as a remark because a run varies it. Writing it as a value would change the meaning.
  var isRemark: Bool
}

/// A traversal of a resolved scenario in parallel with its source tree.
struct ResolvedWalk {
  private let table = KeyTable.standard
  private let scenario: Scenario
  /// The part of `os` that can be written to a file; constants that a run varies are excluded.
  private let writableSystem: PlainValue
  private(set) var values: [ResolvedValue] = []

  init(_ scenario: Scenario, writtenAs root: Node?) {
    self.scenario = scenario
    writableSystem = scenario.resolvedSystem
    walk(scenario.resolvedWithSystem, root, at: "", [])
  }

  private mutating func walk(
    _ value: PlainValue, _ node: Node?, at pattern: String, _ path: [ResolvedValue.Step],
    said: ValueOrigin? = nil
  ) {
    switch value {
    case .mapping(let pairs) where isTaken(apart: pairs, at: pattern):
      // A word given instead of a mapping sets all keys of the mapping.
      let whole = said ?? (node == nil || node?.pairs != nil ? nil : origin(of: node))
      for pair in pairs {
        let child = table.child(pair.key, of: pattern)?.path ?? pattern + "." + pair.key
        walk(pair.value, self.node(pair.key, in: node, at: pattern), at: child, path + [.key(pair.key)], said: whole)
      }
    case .list(let items) where !items.isEmpty && items.allSatisfy({ isTaken(apart: $0, at: pattern + ".*") }):
      let nodes = self.items(of: node, at: pattern)
      let whole = said ?? (nodes.count == items.count ? nil : origin(of: node))
      for (index, item) in items.enumerated() {
        let node = nodes.count == items.count ? nodes[index] : nil
        walk(item, node, at: pattern + ".*", path + [.item(index)], said: whole)
      }
    default:
      let origin = said ?? origin(of: node) ?? unsaid(value, at: pattern, path)
      values.append(ResolvedValue(path: path, value: value, origin: origin, isRemark: isRemark(path)))
    }
  }

  private func isTaken(apart item: PlainValue, at pattern: String) -> Bool {
    guard table[pattern] != nil, case .mapping(let pairs) = item else { return false }
    return pairs.isEmpty || isTaken(apart: pairs, at: pattern)
  }

  private func isTaken(apart pairs: [PlainValue.Pair], at pattern: String) -> Bool {
    !pairs.isEmpty && pairs.allSatisfy { $0.key.hasPrefix("x-") || table.child($0.key, of: pattern) != nil }
  }

  /// Returns the node written for a key. A single phase may be written as keys of its kind.
  private func node(_ key: String, in node: Node?, at pattern: String) -> Node? {
    let only = pattern == "kinds.*" ? node?["phases"]?.items : nil
    return node?[key] ?? (only?.count == 1 ? only?.first?[key] : nil)
  }

  /// Returns the items of a list. In a stack, members that belong to other apps come last, as in the resolved form.
  private func items(of node: Node?, at pattern: String) -> [Node] {
    let items = node?.items ?? []
    guard pattern.hasSuffix(".stack") else { return items }
    return items.filter { $0["other"] == nil } + items.filter { $0["other"] != nil }
  }

  /// Returns the origin of a node: the last assignment that changed any part of it.
  private func origin(of node: Node?) -> ValueOrigin? {
    guard let node else { return nil }
    let source = node.latestSource
    return source > 0 ? .assignment(source - 1) : .line(node.span.line)
  }

  /// Returns the origin of a value that is not in the source.
  private func unsaid(_ value: PlainValue, at pattern: String, _ path: [ResolvedValue.Step]) -> ValueOrigin {
    if pattern.hasSuffix(".x-os-resolved"), case .item(let cohort)? = path.dropLast().last {
      return .preset(scenario.fleet.cohorts[cohort].os?.preset.rawValue ?? "")
    }
    guard pattern.hasPrefix("os.") else { return .standard }
    if let profile = scenario.profile, pattern.hasPrefix("os.profile") || profile.holds(path, scenario) {
      return .profile(profile.name)
    }
    let standard = PlainValue.mapping(OperatingSystem(preset: .ios26).resolvedKeys)
    return standard.value(at: path.dropFirst()) == value ? .standard : .preset(scenario.os.preset.rawValue)
  }

  private func isRemark(_ path: [ResolvedValue.Step]) -> Bool {
    path.first == .key("os") && writableSystem.value(at: path.dropFirst()) == nil
  }
}

extension Scenario {
  /// The value of `resolved`, including all keys of `os`.
  fileprivate var resolvedWithSystem: PlainValue {
    guard case .mapping(let pairs) = resolved else { return resolved }
    let measured = profile.map { [PlainValue.Pair(key: "profile", value: $0.resolved)] } ?? []
    let system = [PlainValue.Pair(key: "preset", value: .text(os.preset.rawValue))] + measured + os.resolvedKeys
    return .mapping(pairs.map { $0.key == "os" ? .init(key: "os", value: .mapping(system)) : $0 })
  }
}

extension SystemProfile {
  /// Whether a value under `os` comes from the profile.
  fileprivate func holds(_ path: [ResolvedValue.Step], _ scenario: Scenario) -> Bool {
    let key = path.dropFirst().map(\.text).joined(separator: ".")
    return constants.contains { $0.constant.rawValue == key && !scenario.givenConstants.contains($0.constant) }
  }
}

extension Node {
  /// The highest source number of the node and its descendants.
  fileprivate var latestSource: Int {
    let below = (items ?? []).map(\.latestSource) + (pairs ?? []).map { max($0.keySpan.source, $0.value.latestSource) }
    return max(span.source, below.max() ?? 0)
  }
}
