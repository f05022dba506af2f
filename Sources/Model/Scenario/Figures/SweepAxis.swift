/// A key that is varied by a sweep, together with its values.
package struct SweepAxis: Hashable, Sendable {
  /// The scale on which the values are compared.
  package enum Scale: Hashable, Sendable {
    /// Quantities from `low` to `high`, which are the smallest and largest values; `low` is less than `high`.
    case numeric(low: Double, high: Double)
    /// Values without an order, such as words, distributions and lists; also used if there is only one value.
    case categorical
  }

  /// The key path, as used with `--set`.
  package var path: String
  package var scale: Scale
  /// The unit of the quantities; empty for numbers without a unit and for values that are not quantities.
  package var unit: String
  /// The distinct values that occur in the settings; quantities are in ascending order, and other values are in list
  /// order.
  package var values: [SweepValue]

  package init(path: String, scale: Scale, unit: String = "", values: [SweepValue] = []) {
    self.path = path
    self.scale = scale
    self.unit = unit
    self.values = values
  }

  package var isNumeric: Bool { scale != .categorical }
}

/// The value of a key in a setting of a sweep.
package struct SweepValue: Hashable, Sendable {
  /// The text of the value, as written in the file.
  package var text: String
  /// The numeric value, in the unit of the axis; `nil` if the value is not a quantity.
  package var amount: Double?

  package init(_ text: String, amount: Double? = nil) {
    self.text = text
    self.amount = amount
  }
}

/// The method for combining values into settings; raw values are the words that `sweep.method` allows.
package enum SweepMethod: String, CaseIterable, Sendable {
  /// Every combination of the values; the last key varies fastest.
  case grid
  /// The first values of all keys, then the second values of all keys, and so on.
  case zip
  /// A requested number of settings from a Sobol sequence, which covers the space evenly.
  case sobol
}

/// The quantity that tuning minimizes.
package enum TuneObjective: Hashable, Sendable {
  case figure(FigureName)
  /// The lowest passing value of a tuned key, which is given by its index among the tuned keys.
  case key(Int)

  /// The metric to minimize; `nil` if the objective is a key.
  package var figure: FigureName? {
    if case .figure(let name) = self { return name }
    return nil
  }
}
