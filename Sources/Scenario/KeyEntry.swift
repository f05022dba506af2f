/// One key of the file format: where it stands, how its value is written, and what it means.
package struct KeyEntry: Hashable, Sendable {
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
  package let path: String
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

  /// An entry of the table, in the order in which the table reads best.
  static func key(
    _ path: String, _ type: ValueType, _ default: Default, from least: String? = nil, to most: String? = nil,
    per: String? = nil, noun: String? = nil, shorthand: String? = nil, _ help: String
  ) -> KeyEntry {
    KeyEntry(
      path: path, name: String(path.split(separator: ".").last ?? ""), type: type, default: `default`, least: least,
      most: most, per: per, noun: noun, shorthand: shorthand, help: help)
  }

  /// The units that its values carry, for people.
  package var unit: String? { per ?? type.units }
}
