/// A key of the file format, with its path, the form and meaning of its value, and the property that it sets.
package struct KeyEntry: Sendable {
  /// The value used if a key is omitted.
  package enum Default: Hashable, Sendable {
    /// No default; the key is required.
    case required
    /// A default given by this string, in YAML flow style.
    case value(String)
    /// No value, which can also be written as `none`.
    case none
    /// No value, which cannot be written because another key replaces it or its rule does not need a value.
    case absent
  }

  /// The path pattern, such as `kinds.*.jitter.up_to`; `*` stands for a name or a list item.
  package internal(set) var path: String
  /// The key itself, which is the last part of its path.
  package let name: String
  package var type: ValueType
  package var `default`: Default
  /// The minimum and maximum allowed values, as strings of the type; `nil` if the key has no bound of its own.
  package var minimum: String?
  package var maximum: String?
  /// The unit of a plain number, such as `per day`; other values include their units.
  package var per: String?
  /// The name of a mapping or list item in messages: `kind`, `cohort`.
  package var noun: String?
  /// The key set by a plain value that is given instead of the mapping.
  package var shorthand: String?
  /// The one-line help text.
  package var help: String
  /// The `Field` of the key's owner; `nil` if the key needs special code for reading and writing.
  private var anyField: (any Sendable)?

  /// The units of the key's values, for display.
  package var unit: String? { per ?? type.units }

  /// Whether the key is read and written using only the table.
  package var isPlain: Bool { anyField != nil }

  /// Returns the property of an `Owner` that the key sets; `nil` if there is none.
  package func field<Owner>(of _: Owner.Type) -> Field<Owner>? { anyField as? Field<Owner> }

  /// The word that represents no value; `nil` if there is none.
  package var noneWord: String? {
    if `default` == .none { return "none" }
    return type.noneWord
  }

  /// Returns an entry for the table, with arguments in a readable order.
  static func key(
    _ path: String, _ type: ValueType, _ default: Default, _ help: String
  ) -> KeyEntry {
    let name = String(path.split(separator: ".").last ?? "")
    return KeyEntry(path: path, name: name, type: type, default: `default`, help: help)
  }

  /// Returns a plain key whose form is defined by its property.
  static func key<Owner, Value: KeyValue>(
    _ path: String, _ property: any WritableKeyPath<Owner, Value> & Sendable, as type: ValueType = Value.valueType,
    _ default: Default, _ help: String
  ) -> KeyEntry {
    key(path, type, `default`, help).with { $0.anyField = Field(property) }
  }

  /// Returns a plain key whose default is the initial value of its property.
  static func key<Owner: Keyed, Value: KeyValue>(
    _ path: String, _ property: any WritableKeyPath<Owner, Value> & Sendable, as type: ValueType = Value.valueType,
    _ help: String
  ) -> KeyEntry {
    let text = Owner()[keyPath: property].keyText ?? type.noneWord
    return key(path, property, as: type, text.map { .value($0) } ?? .none, help)
  }

  /// Returns the entry with bounds.
  func from(_ minimum: String, to maximum: String? = nil) -> KeyEntry {
    with { ($0.minimum, $0.maximum) = (minimum, maximum) }
  }

  /// Returns the entry with a maximum.
  func upTo(_ maximum: String) -> KeyEntry { with { $0.maximum = maximum } }

  /// Returns the entry with the unit of a plain number.
  func per(_ unit: String) -> KeyEntry { with { $0.per = unit } }

  /// Returns the entry of a mapping or list item, with its name in messages if it has one.
  func noun(_ noun: String?) -> KeyEntry { with { $0.noun = noun } }

  /// Returns the entry with the key set by a plain value that is given instead of the mapping.
  func shorthand(_ key: String) -> KeyEntry { with { $0.shorthand = key } }

  func with(_ change: (inout KeyEntry) -> Void) -> KeyEntry {
    var entry = self
    change(&entry)
    return entry
  }
}

extension ValueType {
  /// The only word allowed in addition to values of another form.
  fileprivate var noneWord: String? {
    guard alternatives.count > 1 else { return nil }
    let words = alternatives.lazy.compactMap { type in if case .words(let words) = type { words } else { nil } }.first
    return words?.count == 1 ? words?.first : nil
  }
}

/// The property of an `Owner` that a plain key sets.
package struct Field<Owner>: Sendable {
  /// The getter of the property.
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

/// A part of a scenario that is complete even if no keys are given, because its properties have the file format's
/// defaults.
package protocol Keyed {
  init()
}

extension Keyed {
  /// Returns the defaults with changes applied.
  package static func with(_ change: (inout Self) -> Void) -> Self {
    var value = Self()
    change(&value)
    return value
  }
}
