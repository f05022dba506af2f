import Scenario
import SimulationKernel

/// How plain keys are read: what the table says of a key decides it, whatever the key belongs to.
extension Section {
  /// Fills the properties of a value that keys of this section and of mappings below it say.
  ///
  /// What is left out, and what cannot be read, stays as it is.
  func fill<Owner>(_ owner: inout Owner) {
    for entry in KeyTable.standard.children(of: pattern) {
      if let field = entry.field(of: Owner.self) {
        if let value = value(of: entry) { field.fill(&owner, value) }
      } else if entry.hasMapping, let inner = node?[entry.name], inner.pairs != nil {
        Section(node: inner, pattern: entry.path).fill(&owner)
      }
    }
  }

  /// The defaults with what keys of this section say.
  func filled<Owner: Keyed>() -> Owner { .with { fill(&$0) } }

  /// The mapping of a key as a value; nil: there is none, or a key that it needs cannot be read.
  func part<Owner: Keyed>(_ key: String) -> Owner? {
    guard let node = written(key), node.pairs != nil else { return nil }
    let section = section(key)
    let needed = KeyTable.standard.children(of: section.pattern).filter {
      $0.default == .required && $0.field(of: Owner.self) != nil
    }
    return needed.allSatisfy { section.value(of: $0) != nil } ? section.filled() : nil
  }

  /// What is written for a key; nil: nothing, or nothing that can be read.
  ///
  /// Not inlined: each of forty owners would have a copy of every quantity's reader.
  @inline(never)
  private func value(of entry: KeyEntry) -> (any KeyValue)? {
    guard let node = node?[entry.name], !node.isNull else { return nil }
    if let word = entry.wordForNothing, node.text == word { return NoValue() }
    return entry.type.alternatives.lazy.compactMap { read(node, as: $0) }.first
  }

  /// nil: the value has another form.
  private func read(_ node: Node, as type: ValueType) -> (any KeyValue)? {
    switch type {
    case .distribution(of: .duration): Reading.spans(node)
    case .distribution: Reading.numbers(node)
    default: Reading.read(node) { text throws(ValueProblem) in try Self.read(text, as: type) } ?? nil
    }
  }

  /// nil: the text has another form.
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

/// How plain keys are written.
extension PlainValue {
  /// A mapping of a value's plain keys and of others, in the order of the table.
  ///
  /// - Parameter others: what the table alone cannot write, by the keys' names.
  static func mapping<Owner>(_ owner: Owner, at path: String, _ others: [String: PlainValue] = [:]) -> PlainValue {
    .mapping(pairs(of: owner, at: path, others))
  }

  /// A mapping of a value's plain keys; the word none where there is no value.
  static func mapping<Owner>(_ owner: Owner?, at path: String, _ others: [String: PlainValue] = [:]) -> PlainValue {
    owner.map { mapping($0, at: path, others) } ?? .text("none")
  }

  /// The keys of `mapping(_:at:_:)`.
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
  /// A value as a file has it; nil: nothing, and no word for that.
  fileprivate func plain(_ value: any KeyValue) -> PlainValue? {
    switch value {
    case let spans as Distribution<TimeAmount>: .distribution(spans)
    case let numbers as Distribution<Double>: .distribution(numbers)
    case let rate as Double where type.alternatives.contains(.rate): .rate(rate)
    case let phones as SimulatedPhones where phones.count == nil: phones.keyText.map { .text($0) }
    case is SimulatedPhones, is Bool, is Int, is UInt64, is Double: value.keyText.map { .bare($0) }
    default: (value.keyText ?? wordForNothing).map { .text($0) }
    }
  }
}
