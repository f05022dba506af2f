import Scenario

/// How plain keys are read: what the table says of a key decides it, whatever the key belongs to.
extension Section {
  /// Fills the properties of a value that keys of this section and of mappings below it say.
  ///
  /// What is left out, and what cannot be read, stays as it is.
  func fill<Owner>(_ owner: inout Owner) {
    for entry in KeyTable.standard.children(of: pattern) {
      if let field = entry.field(of: Owner.self) {
        if let content = content(of: entry) { field.fill(&owner, content) }
      } else if entry.hasMapping, let inner = node?[entry.name], inner.pairs != nil {
        Section(node: inner, pattern: entry.path).fill(&owner)
      }
    }
  }

  /// The mapping of a key as a value; nil: there is none, or a key that it needs cannot be read.
  func part<Owner: Keyed>(_ key: String) -> Owner? {
    guard let node = written(key), node.pairs != nil else { return nil }
    let section = section(key)
    let needed = KeyTable.standard.children(of: section.pattern).filter {
      $0.default == .required && $0.field(of: Owner.self) != nil
    }
    guard needed.allSatisfy({ section.content(of: $0) != nil }) else { return nil }
    var owner = Owner()
    section.fill(&owner)
    return owner
  }

  /// What is written for a key; nil: nothing, or nothing that can be read.
  private func content(of entry: KeyEntry) -> KeyContent? {
    guard let node = node?[entry.name], !node.isNull else { return nil }
    if let word = entry.wordForNothing, node.text == word { return .nothing }
    return entry.type.alternatives.lazy.compactMap { KeyContent(node, as: $0) }.first
  }
}

extension KeyContent {
  /// nil: the value has another form.
  fileprivate init?(_ node: Node, as type: ValueType) {
    switch type {
    case .distribution(of: .duration):
      guard let spans = Reading.spans(node) else { return nil }
      self = .spans(spans)
    case .distribution:
      guard let numbers = Reading.numbers(node) else { return nil }
      self = .numbers(numbers)
    default:
      let read = Reading.read(node) { text throws(ValueProblem) in try KeyContent.read(text, as: type) }
      guard let content = read ?? nil else { return nil }
      self = content
    }
  }

  /// nil: the text has another form.
  private static func read(_ text: String, as type: ValueType) throws(ValueProblem) -> KeyContent? {
    switch type {
    case .flag: text == "true" ? .flag(true) : text == "false" ? .flag(false) : nil
    case .integer: .integer(try PlainNumbers.integer(text))
    case .count: .integer(UInt64(try Quantities.count(text)))
    case .number: .number(try PlainNumbers.number(text))
    case .rate: .number(try Quantities.perSecond(text))
    case .share: .share(try Quantities.share(text))
    case .duration: .duration(try Quantities.duration(text))
    case .power: .power(try Quantities.power(text))
    case .energyPerBit: .energyPerBit(try Quantities.energyPerBit(text))
    case .words(let words): words.contains(text) ? .word(text) : nil
    case .text, .label, .zone: .word(text)
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
        return entry.plain(field.content(owner)).map { Pair(key: entry.name, value: $0) }
      }
      guard entry.hasMapping else { return nil }
      let inner = pairs(of: owner, at: entry.path, others)
      return inner.isEmpty ? nil : Pair(key: entry.name, value: .mapping(inner))
    }
  }
}

extension KeyEntry {
  /// A content as a file has it; nil: nothing, and no word for that.
  fileprivate func plain(_ content: KeyContent) -> PlainValue? {
    switch content {
    case .flag(let flag): .flag(flag)
    case .integer(let integer): .count(integer)
    case .number(let number): type.alternatives.contains(.rate) ? .rate(number) : .number(number)
    case .share(let share): .share(share)
    case .duration(let span): .duration(span)
    case .power(let power): .text(QuantityText.power(power))
    case .energyPerBit(let energy): .text(QuantityText.energyPerBit(energy))
    case .word(let word): .text(word)
    case .spans(let spans): .distribution(spans)
    case .numbers(let numbers): .distribution(numbers)
    case .nothing: wordForNothing.map { .text($0) }
    }
  }
}
