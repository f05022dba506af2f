/// A key that a sweep varies, with its values.
package struct SweepAxis: Hashable, Sendable {
  /// The scale of the values.
  package enum Scale: Hashable, Sendable {
    /// Quantities from `low` to `high` (`low` < `high`), the ends of the range or list.
    case numeric(low: Double, high: Double)
    /// Words, distributions or lists, or a single value.
    case categorical
  }

  /// The path as used with `--set`.
  package var path: String
  package var scale: Scale
  /// The unit of the quantities; empty for plain numbers and other values.
  package var unit: String
  /// The distinct values in all settings; quantities in ascending order, other values in list order.
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
  /// The value as it would appear in the file.
  package var text: String
  /// The quantity in the unit of its axis; `nil` if the value is not a quantity.
  package var amount: Double?

  package init(_ text: String, amount: Double? = nil) {
    self.text = text
    self.amount = amount
  }
}

/// The rule for combining values into settings; raw values are the words of `sweep.method`.
package enum SweepMethod: String, CaseIterable, Sendable {
  /// Every combination of values, with the last key varying fastest.
  case grid
  /// The first value of each key, then the second value of each key, and so on.
  case zip
  /// A requested number of settings from Sobol's sequence, which fills the space evenly.
  case sobol
}

/// The quantity that tuning minimizes.
package enum TuneObjective: Hashable, Sendable {
  case figure(FigureName)
  /// A searched key, by its index among the searched keys, for which the lowest passing value is sought.
  case key(Int)

  /// The metric; `nil` for a key.
  package var figure: FigureName? {
    if case .figure(let name) = self { return name }
    return nil
  }
}
