import Scenario

/// The JSON Schema (draft-07) for scenario files, generated from the key table.
///
/// The schema checks keys, shapes, words, text formats and the bounds of plain numbers. The command `validate` also
/// checks quantities in strings and consistency, for example that shares add up and that names exist.
package var scenarioSchema: String { ScenarioSchema().document.json() + "\n" }

/// The JSON Schema for plan files, generated from the key table.
package var planSchema: String { ScenarioSchema().planDocument.json() + "\n" }

/// A builder for JSON Schemas, which traverses the key table.
struct ScenarioSchema {
  private let table = KeyTable.standard

  var document: PlainValue { document("widgetfleet/v1", "WidgetFleet scenario", at: "") }
  var planDocument: PlainValue { document("widgetfleet/plan/v1", "WidgetFleet plan", at: "plan") }

  private func document(_ name: String, _ title: String, at path: String) -> PlainValue {
    let about = PlainValue.mapping([
      "$schema": .text("http://json-schema.org/draft-07/schema#"), "$id": .text(name), "title": .text(title),
      "description": .text("Keys, structure, words and formats; 'widgetfleet validate' checks the rest."),
    ])
    return .mapping(about.pairs + mapping(at: path).pairs)
  }

  // MARK: Values

  /// Returns the schema for the value of a key.
  func value(of entry: KeyEntry) -> PlainValue {
    let none: [PlainValue] = entry.default == .none ? [words(["none"])] : []
    let forms = none + entry.type.alternatives.map { form($0, entry) }
    var pairs: [PlainValue.Pair] =
      forms.count == 1 ? forms[0].pairs : [.init(key: "anyOf", value: .list(forms))]
    if !entry.help.isEmpty { pairs.insert(.init(key: "description", value: .text(described(entry))), at: 0) }
    if case .value(let text) = entry.default, let node = Defaults.node(text) {
      pairs.append(.init(key: "default", value: node.plain))
    }
    return .mapping(pairs)
  }

  private func described(_ entry: KeyEntry) -> String { entry.help + (entry.unit.map { " (\($0))" } ?? "") }

  private func form(_ type: ValueType, _ entry: KeyEntry) -> PlainValue {
    switch type {
    case .mapping: mapping(at: entry.path)
    case .names: names(at: entry.path)
    case .list: list(at: entry.path)
    case .shares(of: let name): shares(of: name)
    case .values(of: let item, let count): values(item, count, entry)
    case .distribution(of: let value): distribution(of: value, entry)
    case .weekdays:
      .mapping(["anyOf": .list([text(type), array(of: text(type), from: 1, to: 1_000)])])
    case .oneOf(let types): .mapping(["anyOf": .list(types.map { form($0, entry) })])
    default: plain(type, entry)
    }
  }

  /// Returns the schema for a plain value of a type.
  private func plain(_ type: ValueType, _ entry: KeyEntry) -> PlainValue {
    switch type {
    case .schema: .mapping(["const": .text("widgetfleet/v1")])
    case .text: .mapping(["type": anyScalar, "maxLength": .count(Scalars.longestText)])
    case .label, .kind, .endpoint, .phone, .radio:
      .mapping([
        "type": anyScalar, "pattern": .text(TextForm.whole(type) ?? ""), "maxLength": .count(Scalars.longestName),
      ])
    case .folderName:
      .mapping([
        "type": .list([.text("string"), .text("integer"), .text("boolean")]),
        "pattern": .text(TextForm.whole(type) ?? ""), "maxLength": .bare("64"), "minimum": .bare("0"),
      ])
    case .words(let list): words(list)
    case .flag: .mapping(["type": .text("boolean")])
    case .integer: bounded("integer", type, entry)
    case .number: bounded("number", type, entry)
    case .count: .mapping(["anyOf": .list([bounded("integer", type, entry), text(type)])])
    case .anything: anything
    default: text(type)
    }
  }

  /// The JSON types that a plain value can have. The parser accepts all of them, regardless of how YAML interprets the
  /// value.
  private var anyScalar: PlainValue { .list([.text("string"), .text("number"), .text("boolean")]) }

  private func words(_ words: [String]) -> PlainValue { .mapping(["enum": .list(words.map { .text($0) })]) }

  /// Returns the schema for a string of the given type; quantities may also be the number 0.
  private func text(_ type: ValueType) -> PlainValue {
    let pattern = PlainValue.text(TextForm.whole(type) ?? "")
    guard TextForm.hasUnit(type) else { return .mapping(["type": .text("string"), "pattern": pattern]) }
    return .mapping([
      "type": .list([.text("string"), .text("integer")]), "pattern": pattern, "minimum": .bare("0"),
      "maximum": .bare("0"),
    ])
  }

  private func bounded(
    _ name: String, _ type: ValueType, _ entry: KeyEntry, isPositive: Bool = false
  ) -> PlainValue {
    .mapping([
      "type": .text(name), "minimum": .number(Scalars.bound(entry.minimum, as: type) ?? 0),
      "exclusiveMinimum": isPositive ? .bare("0") : nil,
      "maximum": Scalars.bound(entry.maximum, as: type).map { .number($0) },
    ])
  }

  // MARK: Mappings and lists

  private func mapping(at path: String) -> PlainValue {
    let children = table.children(of: path)
    let required = children.filter { $0.default == .required }.map { PlainValue.text($0.name) }
    let properties = children.map { PlainValue.Pair(key: $0.name, value: value(of: $0)) }
    return object([
      "properties": .mapping(properties), "required": .list(required), "additionalProperties": .flag(false),
    ])
  }

  private func names(at path: String) -> PlainValue {
    guard let item = table.child("*", of: path) else { return anything }
    return object([
      "propertyNames": orNote(name), "additionalProperties": value(of: item), "maxProperties": .bare("1000"),
    ])
  }

  private var name: PlainValue {
    .mapping(["pattern": .text(TextForm.whole(.label) ?? ""), "maxLength": .count(Scalars.longestName)])
  }

  private func shares(of type: ValueType) -> PlainValue {
    object([
      "propertyNames": orNote(text(type)), "additionalProperties": text(.share), "minProperties": .bare("1"),
      "maxProperties": .bare("1000"),
    ])
  }

  /// Returns the schema for a mapping; additional keys that begin with x- are allowed as notes.
  private func object(_ keys: KeyValuePairs<String, PlainValue?>) -> PlainValue {
    let notes = PlainValue.mapping(["patternProperties": .mapping(["^x-": anything])])
    return .mapping(PlainValue.mapping(["type": .text("object")]).pairs + PlainValue.mapping(keys).pairs + notes.pairs)
  }

  /// The schema that accepts any value.
  private var anything: PlainValue { .mapping([PlainValue.Pair]()) }

  private func orNote(_ names: PlainValue) -> PlainValue {
    .mapping(["anyOf": .list([.mapping(["pattern": .text("^x-")]), names])])
  }

  private func list(at path: String) -> PlainValue {
    guard let item = table.child("*", of: path) else { return anything }
    return array(of: value(of: item), from: 0, to: 1_000)
  }

  private func values(_ type: ValueType, _ count: Int?, _ entry: KeyEntry) -> PlainValue {
    let minimum = count ?? (type == .kind || type == .weekdays ? 1 : 0)
    return array(of: form(type, entry), from: minimum, to: count ?? 1_000)
  }

  private func array(of item: PlainValue, from minimum: Int, to maximum: Int) -> PlainValue {
    .mapping([
      "type": .text("array"), "items": item, "minItems": .count(minimum), "maxItems": .count(maximum),
    ])
  }

  // MARK: Distributions

  /// Returns the schema for a distribution, which is either a plain value or a mapping in one of the forms of
  /// `DistributionForm`.
  private func distribution(of type: ValueType, _ entry: KeyEntry) -> PlainValue {
    let value = plain(type, entry)
    let positive = type == .number ? bounded("number", type, entry, isPositive: true) : value
    var sigma = entry
    (sigma.minimum, sigma.maximum) = ("0", "10")
    let shape = bounded("number", .number, sigma, isPositive: true)
    let uniform = PlainValue.mapping([
      "type": .text("string"), "pattern": .text(TextForm.whole(.range(of: type)) ?? ""),
    ])
    let choice = object([
      "propertyNames": orNote(.mapping(["pattern": .text(TextForm.whole(type) ?? "")])),
      "additionalProperties": text(.share), "minProperties": .bare("1"),
    ])
    return .mapping([
      "anyOf": .list([
        value, only("uniform", uniform), only("exponential", positive),
        only("normal", parameters(["mean": value, "sd": positive])),
        only("lognormal", parameters(["median": positive, "sigma": shape])),
        only("lognormal", parameters(["median": positive, "p95": positive])), only("choice", choice),
      ])
    ])
  }

  /// Returns the schema for a mapping that contains only the given key.
  private func only(_ key: String, _ value: PlainValue) -> PlainValue {
    parameters(.init(dictionaryLiteral: (key, value)))
  }

  /// Returns the schema for a mapping that contains exactly the given keys.
  private func parameters(_ keys: KeyValuePairs<String, PlainValue?>) -> PlainValue {
    object([
      "properties": .mapping(keys), "required": .list(keys.map { .text($0.key) }), "additionalProperties": .flag(false),
    ])
  }
}

extension PlainValue {
  /// The pairs of a mapping; empty for any other value.
  fileprivate var pairs: [Pair] {
    if case .mapping(let pairs) = self { return pairs }
    return []
  }
}

extension Node {
  /// The node as a JSON value; numbers and booleans are not quoted.
  var plain: PlainValue {
    switch content {
    case .scalar(let text, let isPlain):
      let isNumber = (try? PlainNumbers.number(text)) != nil || (try? PlainNumbers.integer(text)) != nil
      guard isPlain, isNumber || text == "true" || text == "false" else { return .text(text) }
      return .bare(text.replacing("_", with: ""))
    case .list(let items): return .list(items.map(\.plain))
    case .mapping(let pairs): return .mapping(pairs.map { .init(key: $0.key, value: $0.value.plain) })
    case .refused: return .text("")
    }
  }
}

/// The text formats of values, as ECMA 262 regular expressions for the schema.
///
/// The expressions follow the grammar of `Quantities`, `PlainNumbers` and `CalendarText`, but do not limit the size of
/// values.
enum TextForm {
  private static let decimal = #"(0|[1-9](_?[0-9])*)(\.[0-9](_?[0-9])*)?"#
  /// A number whose digits may be grouped by spaces, as in results.
  private static let grouped =
    #"(0|[1-9](_?[0-9])*|[1-9][0-9]{0,2}([ \u00a0\u2009\u202f][0-9]{3})+)(\.[0-9](_?[0-9])*)?"#
  private static let number = decimal + "([eE][+-]?[0-9]+)?"
  private static let duration = Units.spans.map { "(\(decimal) *\([$0].pattern) *)?" }.joined()
  private static let day = "(mon|tue|wed|thu|fri|sat|sun)"
  private static let rate =
    grouped + " *" + Array(Units.counts.dropLast()).pattern + "? *(" + Units.ratedThings.joined(separator: "|") + ")?"
    + "( *(" + Units.rateWords.map(\.0).joined(separator: "|") + ")|( */ *| +per +)" + Units.periods.pattern + ")"

  /// Returns the pattern for values of a type; `nil` if the type has no text format.
  static func pattern(of type: ValueType) -> String? {
    switch type {
    case .number: number
    case .integer: #"(0|[1-9](_?[0-9])*)(\.0(_?0)*)?"#
    case .count: grouped + "( *" + Units.counts.pattern + ")?"
    case .share: orZero(decimal + " *%")
    case .change: orZero("-?" + decimal + " *%")
    case .duration: orZero("(?=[0-9])" + duration)
    case .rate: orZero(rate)
    case .size: orZero(grouped + " *" + Units.sizes.pattern)
    case .range(of: let end), .distribution(of: let end):
      pattern(of: end).map { $0 + #"\.\."# + $0 }
    case .instant:
      #"(19[7-9][0-9]|20[0-9]{2}|21[0-9]{2})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"#
        + #"T([01][0-9]|2[0-3])(:[0-5][0-9]){2}(\.[0-9]{1,3})?(Z|[+-](0[0-9]|1[0-8]):[0-5][0-9])"#
    case .timeOfDay: "(([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?|24:00(:00)?)"
    case .weekdays: day + "(-\(day))?"
    case .zone: "(\(Zones.namesWithoutCity.joined(separator: "|"))|[A-Za-z0-9_+-]*/[A-Za-z0-9_/+-]*)"
    case .folderName: "[a-z0-9][a-z0-9-]*"
    case .power: orZero(decimal + " *(W|mW)")
    case .energyPerBit: orZero(decimal + " *(mW/Mbps|nJ/bit)")
    case .battery: orZero(decimal + " *Wh")
    case .zipf: "zipf " + number
    case .label, .kind, .endpoint, .phone, .radio: #"[^\n\t]*[^\s][^\n\t]*"#
    default: nil
    }
  }

  /// Returns a pattern that matches a quantity with its unit, or 0 without a unit.
  private static func orZero(_ pattern: String) -> String { "(0|\(pattern))" }

  /// Whether values of this type have a unit, which may be omitted for 0.
  static func hasUnit(_ type: ValueType) -> Bool {
    [.share, .change, .duration, .rate, .size, .power, .energyPerBit, .battery].contains(type)
  }

  /// Returns a pattern that matches only whole strings.
  static func whole(_ type: ValueType) -> String? { pattern(of: type).map { "^(" + $0 + ")$" } }
}

/// Functions that write JSON with a fixed key order.
enum JSONText {
  /// Returns a quoted string in which all characters are escaped except printable ASCII characters and letters of any
  /// script.
  static func quote(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case _ where scalar.isHidden: quoted += escape(scalar)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
