/// A key that a sweep varies, and what it takes there.
package struct SweepAxis: Hashable, Sendable {
  /// What the values have in common.
  package enum Scale: Hashable, Sendable {
    /// Amounts from `low` to `high`, the ends of the range or of the list, `low` below `high`.
    case numeric(low: Double, high: Double)
    /// Words, distributions, lists, or one value only.
    case categorical
  }

  /// As `--set` takes it.
  package var path: String
  package var scale: Scale
  /// Unit of the amounts; empty: plain numbers, or no amounts.
  package var unit: String
  /// Every value that a setting takes, each once: amounts from low to high, others in the order of the list.
  package var values: [SweepValue]

  package init(path: String, scale: Scale, unit: String = "", values: [SweepValue] = []) {
    self.path = path
    self.scale = scale
    self.unit = unit
    self.values = values
  }

  package var isNumeric: Bool { scale != .categorical }
}

/// A value that a setting of a sweep takes for a key.
package struct SweepValue: Hashable, Sendable {
  /// As the file would have it.
  package var text: String
  /// Its amount in the unit of its axis; nil: it is none.
  package var amount: Double?

  package init(_ text: String, amount: Double? = nil) {
    self.text = text
    self.amount = amount
  }
}

/// How the values of a sweep make its settings; raw values are the words of `sweep.method`.
package enum SweepMethod: String, CaseIterable, Sendable {
  /// Every value with every other, the last key fastest.
  case grid
  /// The first values together, then the second ones, and so on.
  case zip
  /// As many settings as asked for, from Sobol's sequence, which fills the space evenly.
  case sobol
}

/// What tuning makes small.
package enum TuneObjective: Hashable, Sendable {
  case figure(FigureName)
  /// The value of a searched key, by its place among them: the least that holds.
  case key(Int)

  /// nil of a key.
  package var figure: FigureName? {
    if case .figure(let name) = self { return name }
    return nil
  }
}
