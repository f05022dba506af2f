import Scenario

extension ScenarioReader.Outcome {
  /// The scenario with every value and where it comes from, as a scenario file with comments.
  ///
  /// - Parameter assignments: how to name the settings' origins, in their order.
  package func explainedText(assignments: [String]) -> String? {
    scenario.map { scenario in
      ResolvedText(ResolvedWalk(scenario, writtenAs: root).values, assignments: assignments).text
    }
  }

  /// One JSON document with the resolved scenario, and for each value path, origin and line.
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

/// Lays values out as YAML, one to a line, with the origin behind it.
private struct ResolvedText {
  private(set) var text = ""
  private let assignments: [String]
  private var open: [ResolvedValue.Step] = []
  /// The paths above values that are no remarks: the others are remarks themselves, or they would have no value.
  private let written: Set<[ResolvedValue.Step]>

  /// Where the comments begin, if the value leaves room.
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

  /// Two blanks a step; the dash of an item stands in the last two.
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
  /// On one line, without quotes where YAML needs none.
  var yaml: String { oneLine { $0.isPlainYAML ? $0 : JSONText.quote($0) } }
}

extension String {
  /// Whether YAML reads it as this text without quotes, in a flow, too.
  fileprivate var isPlainYAML: Bool {
    let isSafe = unicodeScalars.allSatisfy { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        || " ._/%+-".unicodeScalars.contains(scalar)
    }
    let isFramed = first?.isLetter == true || first?.isNumber == true
    return isSafe && isFramed && last != " " && !["null", "Null", "NULL"].contains(self)
  }
}
