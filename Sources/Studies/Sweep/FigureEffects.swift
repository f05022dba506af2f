import Numerics
package import Scenario

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
