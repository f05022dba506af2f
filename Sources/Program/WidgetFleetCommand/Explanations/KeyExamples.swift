import Scenario
import Words

/// Examples of mappings in a scenario with a kind `weather` that sends requests to an endpoint `api`.
enum KeyExamples {
  /// Returns a line of YAML with the key and an example value; `nil` for keys without child keys.
  static func line(of entry: KeyEntry) -> String? {
    guard let value = value(at: entry.path) else { return nil }
    return entry.name == "*" ? value : "\(entry.name): \(value)"
  }

  /// Returns the example value for the longest known suffix of a path; a plan key must match completely. A list has one
  /// item.
  static func value(at path: String) -> String? {
    if path.hasPrefix("plan.") { return known[path] }
    guard !KeyTable.standard.children(of: path).isEmpty else { return nil }
    let steps = path.split(separator: ".")
    for count in (1...steps.count).reversed() {
      if let known = known[steps.suffix(count).joined(separator: ".")] { return known }
    }
    return path.hasSuffix(".*") ? nil : value(at: path + ".*").map { "[\($0)]" }
  }

  /// The example values, keyed by path suffix.
  private static let known = Dictionary(
    uniqueKeysWithValues: Words.text("examples.txt").split(separator: "\n").map { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      return (String(parts[0]), parts[1].withoutBlanks)
    })
}
