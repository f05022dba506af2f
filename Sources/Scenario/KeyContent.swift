package import SimulationKernel

/// What the value of a plain key says, whatever type of the model holds it.
package enum KeyContent: Hashable, Sendable {
  case flag(Bool)
  case integer(UInt64)
  /// A plain number; of a rate the number per second.
  case number(Double)
  case share(Share)
  case duration(TimeAmount)
  case power(Power)
  case energyPerBit(EnergyPerBit)
  /// One of the key's words, or a name.
  case word(String)
  case spans(Distribution<TimeAmount>)
  case numbers(Distribution<Double>)
  case nothing

  /// As a file has it; nil where that depends on the key.
  var text: String? {
    switch self {
    case .flag(let flag): flag ? "true" : "false"
    case .integer(let integer): String(integer)
    case .number(let number): QuantityText.number(number)
    case .share(let share): QuantityText.share(share)
    case .duration(let span): QuantityText.duration(span)
    case .word(let word): word
    case .power, .energyPerBit, .spans, .numbers, .nothing: nil
    }
  }

  /// What it carries, where that is of a type.
  fileprivate func carried<Value>(as _: Value.Type) -> Value? {
    switch self {
    case .flag(let value): value as? Value
    case .integer(let value): value as? Value
    case .number(let value): value as? Value
    case .share(let value): value as? Value
    case .duration(let value): value as? Value
    case .power(let value): value as? Value
    case .energyPerBit(let value): value as? Value
    case .word(let value): value as? Value
    case .spans(let value): value as? Value
    case .numbers(let value): value as? Value
    case .nothing: nil
    }
  }
}

/// A value that a plain key can hold.
package protocol KeyValue: Hashable, Sendable {
  /// How such a key is written where the table says nothing else.
  static var valueType: ValueType { get }
  var content: KeyContent { get }

  /// nil: no value of this type says so.
  init?(content: KeyContent)
}

extension KeyValue {
  package init?(content: KeyContent) {
    guard let value = content.carried(as: Self.self) else { return nil }
    self = value
  }
}

/// An enumeration whose raw values are the words of a key, listed in the order of its cases.
package protocol KeyWord: KeyValue, CaseIterable, RawRepresentable<String> {}

extension KeyWord {
  package static var valueType: ValueType { .words(allCases.map(\.rawValue)) }
  package var content: KeyContent { .word(rawValue) }

  package init?(content: KeyContent) {
    guard case .word(let word) = content else { return nil }
    self.init(rawValue: word)
  }
}

extension Int: KeyValue {
  package static var valueType: ValueType { .integer }
  package var content: KeyContent { .integer(UInt64(clamping: self)) }

  package init?(content: KeyContent) {
    guard case .integer(let integer) = content else { return nil }
    self.init(exactly: integer)
  }
}

extension Optional: KeyValue where Wrapped: KeyValue {
  package static var valueType: ValueType { Wrapped.valueType }
  package var content: KeyContent { self?.content ?? .nothing }

  package init?(content: KeyContent) {
    if content == .nothing {
      self = .none
    } else {
      guard let value = Wrapped(content: content) else { return nil }
      self = value
    }
  }
}

extension Distribution: KeyValue where Value: KeyValue {
  package static var valueType: ValueType { .distribution(of: Value.valueType) }
  package var content: KeyContent {
    if let spans = self as? Distribution<TimeAmount> { return .spans(spans) }
    return (self as? Distribution<Double>).map { .numbers($0) } ?? .nothing
  }
}

extension Bool: KeyValue {
  package static var valueType: ValueType { .flag }
  package var content: KeyContent { .flag(self) }
}

extension UInt64: KeyValue {
  package static var valueType: ValueType { .integer }
  package var content: KeyContent { .integer(self) }
}

extension Double: KeyValue {
  package static var valueType: ValueType { .number }
  package var content: KeyContent { .number(self) }
}

extension String: KeyValue {
  package static var valueType: ValueType { .text }
  package var content: KeyContent { .word(self) }
}

extension Share: KeyValue {
  package static var valueType: ValueType { .share }
  package var content: KeyContent { .share(self) }
}

extension TimeAmount: KeyValue {
  package static var valueType: ValueType { .duration }
  package var content: KeyContent { .duration(self) }
}

extension Power: KeyValue {
  package static var valueType: ValueType { .power }
  package var content: KeyContent { .power(self) }
}

extension EnergyPerBit: KeyValue {
  package static var valueType: ValueType { .energyPerBit }
  package var content: KeyContent { .energyPerBit(self) }
}
