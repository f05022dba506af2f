import Numerics
package import Scenario

/// The effect of each key of a sweep on the figures, from a linear least-squares fit.
package struct SweepEffects: Sendable {
  /// The reason why effects could not be computed, as a sentence; empty if they could.
  package var note: String
  /// The effects on each figure that has a value in every run, in the order of the study's figures.
  package var figures: [FigureEffects]

  package init(of study: SweepStudy) {
    let settings = study.runs.map(\.values)
    let model = EffectModel(study.axes, settings)
    let names = study.figures.filter { name in study.runs.allSatisfy { $0.hasFigure(name) } }
    if let fitted = EffectFit(names, model, study)?.effects {
      (note, figures) = ("", fitted)
    } else {
      figures = []
      note =
        "no effects: "
        + (settings.count < model.width
          ? "they need \(model.width) settings, but there are only \(settings.count)"
          : "some keys change only together with others")
    }
  }
}

extension SweepRun {
  fileprivate func hasFigure(_ name: FigureName) -> Bool {
    guard let row = summary.figure(name) else { return false }
    return row.value != nil && !row.replications.contains(nil)
  }
}

/// The effects of all keys of a sweep on one figure.
package struct FigureEffects: Sendable {
  package var figure: FigureName
  package var effects: [Effect]

  /// Returns the largest difference between the effects of a key's values, for use in tornado charts; `nil` if unknown.
  package func span(ofAxis axis: Int) -> Double? {
    let own = effects.filter { $0.axis == axis }
    let values = own.map(\.value)
    guard let first = own.first, let minimum = values.min(), let maximum = values.max() else { return nil }
    return first.level == nil ? first.value.magnitude : maximum - minimum
  }
}

/// The effect of a key on a figure.
package struct Effect: Hashable, Sendable {
  /// The key's index in `SweepStudy.axes`.
  package var axis: Int
  /// The value of the key; `nil` for a numeric axis, whose effect is from its low to its high value.
  package var level: String?
  /// The effect in the figure's unit. For a numeric key, it is the change from low to high; otherwise, it is relative
  /// to the mean over the key's values.
  package var value: Double
  /// The 95 % interval over replications; `nil` if there are fewer than two replications.
  package var interval: Interval?
}

/// A model fitted to several figures, with a single factorization of its columns.
struct EffectFit {
  private let model: EffectModel
  /// The coefficients for the right-hand sides of all figures, in the same order.
  private let coefficients: [[Double]]
  /// The right-hand sides of each figure. The means over replications come first, followed by each replication.
  private let figures: [(name: FigureName, sides: [[Double]], first: Int)]

  /// Fits the model. All figures must be present in every run.
  ///
  /// - Returns: `nil` if the terms cannot be separated.
  init?(_ names: [FigureName], _ model: EffectModel, _ study: SweepStudy) {
    var first = 0
    figures = names.map { name in
      let rows = study.runs.map { $0.summary.figure(name) }
      let count = rows.map { $0?.replications.count ?? 0 }.min() ?? 0
      let sides =
        [rows.map { $0?.value?.approximate ?? 0 }]
        + (0..<count).map { index in rows.map { $0?.replications[index]?.approximate ?? 0 } }
      defer { first += sides.count }
      return (name, sides, first)
    }
    self.model = model
    let fit = try? LeastSquares.coefficients(model.rows, to: figures.flatMap(\.sides))
    guard let coefficients = fit ?? nil else { return nil }
    self.coefficients = coefficients
  }

  var effects: [FigureEffects] {
    figures.map { FigureEffects($0.name, model, coefficients[$0.first...], sides: $0.sides) }
  }
}

extension FigureEffects {
  /// - Parameters:
  ///   - coefficients: the coefficients, starting with those of the figure's first right-hand side.
  ///   - sides: the mean over replications in each setting, followed by the values in each replication.
  fileprivate init(
    _ name: FigureName, _ model: EffectModel, _ coefficients: ArraySlice<[Double]>, sides: [[Double]]
  ) {
    figure = name
    let scale = sides[0].reduce(0) { max($0, $1.magnitude) }
    func effect(_ factors: [Double], _ columns: Range<Int>, side: Int) -> Double {
      let value = zip(factors, columns).reduce(0) { $0 + $1.0 * coefficients[coefficients.startIndex + side][$1.1] }
      // Effects that are no larger than the rounding errors of the sums are treated as zero.
      return value.magnitude < scale * 1e-11 ? 0 : significant(value)
    }
    effects = model.terms.flatMap { term in
      term.levels.map { name, factors in
        Effect(
          axis: term.axis, level: name, value: effect(factors, term.columns, side: 0),
          interval: Interval.student95(of: (1..<sides.count).map { effect(factors, term.columns, side: $0) }))
      }
    }
  }
}

/// The columns of a linear model of a sweep's settings, with one column for the mean and further columns for each key.
///
/// A numeric key has one column, with values from -1 (low) to 1 (high). Other keys with k values have k - 1 columns
/// with effect coding, so that the effects of all values add up to 0. In these columns, each value has a 1 in its own
/// column, except the last value, which has -1 in all columns.
struct EffectModel {
  /// The columns of one key.
  struct Term {
    var axis: Int
    var columns: Range<Int>
    /// The factors by which the columns are combined into the effect of each value. The name is `nil` for the effect
    /// from low to high.
    var levels: [(name: String?, factors: [Double])]
  }

  private(set) var terms: [Term] = []
  /// The values of all columns for each setting.
  private(set) var rows: [[Double]]

  /// - Parameter settings: the values of all axes for each setting.
  init(_ axes: [SweepAxis], _ settings: [[SweepValue]]) {
    rows = Array(repeating: [1], count: settings.count)
    for (axis, code) in axes.map(AxisCode.init).enumerated() where !code.levels.isEmpty {
      let width = width
      for index in rows.indices { rows[index] += code.code(of: settings[index][axis]) }
      terms.append(Term(axis: axis, columns: width..<width + code.levels[0].factors.count, levels: code.levels))
    }
  }

  /// The number of columns, including the mean.
  var width: Int { terms.last?.columns.upperBound ?? 1 }
}

/// The encoding of one axis in columns.
private struct AxisCode {
  /// The factors by which the columns are combined into the effect of each value. The name is `nil` for the effect from
  /// low to high. The list is empty if the axis has only one value.
  let levels: [(name: String?, factors: [Double])]
  /// The low and high values of a numeric axis; `nil` for other axes.
  private let ends: (low: Double, high: Double)?
  private let byText: [String: [Double]]

  init(_ axis: SweepAxis) {
    if case .numeric(let low, let high) = axis.scale {
      // The column increases by 2 from low to high.
      (ends, byText, levels) = ((low, high), [:], [(nil, [2])])
      return
    }
    ends = nil
    let count = axis.values.count
    let own = axis.values.enumerated().map { index, value -> (String, [Double]) in
      let code = (0..<max(count - 1, 0)).map { index == count - 1 ? -1.0 : index == $0 ? 1 : 0 }
      return (value.text, code)
    }
    levels = count > 1 ? own.map { ($0.0, $0.1) } : []
    byText = Dictionary(own, uniquingKeysWith: { first, _ in first })
  }

  func code(of value: SweepValue) -> [Double] {
    guard let ends else { return byText[value.text] ?? [] }
    return [2 * ((value.amount ?? ends.low) - ends.low) / (ends.high - ends.low) - 1]
  }
}
