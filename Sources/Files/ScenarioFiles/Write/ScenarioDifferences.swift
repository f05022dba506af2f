package import Scenario

extension Scenario {
  /// Returns the values that differ from those of a base scenario, in path order; names and descriptions are ignored.
  package func differences(from base: Scenario) -> [ScenarioDifference] { resolved.differences(from: base.resolved) }
}

extension PlainValue {
  /// Returns the values in a resolved scenario that differ from those in a resolved base scenario.
  func differences(from base: PlainValue) -> [ScenarioDifference] {
    Self.differences("", base.settled, settled).filter { $0.path != "name" && $0.path != "description" }
      .sorted { $0.path < $1.path }
  }

  private static func differences(_ path: String, _ base: PlainValue?, _ new: PlainValue?) -> [ScenarioDifference] {
    switch (base, new) {
    case (.mapping(let left), .mapping(let right)): return differences(path, left.byKey, right.byKey)
    case (.list(let left), .list(let right)):
      if let left = named(left), let right = named(right) { return differences(path, left, right) }
    default: break
    }
    let (left, right) = (base?.plainText, new?.plainText)
    return left == right ? [] : [ScenarioDifference(path: path, base: left, new: right)]
  }

  private static func differences(
    _ path: String, _ base: [String: PlainValue], _ new: [String: PlainValue]
  ) -> [ScenarioDifference] {
    let prefix = path.isEmpty ? "" : path + "."
    return Set(base.keys).union(new.keys).flatMap { differences(prefix + $0, base[$0], new[$0]) }
  }

  /// Returns the items of a list of mappings by name, or by index if unnamed; `nil` for a list of plain values.
  private static func named(_ items: [PlainValue]) -> [String: PlainValue]? {
    var byName: [String: PlainValue] = [:]
    for (index, item) in items.enumerated() {
      guard case .mapping(let pairs) = item else { return nil }
      let fields = pairs.byKey
      let name = if case .text(let text)? = fields["name"] ?? fields["id"] { text } else { String(index) }
      byName[name] = item
    }
    return byName.count == items.count ? byName : nil
  }

  /// The value with the written constants of the system replaced by the effective ones (`x-resolved`, `x-os-resolved`).
  private var settled: PlainValue {
    switch self {
    case .list(let items): return .list(items.map(\.settled))
    case .mapping(let pairs):
      var fields = pairs.byKey.mapValues(\.settled)
      if case .mapping(let constants)? = fields.removeValue(forKey: "x-resolved") {
        fields.merge(constants.byKey) { $1 }
      }
      if case .mapping(let constants)? = fields.removeValue(forKey: "x-os-resolved") {
        var written: [String: PlainValue] = [:]
        if case .mapping(let pairs)? = fields["os"] { written = pairs.byKey }
        fields["os"] = .mapping(constants.byKey.merging(written) { $1 }.map { Pair(key: $0, value: $1) })
      }
      return .mapping(fields.map { Pair(key: $0, value: $1) })
    default: return self
    }
  }

  /// The value on a single line, with keys in alphabetical order. Strings are not quoted.
  private var plainText: String {
    if case .text(let text) = self { return text }
    return quotedText
  }

  private var quotedText: String {
    switch self {
    case .text(let text): "\"\(text)\""
    case .bare(let text): text
    case .list(let items): "[" + items.map(\.quotedText).joined(separator: ", ") + "]"
    case .mapping(let pairs):
      "{" + pairs.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.quotedText)" }.joined(separator: ", ") + "}"
    }
  }
}

extension [PlainValue.Pair] {
  fileprivate var byKey: [String: PlainValue] { Dictionary(map { ($0.key, $0.value) }) { $1 } }
}
