package import SimulationKernel

/// A value that a plain key can hold.
package protocol KeyValue: Hashable, Sendable {
  /// The type of a key that holds this kind of value, unless the table specifies another type.
  static var valueType: ValueType { get }
  /// The value as written in a file; `nil` if there is no value or the value is not plain.
  var keyText: String? { get }

  /// Creates the value from a value that was read from a file.
  ///
  /// - Parameter value: a value that was read according to the type of the key; the result is `nil` if it cannot be
  ///   converted.
  init?(read value: any KeyValue)
}

extension KeyValue {
  package init?(read value: any KeyValue) {
    guard let value = value as? Self else { return nil }
    self = value
  }
}

/// The value that is read from the word for the absence of a value.
package struct NoValue: KeyValue {
  package static var valueType: ValueType { .anything }
  package var keyText: String? { nil }

  package init() {}
}

/// An enumeration whose raw values are the words that a key allows, listed in case order.
package protocol KeyWord: KeyValue, CaseIterable, RawRepresentable<String> {}

extension KeyWord {
  package static var valueType: ValueType { .words(allCases.map(\.rawValue)) }
  package var keyText: String? { rawValue }

  package init?(read value: any KeyValue) {
    guard let word = value as? String else { return nil }
    self.init(rawValue: word)
  }
}

extension Int: KeyValue {
  package static var valueType: ValueType { .integer }
  package var keyText: String? { String(self) }

  package init?(read value: any KeyValue) {
    guard let integer = value as? UInt64 else { return nil }
    self.init(exactly: integer)
  }
}

extension Optional: KeyValue where Wrapped: KeyValue {
  package static var valueType: ValueType { Wrapped.valueType }
  package var keyText: String? { self?.keyText }

  package init?(read value: any KeyValue) {
    if value is NoValue {
      self = .none
    } else {
      guard let value = Wrapped(read: value) else { return nil }
      self = value
    }
  }
}

extension Distribution: KeyValue where Value: KeyValue {
  package static var valueType: ValueType { .distribution(of: Value.valueType) }
  package var keyText: String? { nil }
}

extension Bool: KeyValue {
  package static var valueType: ValueType { .flag }
  package var keyText: String? { String(self) }
}

extension UInt64: KeyValue {
  package static var valueType: ValueType { .integer }
  package var keyText: String? { String(self) }
}

extension Double: KeyValue {
  package static var valueType: ValueType { .number }
  package var keyText: String? { QuantityText.number(self) }
}

extension String: KeyValue {
  package static var valueType: ValueType { .text }
  package var keyText: String? { self }
}

extension Share: KeyValue {
  package static var valueType: ValueType { .share }
  package var keyText: String? { QuantityText.share(self) }
}

extension Change: KeyValue {
  package static var valueType: ValueType { .change }
  package var keyText: String? { (fraction < 0 ? "-" : "") + QuantityText.share(abs(fraction)) }
}

extension TimeAmount: KeyValue {
  package static var valueType: ValueType { .duration }
  package var keyText: String? { QuantityText.duration(self) }
}

extension Power: KeyValue {
  package static var valueType: ValueType { .power }
  package var keyText: String? { QuantityText.power(self) }
}

extension EnergyPerBit: KeyValue {
  package static var valueType: ValueType { .energyPerBit }
  package var keyText: String? { QuantityText.energyPerBit(self) }
}
