import Scenario
import SimulationKernel

/// A mapping in the tree, combined with defaults from the key table. An invalid value is replaced by the default, or by
/// no value if there is none.
struct Section {
  /// The node of the mapping; `nil` if the mapping is omitted.
  let node: Node?
  /// The pattern of the mapping in the key table, such as `kinds.*`.
  let pattern: String

  /// Returns the value of a key as written; `nil` if it is omitted or null, or if the value is optional and written as
  /// `none`.
  func written(_ key: String) -> Node? {
    guard let node = node?[key], !node.isNull else { return nil }
    return node.text == "none" && entry(key)?.default == KeyEntry.Default.none ? nil : node
  }

  /// Returns the value of a key as written, or the default from the table.
  func value(_ key: String) -> Node? {
    if let node = written(key) { return node }
    guard case .value(let text)? = entry(key)?.default else { return nil }
    return Defaults.node(text)
  }

  func entry(_ key: String) -> KeyEntry? { KeyTable.standard.child(key, of: pattern) }

  func section(_ key: String) -> Section { Section(node: value(key), pattern: path(key)) }

  /// Returns the items of a list as sections.
  func items(_ key: String) -> [Section] {
    (written(key)?.items ?? []).map { Section(node: $0, pattern: path(key) + ".*") }
  }

  /// Returns the entries of a mapping with names as keys, each as a section.
  func named(_ key: String) -> [(pair: Node.Pair, section: Section)] {
    (written(key)?.pairs ?? []).map { ($0, Section(node: $0.value, pattern: path(key) + ".*")) }
  }

  private func path(_ key: String) -> String { pattern.isEmpty ? key : pattern + "." + key }

  /// Returns the value of a key as text if it is a scalar.
  func text(_ key: String) -> String? { value(key)?.text }

  func duration(_ key: String) -> TimeAmount? { read(key, Quantities.duration) }

  func share(_ key: String) -> Share? { read(key, Quantities.share) }

  func number(_ key: String) -> Double? { read(key, PlainNumbers.number) }

  func size(_ key: String) -> ByteCount? { read(key, Quantities.size) }

  func count(_ key: String) -> Int? { read(key, Quantities.count).flatMap { Int(exactly: $0) } }

  func integer(_ key: String) -> Int? { read(key, PlainNumbers.integer).flatMap { Int(exactly: $0) } }

  func time(_ key: String) -> TimeOfDay? { read(key, CalendarText.timeOfDay) }

  /// Returns the instant given by a key, in milliseconds since 1970.
  func instant(_ key: String) -> Int64? { read(key, CalendarText.instant) }

  /// Returns the enumeration case whose raw value is the word given by the key.
  func word<Word: RawRepresentable<String>>(_ key: String) -> Word? { text(key).flatMap { Word(rawValue: $0) } }

  func distribution(_ key: String) -> Distribution<TimeAmount>? { value(key).flatMap { Reading.spans($0) } }

  /// Returns the values of a mapping and their shares, in text order.
  func shares(_ key: String) -> [Weighted<String>] {
    (value(key)?.pairs ?? []).compactMap { pair in
      Reading.read(pair.value, Quantities.share).map { Weighted(pair.key, weight: $0.fraction) }
    }
  }

  func days(_ key: String) -> Set<Weekday>? {
    guard let node = value(key) else { return nil }
    let texts = (node.items ?? [node]).compactMap(\.text)
    return texts.compactMap { try? CalendarText.days($0) }.reduce(into: []) { $0.formUnion($1) }
  }

  func zone(_ key: String) -> ZoneChoice { text(key).map { $0 == "local" ? .local : .named($0) } ?? .local }

  func read<Value>(_ key: String, _ parse: (String) throws(ValueProblem) -> Value) -> Value? {
    value(key).flatMap { Reading.read($0, parse) }
  }
}

/// The default values from the key table, as nodes.
enum Defaults {
  static func node(_ text: String) -> Node? {
    let span = Span(source: 0, line: 1, column: 1, length: 1)
    if !text.contains(where: { "{[\"".contains($0) }) { return Node(content: .scalar(text, isPlain: true), span: span) }
    var problems = ProblemList(file: SourceText(name: "default", bytes: Array(text.utf8)))
    return TreeReader.read(source: 0, problems: &problems)
  }
}

/// Functions that read validated values.
enum Reading {
  /// Returns the parsed value; `nil` if validation has already reported a problem in it.
  static func read<Value>(_ node: Node, _ parse: (String) throws(ValueProblem) -> Value) -> Value? {
    guard let text = node.text else { return nil }
    do { return try parse(text) } catch { return nil }
  }

  static func spans(_ node: Node) -> Distribution<TimeAmount>? {
    DistributionReader.read(node, Quantities.duration)
  }

  static func numbers(_ node: Node) -> Distribution<Double>? {
    DistributionReader.read(node, PlainNumbers.number)
  }
}

/// Functions that read plain keys, which are described completely by the table, for any keyed type.
extension Section {
  /// Sets the properties of a value from the keys in this section and in its nested mappings.
  ///
  /// If a key is omitted or cannot be read, the corresponding property is unchanged.
  func fill<Owner>(_ owner: inout Owner) {
    for entry in KeyTable.standard.children(of: pattern) {
      if let field = entry.field(of: Owner.self) {
        if let value = value(of: entry) { field.fill(&owner, value) }
      } else if entry.hasMapping, let inner = node?[entry.name], inner.pairs != nil {
        Section(node: inner, pattern: entry.path).fill(&owner)
      }
    }
  }

  /// Returns the default value, changed by the keys in this section.
  func filled<Owner: Keyed>() -> Owner { .with { fill(&$0) } }

  /// Returns a value read from the mapping of a key; `nil` if the mapping is omitted or a required key cannot be read.
  func part<Owner: Keyed>(_ key: String) -> Owner? {
    guard let node = written(key), node.pairs != nil else { return nil }
    let section = section(key)
    let needed = KeyTable.standard.children(of: section.pattern).filter {
      $0.default == .required && $0.field(of: Owner.self) != nil
    }
    return needed.allSatisfy { section.value(of: $0) != nil } ? section.filled() : nil
  }

  /// Returns the value of a key as written; `nil` if it is omitted or cannot be read.
  ///
  /// Inlining is disabled because each of the forty owner types would otherwise get a copy of the readers for all
  /// quantities.
  @inline(never)
  private func value(of entry: KeyEntry) -> (any KeyValue)? {
    guard let node = node?[entry.name], !node.isNull else { return nil }
    if let word = entry.noneWord, node.text == word { return NoValue() }
    return entry.type.alternatives.lazy.compactMap { read(node, as: $0) }.first
  }

  /// Reads a node as a value of the given type; returns `nil` if the node has a different form.
  private func read(_ node: Node, as type: ValueType) -> (any KeyValue)? {
    switch type {
    case .distribution(of: .duration): Reading.spans(node)
    case .distribution: Reading.numbers(node)
    default: Reading.read(node) { text throws(ValueProblem) in try Self.read(text, as: type) } ?? nil
    }
  }

  /// Parses text as a value of the given type; returns `nil` if the text is invalid.
  private static func read(_ text: String, as type: ValueType) throws(ValueProblem) -> (any KeyValue)? {
    switch type {
    case .flag: Bool(text)
    case .integer: try PlainNumbers.integer(text)
    case .count: UInt64(try Quantities.count(text))
    case .number: try PlainNumbers.number(text)
    case .rate: try Quantities.perSecond(text)
    case .share: try Quantities.share(text)
    case .change: try Quantities.change(text)
    case .duration: try Quantities.duration(text)
    case .power: try Quantities.power(text)
    case .energyPerBit: try Quantities.energyPerBit(text)
    case .words(let words): words.contains(text) ? text : nil
    case .text, .label, .zone: text
    default: nil
    }
  }
}

/// Functions that write plain keys to files.
extension PlainValue {
  /// Returns a mapping with a value's plain keys and with other keys, in table order.
  ///
  /// - Parameter others: the values that cannot be written using only the table, by key.
  static func mapping<Owner>(_ owner: Owner, at path: String, _ others: [String: PlainValue] = [:]) -> PlainValue {
    .mapping(pairs(of: owner, at: path, others))
  }

  /// Returns a mapping with a value's plain keys, or the word `none` if the value is `nil`.
  static func mapping<Owner>(_ owner: Owner?, at path: String, _ others: [String: PlainValue] = [:]) -> PlainValue {
    owner.map { mapping($0, at: path, others) } ?? .text("none")
  }

  /// Returns the pairs for a value's plain keys and for other keys, in table order.
  static func pairs<Owner>(of owner: Owner, at path: String, _ others: [String: PlainValue] = [:]) -> [Pair] {
    KeyTable.standard.children(of: path).compactMap { entry in
      if let value = others[entry.name] { return Pair(key: entry.name, value: value) }
      if let field = entry.field(of: Owner.self) {
        return entry.plain(field.value(owner)).map { Pair(key: entry.name, value: $0) }
      }
      guard entry.hasMapping else { return nil }
      let inner = pairs(of: owner, at: entry.path, others)
      return inner.isEmpty ? nil : Pair(key: entry.name, value: .mapping(inner))
    }
  }
}

extension KeyEntry {
  /// Returns a value in the form used in files; `nil` if it is missing and no word represents a missing value.
  fileprivate func plain(_ value: any KeyValue) -> PlainValue? {
    switch value {
    case let spans as Distribution<TimeAmount>: .distribution(spans)
    case let numbers as Distribution<Double>: .distribution(numbers)
    case let rate as Double where type.alternatives.contains(.rate): .rate(rate)
    case let phones as SimulatedPhones where phones.count == nil: phones.keyText.map { .text($0) }
    case is SimulatedPhones, is Bool, is Int, is UInt64, is Double: value.keyText.map { .bare($0) }
    default: (value.keyText ?? noneWord).map { .text($0) }
    }
  }
}
