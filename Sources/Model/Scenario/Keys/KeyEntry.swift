/// A key of the file format, with its path, the type and meaning of its value, and the property that it sets.
package struct KeyEntry: Sendable {
  /// The value that applies if a key is omitted.
  package enum Default: Hashable, Sendable {
    /// No default; the key is required.
    case required
    /// A default value, given as a string in YAML flow style.
    case value(String)
    /// No value; this can also be stated explicitly by writing `none`.
    case none
    /// No value, which cannot be stated explicitly, because another key replaces this key or the enclosing rule does
    /// not need a value.
    case absent
  }

  /// The path pattern, such as `kinds.*.jitter.up_to`; `*` stands for a name or a list item.
  package internal(set) var path: String
  /// The name of the key, which is the last component of its path.
  package let name: String
  package var type: ValueType
  package var `default`: Default
  /// The minimum and maximum allowed values, in the notation of the type; `nil` if there is no bound.
  package var minimum: String?
  package var maximum: String?
  /// The unit of a plain number, such as `per day`; `nil` for values that are written with their unit.
  package var per: String?
  /// The noun for a mapping or list item in messages, such as `kind` or `cohort`.
  package var noun: String?
  /// The name of the key that is set if a plain value is written instead of the mapping.
  package var shorthand: String?
  /// The one-line help text.
  package var help: String
  /// The `Field` of the type to which the key belongs; `nil` if separate code reads and writes the key.
  private var anyField: (any Sendable)?

  /// The units in which values of the key can be written, for display.
  package var unit: String? { per ?? type.units }

  /// Whether the table is sufficient to read and write the key, so that no separate code is needed.
  package var isPlain: Bool { anyField != nil }

  /// Returns the property of an `Owner` that the key sets; `nil` if there is no such property.
  package func field<Owner>(of _: Owner.Type) -> Field<Owner>? { anyField as? Field<Owner> }

  /// The word that represents the absence of a value; `nil` if there is no such word.
  package var noneWord: String? {
    if `default` == .none { return "none" }
    return type.noneWord
  }

  /// Returns an entry for the table; the arguments are in a readable order.
  static func key(
    _ path: String, _ type: ValueType, _ default: Default, _ help: String
  ) -> KeyEntry {
    let name = String(path.split(separator: ".").last ?? "")
    return KeyEntry(path: path, name: name, type: type, default: `default`, help: help)
  }

  /// Returns a plain key whose type is determined by its property.
  static func key<Owner, Value: KeyValue>(
    _ path: String, _ property: any WritableKeyPath<Owner, Value> & Sendable, as type: ValueType = Value.valueType,
    _ default: Default, _ help: String
  ) -> KeyEntry {
    key(path, type, `default`, help).with { $0.anyField = Field(property) }
  }

  /// Returns a plain key whose default value is the initial value of its property.
  static func key<Owner: Keyed, Value: KeyValue>(
    _ path: String, _ property: any WritableKeyPath<Owner, Value> & Sendable, as type: ValueType = Value.valueType,
    _ help: String
  ) -> KeyEntry {
    let text = Owner()[keyPath: property].keyText ?? type.noneWord
    return key(path, property, as: type, text.map { .value($0) } ?? .none, help)
  }

  /// Returns the entry with a minimum and an optional maximum.
  func from(_ minimum: String, to maximum: String? = nil) -> KeyEntry {
    with { ($0.minimum, $0.maximum) = (minimum, maximum) }
  }

  func upTo(_ maximum: String) -> KeyEntry { with { $0.maximum = maximum } }

  /// Returns the entry with a unit for its plain number.
  func per(_ unit: String) -> KeyEntry { with { $0.per = unit } }

  /// Returns the entry of a mapping or list item with the noun for messages, if there is one.
  func noun(_ noun: String?) -> KeyEntry { with { $0.noun = noun } }

  /// Returns the entry with the name of the key that is set if a plain value is written instead of the mapping.
  func shorthand(_ key: String) -> KeyEntry { with { $0.shorthand = key } }

  func with(_ change: (inout KeyEntry) -> Void) -> KeyEntry {
    var entry = self
    change(&entry)
    return entry
  }
}

extension ValueType {
  /// The only word that is allowed in addition to values of other types.
  fileprivate var noneWord: String? {
    guard alternatives.count > 1 else { return nil }
    let words = alternatives.lazy.compactMap { type in if case .words(let words) = type { words } else { nil } }.first
    return words?.count == 1 ? words?.first : nil
  }
}

/// The property of an `Owner` that a plain key sets.
package struct Field<Owner>: Sendable {
  package let value: @Sendable (Owner) -> any KeyValue
  /// The setter of the property; it does nothing if the property cannot hold the value.
  package let fill: @Sendable (inout Owner, any KeyValue) -> Void

  init<Value: KeyValue>(_ property: any WritableKeyPath<Owner, Value> & Sendable) {
    value = { $0[keyPath: property] }
    fill = { owner, value in
      if let value = Value(read: value) { owner[keyPath: property] = value }
    }
  }
}

/// A part of a scenario that can be created without any keys, because its properties have the default values of the
/// file format.
package protocol Keyed {
  init()
}

extension Keyed {
  /// Returns a value with the default properties, after applying a change to it.
  package static func with(_ change: (inout Self) -> Void) -> Self {
    var value = Self()
    change(&value)
    return value
  }
}
