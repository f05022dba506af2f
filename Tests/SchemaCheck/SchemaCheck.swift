import Foundation
import Synchronization

/// A minimal check of JSON documents against JSON Schema draft-07: only the keywords that this program's schemas use.
package struct SchemaCheck {
  private let schema: JSON

  /// - Throws: if the text is not JSON, or uses a keyword that this check does not know.
  package init(_ text: String) throws {
    schema = try JSON(text)
    try Self.refuseUnknownWords(schema)
  }

  /// Returns whether a document is valid.
  package func accepts(_ text: String) throws -> Bool { Self.accepts(try JSON(text), schema) }

  package struct UnknownWord: Error {
    package var word: String
  }

  private static let notes: Set = ["$schema", "$id", "title", "description", "default"]
  private static let words: Set = [
    "type", "enum", "const", "pattern", "minLength", "maxLength", "minimum", "exclusiveMinimum", "maximum", "items",
    "minItems", "maxItems", "properties", "patternProperties", "additionalProperties", "propertyNames", "required",
    "minProperties", "maxProperties", "anyOf",
  ]

  private static func refuseUnknownWords(_ schema: JSON) throws {
    guard case .object(let members) = schema else { return }
    for (word, value) in members where !notes.contains(word) {
      guard words.contains(word) else { throw UnknownWord(word: word) }
      switch (word, value) {
      case ("properties", .object(let inner)), ("patternProperties", .object(let inner)):
        for (_, child) in inner { try refuseUnknownWords(child) }
      case ("anyOf", .array(let inner)): for child in inner { try refuseUnknownWords(child) }
      case ("items", _), ("additionalProperties", _), ("propertyNames", _): try refuseUnknownWords(value)
      default: break
      }
    }
  }

  private static func accepts(_ value: JSON, _ schema: JSON) -> Bool {
    if case .boolean(let isAllowed) = schema { return isAllowed }
    guard case .object(let words) = schema else { return false }
    if let list = words["anyOf"]?.elements, !list.contains(where: { accepts(value, $0) }) { return false }
    if let list = words["enum"]?.elements, !list.contains(value) { return false }
    if let constant = words["const"], constant != value { return false }
    if let type = words["type"], !(type.elements ?? [type]).contains(where: { value.isOf($0) }) { return false }
    switch value {
    case .string(let text): return acceptsText(text, words)
    case .number(let number): return acceptsNumber(number, words)
    case .array(let items):
      return within(items.count, words["minItems"], words["maxItems"])
        && items.allSatisfy { item in words["items"].map { accepts(item, $0) } ?? true }
    case .object(let members): return acceptsObject(members, words)
    case .boolean, .null: return true
    }
  }

  private static func acceptsText(_ text: String, _ words: [String: JSON]) -> Bool {
    if case .string(let pattern)? = words["pattern"], !matches(text, pattern) { return false }
    return within(text.unicodeScalars.count, words["minLength"], words["maxLength"])
  }

  private static func acceptsNumber(_ number: Double, _ words: [String: JSON]) -> Bool {
    number >= words["minimum"]?.double ?? -.infinity && number <= words["maximum"]?.double ?? .infinity
      && number > words["exclusiveMinimum"]?.double ?? -.infinity
  }

  private static func acceptsObject(_ members: [String: JSON], _ words: [String: JSON]) -> Bool {
    let required = words["required"]?.elements ?? []
    let hasAll = required.allSatisfy { key in members.keys.contains { .string($0) == key } }
    guard hasAll, within(members.count, words["minProperties"], words["maxProperties"]) else { return false }
    return members.allSatisfy { key, value in
      if let names = words["propertyNames"], !accepts(.string(key), names) { return false }
      let own = words["properties"]?.members?[key]
      let matching = (words["patternProperties"]?.members ?? [:]).filter { matches(key, $0.key) }.map(\.value)
      let schemas = (own.map { [$0] } ?? []) + matching
      if schemas.isEmpty, let rest = words["additionalProperties"] { return accepts(value, rest) }
      return schemas.allSatisfy { accepts(value, $0) }
    }
  }

  private static func within(_ count: Int, _ minimum: JSON?, _ maximum: JSON?) -> Bool {
    Double(count) >= minimum?.double ?? 0 && Double(count) <= maximum?.double ?? .infinity
  }

  /// The compiled patterns, because compiling one takes longer than everything else together.
  private static let expressions = Mutex<[String: NSRegularExpression]>([:])

  private static func matches(_ text: String, _ pattern: String) -> Bool {
    let known = expressions.withLock { known in
      known[pattern] = known[pattern] ?? (try? NSRegularExpression(pattern: pattern))
      return known[pattern]
    }
    guard let expression = known else { return false }
    return expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
  }
}
