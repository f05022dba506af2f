/// A key that a sweep varies, with its values.
package struct SweepAxis: Hashable, Sendable {
  /// The scale of the values.
  package enum Scale: Hashable, Sendable {
    /// Amounts from `low` to `high`, the ends of the range or of the list; `low` is below `high`.
    case numeric(low: Double, high: Double)
    /// Words, distributions or lists, or a single value.
    case categorical
  }

  /// The path as `--set` takes it.
  package var path: String
  package var scale: Scale
  /// The unit of the amounts; empty for plain numbers, and without amounts.
  package var unit: String
  /// The values of all settings, each once: amounts from low to high, others in the order of the list.
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
  /// The text as the file would have it.
  package var text: String
  /// The amount in the unit of its axis; `nil` if it is not an amount.
  package var amount: Double?

  package init(_ text: String, amount: Double? = nil) {
    self.text = text
    self.amount = amount
  }
}

/// The combination of values into settings; raw values are the words of `sweep.method`.
package enum SweepMethod: String, CaseIterable, Sendable {
  /// Every combination of values, with the last key varying fastest.
  case grid
  /// The first values together, then the second ones, and so on.
  case zip
  /// The requested number of settings from Sobol's sequence, which fills the space evenly.
  case sobol
}

/// The quantity that tuning minimizes.
package enum TuneObjective: Hashable, Sendable {
  case figure(FigureName)
  /// The value of a searched key, by its index among them: the min value that passes.
  case key(Int)

  /// The figure; `nil` for a key.
  package var figure: FigureName? {
    if case .figure(let name) = self { return name }
    return nil
  }
}
