package import Scenario

/// The setting recommended by a sweep, and the reason (Docs/STUDIES.md).
package struct SweepChoice: Sendable {
  package enum Reason: Hashable, Sendable {
    /// The setting is the smallest or largest value of the only varied key at which every goal passes. No value beyond
    /// it passes.
    case minimum, maximum
    /// The setting is the only one that passes every goal.
    case only
    /// Several settings pass every goal, and the setting is closest to the best value of each objective.
    case best
    /// No setting passes every goal, and the setting has the largest margin or the smallest relative miss. Settings
    /// that do not fail a goal are preferred.
    case nearest
    /// There are no goals, and the setting is closest to the best value of each objective among unbeaten settings.
    case balance
  }

  /// The advantages and disadvantages of another setting that passes.
  package struct Gain: Sendable {
    package var setting: Int
    /// The improvement in the figure whose goal the chosen setting's neighbour misses.
    package var better: FigureChange
    /// The figures that become clearly worse.
    package var worse: [FigureChange]
    /// The figures that do not clearly change.
    package var same: [FigureChange]
  }

  /// The setting's index into the study's runs.
  package var setting: Int
  package var reason: Reason
  /// The index of the next setting beyond the smallest or largest passing value, which does not pass.
  package var neighbour: Int?
  package var gain: Gain?
  /// The other settings that do not clearly differ from the choice in any objective. They pass or, if there are no
  /// goals, are not beaten.
  package var equals: [Int] = []

  /// The smallest gain that is reported, as a fraction.
  static let minGain = 0.05

  /// - Returns: `nil` if there are no settings, or if no known value allows a decision.
  package init?(of study: SweepStudy) {
    let runs = study.runs.indices
    let passing = runs.filter { study.runs[$0].passes }
    let scaled = study.scaledCosts
    if study.goals.isEmpty {
      let free = runs.filter { study.runs[$0].isOnFront }
      guard !study.objectives.isEmpty, let nearest = scaled.nearest(among: free) else { return nil }
      (setting, reason) = (nearest, .balance)
      equals = Self.equals(of: nearest, among: free, study)
    } else if passing.isEmpty {
      guard let nearest = Self.nearest(of: study) else { return nil }
      (setting, reason) = (nearest, .nearest)
    } else if passing.count == 1, runs.count > 1, study.amountOrder == nil {
      (setting, reason) = (passing[0], .only)
    } else if let end = Self.end(of: study) {
      (setting, reason, neighbour) = (end.setting, end.reason, end.neighbour)
      gain = Self.gain(over: end.setting, neighbour: end.neighbour, among: passing, study)
    } else {
      let best = study.objectives.isEmpty ? nil : scaled.nearest(among: passing)
      (setting, reason) = (best ?? passing[0], .best)
      equals = Self.equals(of: setting, among: passing, study)
    }
  }

  /// Returns the outermost setting that passes, if no value beyond it passes and all values on the other side of it do.
  private static func end(of study: SweepStudy) -> (setting: Int, reason: Reason, neighbour: Int)? {
    guard let order = study.amountOrder else { return nil }
    let passes = order.map { study.runs[$0].passes }
    guard let first = passes.firstIndex(of: true), let last = passes.lastIndex(of: true),
      !passes[first...last].contains(false)
    else { return nil }
    if first > 0, last == order.count - 1 { return (order[first], .minimum, order[first - 1]) }
    if first == 0, last < order.count - 1 { return (order[last], .maximum, order[last + 1]) }
    return nil
  }

  /// Returns the setting with the smallest maximum miss over all goals, preferring settings that do not fail a goal.
  private static func nearest(of study: SweepStudy) -> Int? {
    let open = study.runs.indices.filter { study.runs[$0].verdict == .inconclusive }
    let known = (open.isEmpty ? Array(study.runs.indices) : open).compactMap { index in
      study.runs[index].worst?.margin.miss.map { (index: index, miss: $0) }
    }
    return known.min { $0.miss < $1.miss }?.index
  }

  /// Returns the passing setting with the best figure for the goal that the neighbour misses, if the gain is clear.
  private static func gain(over choice: Int, neighbour: Int, among passing: [Int], _ study: SweepStudy) -> Gain? {
    let missed = study.runs[neighbour].goals.first { $0.verdict != .pass }?.goal
    guard let figure = missed?.figure, let objective = study.objectives.first(where: { $0.figure == figure }) else {
      return nil
    }
    let costs = passing.compactMap { index in
      objective.cost(in: study.runs[index].summary).map { (index: index, cost: $0) }
    }
    guard let best = costs.min(by: { $0.cost < $1.cost })?.index, best != choice else { return nil }
    let better = study.change(of: figure, from: choice, to: best)
    guard better.isClear, let difference = better.difference,
      (better.relative(difference)?.magnitude ?? 0) >= Self.minGain, better.isImprovement(objective.direction)
    else { return nil }
    let others = study.prices.filter { $0.figure != figure }.map { price in
      (change: study.change(of: price.figure, from: choice, to: best), direction: price.direction)
    }
    return Gain(
      setting: best, better: better,
      worse: others.filter { $0.change.isClear && !$0.change.isImprovement($0.direction) }.map(\.change),
      same: others.filter { !$0.change.isClear && $0.change.difference != nil }.map(\.change))
  }

  private static func equals(of choice: Int, among others: [Int], _ study: SweepStudy) -> [Int] {
    others.filter { other in
      other != choice
        && !study.objectives.contains {
          FigureChange.isClear(
            study.runs[choice].summary.figure($0.figure), study.runs[other].summary.figure($0.figure))
        }
    }
  }
}

extension FigureChange {
  /// Returns whether the figure changes in the desired direction.
  func isImprovement(_ direction: SweepObjective.Direction) -> Bool {
    direction == .minimum ? (difference ?? 0) < 0 : (difference ?? 0) > 0
  }
}

extension SweepStudy {
  /// The indices of the axes with more than one value.
  package var variedAxes: [Int] { axes.indices.filter { axes[$0].values.count > 1 } }

  /// The settings in ascending order of the varied key, if only one numeric key varies; `nil` otherwise.
  package var amountOrder: [Int]? {
    guard variedAxes.count == 1, axes[variedAxes[0]].isNumeric else { return nil }
    let amounts = runs.compactMap { $0.values[variedAxes[0]].amount }
    guard amounts.count == runs.count, Set(amounts).count == amounts.count else { return nil }
    return runs.indices.sorted { amounts[$0] < amounts[$1] }
  }

  /// The figures that may become worse when another figure improves: the objectives, followed by the first known
  /// figures for data age and battery use.
  var prices: [SweepObjective] {
    let kinds = [
      [FigureName(.staleViews, .share), FigureName(.dataAge, .mean), FigureName(.lateness, .mean)],
      [FigureName(.batteryPercentPerDay, .mean), FigureName(.energyPerDay, .mean)],
    ]
    let standard = kinds.compactMap { names in
      names.first { name in runs.allSatisfy { $0.summary.figure(name)?.value != nil } }
    }
    let own = objectives.map(\.figure)
    return objectives + standard.filter { !own.contains($0) }.map { SweepObjective($0, .minimum) }
  }

  /// Returns whether a figure is the same in all settings, that is, its smallest and largest values do not clearly
  /// differ.
  package func isConstant(_ figure: FigureName) -> Bool {
    let known = runs.indices.compactMap { index in
      runs[index].summary.figure(figure)?.value.map { (index: index, value: $0.approximate) }
    }
    guard known.count == runs.count, let minimum = known.min(by: { $0.value < $1.value }),
      let maximum = known.max(by: { $0.value < $1.value })
    else { return false }
    return minimum.value == maximum.value || !change(of: figure, from: minimum.index, to: maximum.index).isClear
  }
}
