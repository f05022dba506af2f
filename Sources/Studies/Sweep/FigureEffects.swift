import Numerics
package import Scenario

/// The effects of a sweep's keys on one figure.
package struct FigureEffects: Sendable {
  package var figure: FigureName
  package var effects: [Effect]
  /// What of the variance over the settings no term explains, from 0 to 1; nil: the figure is the same under all.
  package var unexplained: Double?

  /// The largest difference that the values of a key make by themselves, for tornado charts; nil: nothing is known of it.
  package func span(ofAxis axis: Int) -> Double? {
    let own = effects.filter { $0.factors.map(\.axis) == [axis] }
    let values = own.map(\.value)
    guard let first = own.first, let least = values.min(), let most = values.max() else { return nil }
    return first.factors[0].level == nil ? first.value.magnitude : most - least
  }
}

/// What a key does to a figure, or what one changes of the effect of another.
package struct Effect: Hashable, Sendable {
  /// A key, and one of its values where they are no amounts.
  package struct Factor: Hashable, Sendable {
    /// In `SweepStudy.axes`.
    package var axis: Int
    /// nil: an axis with amounts, from its low to its high end.
    package var level: String?
  }

  /// One: a main effect; two: an interaction.
  package var factors: [Factor]
  /// In the figure's unit. Of a key with amounts: from its low to its high end. Of another's value: against the mean over
  /// its values. Of two keys with amounts: half of what one's ends change of the other's effect; of amounts and a value:
  /// what the value adds to the effect; of two values: what both make beyond what each does.
  package var value: Double
  /// 95 % over replications; nil with fewer than two.
  package var interval: Interval?
  /// Share of the variance over the settings that no other term explains, from 0 to 1, for all values of the key or of
  /// both together; nil: the figure is the same under all.
  package var varianceShare: Double?
}

/// A model fitted to several figures at once: its columns are taken apart only once.
struct EffectFit {
  private let model: EffectModel
  private let fit: LeastSquares
  /// For each figure its means, then each of its replications, as `fit` has them as sides.
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
    guard let fit = try? LeastSquares(model.rows, to: figures.flatMap(\.sides)) else { return nil }
    self.fit = fit
  }

  /// What the terms do to each figure.
  var effects: [FigureEffects] {
    figures.map { FigureEffects($0.name, model, fit, sides: $0.sides, first: $0.first) }
  }
}

extension FigureEffects {
  /// - Parameters:
  ///   - sides: the means of the settings, then each replication.
  ///   - start: where the fit has the means.
  fileprivate init(
    _ name: FigureName, _ model: EffectModel, _ fit: LeastSquares, sides: [[Double]], first start: Int
  ) {
    let means = sides[0]
    figure = name
    let center = means.reduce(0, +) / Double(max(means.count, 1))
    let total = means.reduce(0) { $0 + ($1 - center) * ($1 - center) }
    let scale = means.reduce(0) { max($0, $1.magnitude) }
    // What is only the rounding of sums is no variance.
    let varies = total > scale * scale * 1e-20
    func effect(_ codes: [Double], _ columns: Range<Int>, side: Int) -> Double {
      let value = zip(codes, columns).reduce(0) { $0 + $1.0 * fit.coefficients[start + side][$1.1] }
      return value.magnitude < scale * 1e-11 ? 0 : significant(value)
    }
    effects = model.terms.flatMap { term in
      let squares = (try? fit.squares(of: term.columns, side: start)) ?? 0
      return term.levels.map { names, codes in
        Effect(
          factors: zip(term.axes, names).map { Effect.Factor(axis: $0, level: $1) },
          value: effect(codes, term.columns, side: 0),
          interval: Interval.student95(of: (1..<sides.count).map { effect(codes, term.columns, side: $0) }),
          varianceShare: varies ? Self.share(squares, total) : nil)
      }
    }
    unexplained = varies ? Self.share(Self.missed(by: fit.coefficients[start], model.rows, means), total) : nil
  }

  /// The squares of what a fit misses.
  private static func missed(by coefficients: [Double], _ rows: [[Double]], _ values: [Double]) -> Double {
    zip(rows, values).reduce(0) { sum, pair in
      let fitted = zip(pair.0, coefficients).reduce(0) { $0 + $1.0 * $1.1 }
      return sum + (pair.1 - fitted) * (pair.1 - fitted)
    }
  }

  private static func share(_ squares: Double, _ total: Double) -> Double {
    let share = min(max(squares / total, 0), 1)
    return share < 1e-9 ? 0 : significant(share)
  }
}
