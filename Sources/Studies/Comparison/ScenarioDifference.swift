/// A value that two resolved scenarios do not share, by its key path as `--set` spells it.
package struct ScenarioDifference: Hashable, Sendable {
  package var path: String
  /// The value as JSON, a text without its quotes; nil: the scenario does not have the key.
  package var base: String?
  package var new: String?

  /// All differences in the order of their paths; names and descriptions do not count.
  ///
  /// - Parameter base: a resolved scenario as text.
  package static func all(_ base: String, _ new: String) throws(StoredFileError) -> [ScenarioDifference] {
    let (base, new) = (try scenario(base), try scenario(new))
    return differences("", base, new).filter { $0.path != "name" && $0.path != "description" }
      .sorted { $0.path < $1.path }
  }

  private static func scenario(_ text: String) throws(StoredFileError) -> JSONNode {
    try JSONReader.read(Array(text.utf8)).settled
  }

  private static func differences(_ path: String, _ base: JSONNode?, _ new: JSONNode?) -> [ScenarioDifference] {
    switch (base, new) {
    case (.object(let left, _), .object(let right, _)): return differences(path, left, right)
    case (.array(let left), .array(let right)):
      if let left = named(left), let right = named(right) { return differences(path, left, right) }
    default: break
    }
    let (left, right) = (base.map(\.plainText), new.map(\.plainText))
    return left == right ? [] : [ScenarioDifference(path: path, base: left, new: right)]
  }

  private static func differences(
    _ path: String, _ base: [String: JSONNode], _ new: [String: JSONNode]
  ) -> [ScenarioDifference] {
    let prefix = path.isEmpty ? "" : path + "."
    return Set(base.keys).union(new.keys).sorted().flatMap { differences(prefix + $0, base[$0], new[$0]) }
  }

  /// The items of a list of mappings by name, or by place where they have none; nil for a list of plain values.
  private static func named(_ items: [JSONNode]) -> [String: JSONNode]? {
    var byName: [String: JSONNode] = [:]
    for (index, item) in items.enumerated() {
      guard case .object(let fields, _) = item else { return nil }
      let name: String
      if case .string(let text)? = fields["name"] ?? fields["id"] { name = text } else { name = String(index) }
      byName[name] = item
    }
    return byName.count == items.count ? byName : nil
  }
}

extension JSONNode {
  /// With the system's constants that hold (`x-resolved`, `x-os-resolved`) in the place of those that were written.
  fileprivate var settled: JSONNode {
    switch self {
    case .array(let items): return .array(items.map(\.settled))
    case .object(var fields, let line):
      fields = fields.mapValues(\.settled)
      if case .object(let constants, _)? = fields.removeValue(forKey: "x-resolved") {
        fields.merge(constants) { $1 }
      }
      if case .object(var constants, let line)? = fields.removeValue(forKey: "x-os-resolved") {
        if case .object(let written, _)? = fields["os"] { constants.merge(written) { constant, _ in constant } }
        fields["os"] = .object(constants, line: line)
      }
      return .object(fields, line: line)
    default: return self
    }
  }

  /// On one line, keys in alphabetical order; a text alone without quotes.
  fileprivate var plainText: String {
    if case .string(let text) = self { return text }
    return json
  }

  private var json: String {
    switch self {
    case .object(let fields, _):
      "{" + fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.json)" }.joined(separator: ", ") + "}"
    case .array(let items): "[" + items.map(\.json).joined(separator: ", ") + "]"
    case .string(let text): "\"\(text)\""
    case .number(.whole(let count)): String(count)
    case .number(.real(let value)): "\(value)"
    case .boolean(let flag): flag ? "true" : "false"
    case .null: "null"
    }
  }
}
