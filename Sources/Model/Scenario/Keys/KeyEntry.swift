/// One key of the file format: where it stands, how its value is written, what it means, and what it fills.
package struct KeyEntry: Sendable {
  /// What holds when the key is left out.
  package enum Default: Hashable, Sendable {
    /// The key must be written.
    case required
    /// As if this text, YAML flow, had been written.
    case value(String)
    /// Nothing of the kind; the word `none` says the same.
    case none
    /// Nothing of the kind, and no word for it: another key stands in its place, or its rule needs nothing.
    case absent
  }

  /// A pattern such as `kinds.*.jitter.up_to`; `*` stands for a name or for an item of a list.
  package internal(set) var path: String
  /// The key itself: the last part of its path.
  package let name: String
  package var type: ValueType
  package var `default`: Default
  /// The least and the most that are allowed, in the text form of the type; nil: no bound of its own.
  package var least: String?
  package var most: String?
  /// Unit of a plain number, such as `per day`; other units stand in the values.
  package var per: String?
  /// What a mapping or an item is called in messages: `kind`, `cohort`.
  package var noun: String?
  /// Key that a plain value in the place of a mapping stands for.
  package var shorthand: String?
  /// One line.
  package var help: String
  /// A `Field` of whatever the key belongs to; nil where the key needs a reader and a writer of its own.
  private var anyField: (any Sendable)?

  /// The units that its values carry, for people.
  package var unit: String? { per ?? type.units }

  /// Whether the table alone says how it is read and written.
  package var isPlain: Bool { anyField != nil }

  /// The property of an `Owner` that it fills; nil: it fills none.
  package func field<Owner>(of _: Owner.Type) -> Field<Owner>? { anyField as? Field<Owner> }

  /// The word for nothing; nil: there is none.
  package var wordForNothing: String? {
    if `default` == .none { return "none" }
    return type.wordForNothing
  }

  /// An entry of the table, in the order in which the table reads best.
  static func key(
    _ path: String, _ type: ValueType, _ default: Default, _ help: String
  ) -> KeyEntry {
    let name = String(path.split(separator: ".").last ?? "")
    return KeyEntry(path: path, name: name, type: type, default: `default`, help: help)
  }

  /// A plain key: the property that it fills says how it is written.
  static func key<Owner, Value: KeyValue>(
    _ path: String, _ property: any WritableKeyPath<Owner, Value> & Sendable, as type: ValueType = Value.valueType,
    _ default: Default, _ help: String
  ) -> KeyEntry {
    key(path, type, `default`, help).with { $0.anyField = Field(property) }
  }

  /// A plain key whose default is what its property begins with.
  static func key<Owner: Keyed, Value: KeyValue>(
    _ path: String, _ property: any WritableKeyPath<Owner, Value> & Sendable, as type: ValueType = Value.valueType,
    _ help: String
  ) -> KeyEntry {
    let text = Owner()[keyPath: property].keyText ?? type.wordForNothing
    return key(path, property, as: type, text.map { .value($0) } ?? .none, help)
  }

  /// The entry with bounds.
  func from(_ least: String, to most: String? = nil) -> KeyEntry { with { ($0.least, $0.most) = (least, most) } }

  /// The entry with a most.
  func upTo(_ most: String) -> KeyEntry { with { $0.most = most } }

  /// The entry with the unit of a plain number.
  func per(_ unit: String) -> KeyEntry { with { $0.per = unit } }

  /// The entry of a mapping or an item, with what it is called in messages; nil: nothing.
  func noun(_ noun: String?) -> KeyEntry { with { $0.noun = noun } }

  /// The entry with the key that a plain value in the place of the mapping stands for.
  func shorthand(_ key: String) -> KeyEntry { with { $0.shorthand = key } }

  /// The entry with changes.
  func with(_ change: (inout KeyEntry) -> Void) -> KeyEntry {
    var entry = self
    change(&entry)
    return entry
  }
}

extension ValueType {
  /// The only word beside values of another form.
  fileprivate var wordForNothing: String? {
    guard alternatives.count > 1 else { return nil }
    let words = alternatives.lazy.compactMap { type in if case .words(let words) = type { words } else { nil } }.first
    return words?.count == 1 ? words?.first : nil
  }
}

/// The property of an `Owner` that a plain key fills.
package struct Field<Owner>: Sendable {
  /// What the property says.
  package let value: @Sendable (Owner) -> any KeyValue
  /// Changes nothing where the property cannot say that.
  package let fill: @Sendable (inout Owner, any KeyValue) -> Void

  init<Value: KeyValue>(_ property: any WritableKeyPath<Owner, Value> & Sendable) {
    value = { $0[keyPath: property] }
    fill = { owner, value in
      if let value = Value(read: value) { owner[keyPath: property] = value }
    }
  }
}

/// A part of a scenario that is complete without any key: its properties begin with the defaults of the file format.
package protocol Keyed {
  init()
}

extension Keyed {
  /// The defaults with changes.
  package static func with(_ change: (inout Self) -> Void) -> Self {
    var value = Self()
    change(&value)
    return value
  }
}
