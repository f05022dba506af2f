package import Scenario

/// Reads a profile that stands alone, as `widgetfleet profile` does.
package enum ProfileFileReader {
  package struct Outcome: Sendable {
    /// nil when `diagnostics` hold an error.
    package var profile: SystemProfile?
    package var diagnostics: [Diagnostic]
  }

  /// - Parameter fileName: shown in messages.
  package static func read(text bytes: [UInt8], fileName: String) -> Outcome {
    var problems = ProblemList(file: SourceText(name: fileName, bytes: TextCheck.withoutMark(bytes)))
    let profile = profile(&problems)
    return Outcome(profile: problems.isEmpty ? profile : nil, diagnostics: problems.diagnostics)
  }

  /// What the key of a constant allows, in the unit of `OperatingSystem.amount(of:)`; of shares all.
  package static func limits(of constant: BracketConstant) -> ClosedRange<Double> {
    let entry = KeyTable.standard["os." + constant.rawValue]
    var most = Double.infinity
    for type in entry?.type.alternatives ?? [] {
      guard let type = type.amount else { continue }
      if type == .share { return 0...1 }
      let least = Scalars.bound(entry?.least, as: type) ?? 0
      most = Scalars.bound(entry?.most, as: type) ?? most
      return least...max(least, most)
    }
    return 0...most
  }

  private static func profile(_ problems: inout ProblemList) -> SystemProfile? {
    guard let node = ProfileReader.mapping(source: 0, problems: &problems),
      let entry = KeyTable.standard["os.profile"]
    else { return nil }
    var check = TreeCheck(problems: problems)
    check.check(node, entry, TreeCheck.Place(key: "profile", span: node.span.narrow, owner: "the profile"))
    problems = check.problems
    ProfileCheck.check(node.below(["os", "profile"]), problems: &problems)
    return problems.isEmpty ? ProfileBuilder(profile: node).build() : nil
  }
}

extension ValueType {
  /// What a number of it counts; nil: it has none.
  fileprivate var amount: ValueType? {
    switch self {
    case .duration, .share, .number, .integer: self
    case .distribution(of: let value): value
    default: nil
    }
  }
}

extension Node {
  /// The value of a path of keys in an otherwise empty tree.
  fileprivate func below(_ keys: [String]) -> Node {
    keys.reversed().reduce(self) { node, key in
      Node(content: .mapping([Pair(key: key, keySpan: node.span, value: node)]), span: node.span)
    }
  }
}
