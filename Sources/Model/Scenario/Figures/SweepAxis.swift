/// A key that a sweep varies, with the values that it takes.
package struct SweepAxis: Hashable, Sendable {
  /// The scale on which the values are compared.
  package enum Scale: Hashable, Sendable {
    /// Quantities from `low` to `high`, which are the limits of the range or list; `low` is less than `high`.
    case numeric(low: Double, high: Double)
    /// Words, distributions, lists or just one value.
    case categorical
  }

  /// The key path as used with `--set`.
  package var path: String
  package var scale: Scale
  /// The unit of the quantities; empty for numbers without a unit and for other values.
  package var unit: String
  /// The distinct values that occur in the settings; quantities are in ascending order, other values in list order.
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
  /// The value as it would be written in the file.
  package var text: String
  /// The numeric value in the unit of its axis; `nil` if the value is not a quantity.
  package var amount: Double?

  package init(_ text: String, amount: Double? = nil) {
    self.text = text
    self.amount = amount
  }
}

/// The method for combining values into settings; raw values are the words allowed for `sweep.method`.
package enum SweepMethod: String, CaseIterable, Sendable {
  /// Every combination of the values; the last key varies fastest.
  case grid
  /// The first value of each key, then the second value of each key, and so on.
  case zip
  /// A requested number of settings from a Sobol sequence, which covers the space evenly.
  case sobol
}

/// The quantity that tuning minimizes.
package enum TuneObjective: Hashable, Sendable {
  case figure(FigureName)
  /// A tuned key, given by its index among the tuned keys, whose lowest passing value is sought.
  case key(Int)

  /// The metric to minimize; `nil` if the objective is a key.
  package var figure: FigureName? {
    if case .figure(let name) = self { return name }
    return nil
  }
}
