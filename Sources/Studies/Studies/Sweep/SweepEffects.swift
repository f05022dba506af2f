import Numerics
package import Scenario

/// What each key of a sweep does to the figures, as a surface that is linear in the keys says it (least squares).
package struct SweepEffects: Sendable {
  /// Why there are none, in a sentence; empty: there are.
  package var note: String
  /// One for each figure of the study that every run of it knows, in their order.
  package var figures: [FigureEffects]

  package init(of study: SweepStudy) {
    let settings = study.runs.map(\.values)
    let model = EffectModel(study.axes, settings)
    let names = study.figures.filter { name in study.runs.allSatisfy { $0.knows(name) } }
    if let fitted = EffectFit(names, model, study)?.effects {
      (note, figures) = ("", fitted)
    } else {
      figures = []
      note =
        "no effects: "
        + (settings.count < model.width
          ? "they take \(model.width) settings, and there are \(settings.count)"
          : "some keys only ever change together with others")
    }
  }
}

extension SweepRun {
  fileprivate func knows(_ name: FigureName) -> Bool {
    guard let row = summary.figure(name) else { return false }
    return row.value != nil && !row.replications.contains(nil)
  }
}

/// The effects of a sweep's keys on one figure.
package struct FigureEffects: Sendable {
  package var figure: FigureName
  package var effects: [Effect]

  /// The largest difference that the values of a key make by themselves, for tornado charts; nil: nothing is known of it.
  package func span(ofAxis axis: Int) -> Double? {
    let own = effects.filter { $0.axis == axis }
    let values = own.map(\.value)
    guard let first = own.first, let least = values.min(), let most = values.max() else { return nil }
    return first.level == nil ? first.value.magnitude : most - least
  }
}

/// What a key does to a figure.
package struct Effect: Hashable, Sendable {
  /// The key, as in `SweepStudy.axes`.
  package var axis: Int
  /// One of the key's values; nil: an axis with amounts, from its low to its high end.
  package var level: String?
  /// In the figure's unit. Of a key with amounts: from its low to its high end. Of another's value: against the mean over
  /// its values.
  package var value: Double
  /// 95 % over replications; nil with fewer than two.
  package var interval: Interval?
}

/// A model fitted to several figures at once: its columns are taken apart only once.
struct EffectFit {
  private let model: EffectModel
  /// For each side of the figures, one after the other.
  private let coefficients: [[Double]]
  /// For each figure its means, then each of its replications.
  private let figures: [(name: FigureName, sides: [[Double]], first: Int)]

  /// Every run knows the figures.
  ///
  /// - Returns: nil when the terms cannot be told apart.
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

  /// What the terms do to each figure.
  var effects: [FigureEffects] {
    figures.map { FigureEffects($0.name, model, coefficients[$0.first...], sides: $0.sides) }
  }
}

extension FigureEffects {
  /// - Parameters:
  ///   - coefficients: of each side, and of what follows.
  ///   - sides: the means of the settings, then each replication.
  fileprivate init(
    _ name: FigureName, _ model: EffectModel, _ coefficients: ArraySlice<[Double]>, sides: [[Double]]
  ) {
    figure = name
    let scale = sides[0].reduce(0) { max($0, $1.magnitude) }
    func effect(_ factors: [Double], _ columns: Range<Int>, side: Int) -> Double {
      let value = zip(factors, columns).reduce(0) { $0 + $1.0 * coefficients[coefficients.startIndex + side][$1.1] }
      // The rounding of sums is no effect.
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

/// The columns that the settings of a sweep make for a linear model: the mean and each key.
///
/// A key with amounts is one column from -1 at its low to 1 at its high end. Another one with k values has k - 1 columns in
/// effect coding: 1 for a value's own, -1 in all of them for the last, so that the effects of the values add up to 0.
struct EffectModel {
  /// The columns of one key.
  struct Term {
    var axis: Int
    var columns: Range<Int>
    /// For every value, nil: from end to end, what its effect is made of: a factor for each column.
    var levels: [(name: String?, factors: [Double])]
  }

  private(set) var terms: [Term] = []
  /// For each setting the value of every column.
  private(set) var rows: [[Double]]

  /// - Parameter settings: for each the value of every axis.
  init(_ axes: [SweepAxis], _ settings: [[SweepValue]]) {
    rows = Array(repeating: [1], count: settings.count)
    for (axis, code) in axes.map(AxisCode.init).enumerated() where !code.levels.isEmpty {
      let width = width
      for index in rows.indices { rows[index] += code.code(of: settings[index][axis]) }
      terms.append(Term(axis: axis, columns: width..<width + code.levels[0].factors.count, levels: code.levels))
    }
  }

  /// Columns in all, the mean's too.
  var width: Int { terms.last?.columns.upperBound ?? 1 }
}

/// How the values of one axis stand in the columns.
private struct AxisCode {
  /// The name of a value, nil: from end to end, with the factors of its effect; empty: the axis never changes, and nothing
  /// can be said of it.
  let levels: [(name: String?, factors: [Double])]
  /// nil: no amounts.
  private let ends: (low: Double, high: Double)?
  private let byText: [String: [Double]]

  init(_ axis: SweepAxis) {
    if case .numeric(let low, let high) = axis.scale {
      // From end to end the column goes 2.
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
