import Foundation

/// A JSON document.
enum JSON: Hashable {
  case object([String: JSON])
  case array([JSON])
  case string(String)
  case number(Double)
  case boolean(Bool)
  case null

  init(_ text: String) throws {
    self = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
  }

  var elements: [JSON]? {
    if case .array(let elements) = self { return elements }
    return nil
  }

  var members: [String: JSON]? {
    if case .object(let members) = self { return members }
    return nil
  }

  var double: Double? {
    if case .number(let number) = self { return number }
    return nil
  }

  /// Returns whether it has a type of draft-07.
  func isOf(_ type: JSON) -> Bool {
    switch (self, type) {
    case (.object, .string("object")), (.array, .string("array")), (.string, .string("string")): true
    case (.boolean, .string("boolean")), (.null, .string("null")), (.number, .string("number")): true
    case (.number(let number), .string("integer")): number == number.rounded()
    default: false
    }
  }
}

extension JSON: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }
}
