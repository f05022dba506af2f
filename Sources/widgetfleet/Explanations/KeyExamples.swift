import Scenario
import Words

/// What a mapping of a scenario looks like, for a kind `weather` that asks an endpoint `api`.
enum KeyExamples {
  /// A line of YAML with the key and a value; nil for keys without others below them.
  static func line(of entry: KeyEntry) -> String? {
    guard let value = value(at: entry.path) else { return nil }
    return entry.name == "*" ? value : "\(entry.name): \(value)"
  }

  /// By the longest end of the path that is known; a list has one item.
  static func value(at path: String) -> String? {
    guard !KeyTable.standard.children(of: path).isEmpty else { return nil }
    let steps = path.split(separator: ".")
    for count in (1...steps.count).reversed() {
      if let known = known[steps.suffix(count).joined(separator: ".")] { return known }
    }
    return path.hasSuffix(".*") ? nil : value(at: path + ".*").map { "[\($0)]" }
  }

  /// Values by the end of a path.
  private static let known = Dictionary(
    uniqueKeysWithValues: Words.text("examples.txt").split(separator: "\n").map { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      return (String(parts[0]), parts[1].withoutBlanks)
    })
}
