import Scenario
import Studies

/// What the search tried, drawn: its path, and where settings hold.
struct TuneFigures {
  let report: TuneReport

  private var study: TuneStudy { report.study }
  private var problem: TuneProblem { study.problem }
  /// Settings of the search, in the order in which they were tried; checks have other draws.
  private var trials: [(number: Int, trial: TuneTrial)] {
    study.trials.enumerated().filter { $0.element.stage == .search }.map { ($0.offset, $0.element) }
  }

  private func point(_ one: (number: Int, trial: TuneTrial), x: Double, y: Double) -> TriedFigure.Point {
    TriedFigure.Point(
      x: x, y: y, holds: one.trial.passes, isChosen: one.trial.levels == study.final?.levels,
      title: title(one.number, one.trial))
  }

  /// What a point is: the setting, the figure, and the room that its goals leave.
  private func title(_ number: Int, _ trial: TuneTrial) -> String {
    let settings = zip(report.keys, report.values[number]).map { $0.path + "=" + $1 }.joined(separator: ", ")
    let figure = problem.objective.figure.map { name in
      ", \(name.text) \(GoalText.text(trial.objective?.value?.approximate, name))"
    }
    return "\(number + 1): " + settings + (figure ?? "") + "; " + Self.room(trial)
  }

  /// `room 3.1 %` or `misses by 12 %`, of the tightest goal.
  static func room(_ trial: TuneTrial) -> String {
    guard !trial.goals.isEmpty else { return "no goals" }
    guard let miss = worstMiss(trial) else { return "a goal is unknown" }
    let text = NumberText.trimmed(NumberText.fixed(100 * miss.magnitude, decimals: 1)) + "\u{A0}%"
    return miss > 0 ? "misses by " + text : "room " + text
  }

  /// The largest miss of its goals, as a share of the limit; nil where one is unknown.
  static func worstMiss(_ trial: TuneTrial) -> Double? {
    let misses = trial.margins.map(\.miss)
    return misses.contains { $0 == nil } ? nil : misses.compactMap { $0 }.max()
  }

  // MARK: - The path

  /// What is made small, trial by trial; nil where it was never known.
  var path: Markup? {
    let known = trials.filter { $0.trial.measure != nil }
    guard known.count > 1 else { return nil }
    let scale = objectiveScale(known.compactMap(\.trial.measure))
    let last = Double(known.count - 1)
    let points = known.enumerated().map { place, one in
      point(one, x: Double(place) / last, y: scale.place(one.trial.measure ?? 0))
    }
    let count = max(1, Int(Axis.roundStep(last / 6)))
    let ticks = stride(from: 0, to: known.count, by: count).map { (Double($0) / last, String($0 + 1)) }
    let figure = TriedFigure(
      points: points, x: .init(title: "settings in the order in which they were tried", ticks: ticks), y: scale.scale,
      joined: best(known.map(\.trial)))
    return figure.markup(
      id: "path", title: "Search path: " + report.objective,
      description: "\(known.count) settings, of which \(known.count { $0.trial.passes }) hold.",
      legend: Self.legend(hasLine: true))
  }

  /// The settings that were the best so far among those that hold.
  private func best(_ trials: [TuneTrial]) -> [Int] {
    trials.indices.reduce(into: []) { joined, index in
      guard trials[index].passes, let own = trials[index].measure else { return }
      guard let last = joined.last, let least = trials[last].measure else { return joined.append(index) }
      if own < least { joined.append(index) }
    }
  }

  private static func legend(hasLine: Bool = false, hasBand: Bool = false) -> [(swatch: String, text: String)] {
    [("good", "every goal passes"), ("beaten", "a goal does not pass"), ("chosen", "found, or nearest")]
      + (hasLine ? [("front", "the best so far")] : [])
      + (hasBand ? [("holds-here", "all that was tried here passes")] : [])
  }

  private func objectiveScale(_ values: [Double]) -> (scale: TriedFigure.Scale, place: (Double) -> Double) {
    switch problem.objective {
    case .key(let axis): return (keyScale(axis), { $0 })
    case .figure(let name):
      let axis = RangeAxis(over: values)
      let texts = TickText.labels(axis.ticks) { TickText.text($0, name, $1) }
      return (.init(title: name.text, ticks: Array(zip(axis.ticks.map(axis.fraction), texts))), axis.fraction)
    }
  }

  // MARK: - Where settings hold

  /// With one key the room to its goals; with more, planes of the first key and one of the others, three at most.
  var regions: [Markup] {
    guard !problem.goals.isEmpty, trials.count > 1, !problem.axes.isEmpty else { return [] }
    if problem.axes.count == 1 { return [room].compactMap { $0 } }
    return (1..<min(problem.axes.count, 4)).map { plane(0, $0) }
  }

  private func keyScale(_ axis: Int) -> TriedFigure.Scale {
    .init(title: report.keys[axis].path, ticks: report.keys[axis].ticks.map { (place(of: $0.level, axis), $0.text) })
  }

  /// Words stand in the middles of equal parts, amounts from one edge to the other.
  private func place(of level: Int, _ axis: Int) -> Double {
    let own = problem.axes[axis]
    if own.isOrdered { return Double(level) / Double(max(own.levels - 1, 1)) }
    return (Double(level) + 0.5) / Double(own.levels)
  }

  /// The room that the tightest goal leaves over the key, from as much to as little as the limit.
  private var room: Markup? {
    let known = trials.filter { Self.worstMiss($0.trial) != nil }
    guard known.count > 1 else { return nil }
    let rooms = known.map { min(max(-(Self.worstMiss($0.trial) ?? 0), -1), 1) }
    let axis = RangeAxis(over: rooms, hasZero: true)
    let texts = TickText.labels(axis.ticks) { value, more in
      NumberText.trimmed(NumberText.fixed(value * 100, decimals: more)) + "\u{A0}%"
    }
    let points = zip(known, rooms).map { one, room in
      point(one, x: place(of: one.trial.levels[0], 0), y: axis.fraction(room))
    }
    let figure = TriedFigure(
      points: points, x: keyScale(0),
      y: .init(
        title: "room to the tightest goal, of its limit", ticks: Array(zip(axis.ticks.map(axis.fraction), texts))),
      bands: problem.axes[0].isOrdered ? bands(along: 0, at: nil) : [], limit: axis.fraction(0))
    return figure.markup(
      id: "region-0", title: "Where it holds: " + report.keys[0].path, description: regionSentence,
      legend: Self.legend(hasBand: true))
  }

  private func plane(_ across: Int, _ up: Int) -> Markup {
    let points = trials.map { one in
      point(one, x: place(of: one.trial.levels[across], across), y: place(of: one.trial.levels[up], up))
    }
    let isOfTwo = problem.axes.count == 2 && problem.axes[across].isOrdered && !problem.axes[up].isOrdered
    let isTurned = problem.axes.count == 2 && !problem.axes[across].isOrdered && problem.axes[up].isOrdered
    var figure = TriedFigure(points: points, x: keyScale(across), y: keyScale(up))
    if isOfTwo {
      figure.bands = (0..<problem.axes[up].levels).flatMap { bands(along: across, at: (up, $0)) }
    } else if isTurned {
      // A range is read across: the words stand above each other.
      (figure.x, figure.y) = (figure.y, figure.x)
      figure.points = points.map { point in
        var point = point
        (point.x, point.y) = (point.y, point.x)
        return point
      }
      figure.bands = (0..<problem.axes[across].levels).flatMap { bands(along: up, at: (across, $0)) }
    }
    return figure.markup(
      id: "region-\(up)", title: "Where it holds: \(report.keys[across].path) and \(report.keys[up].path)",
      description: regionSentence, legend: Self.legend(hasBand: !figure.bands.isEmpty))
  }

  private var regionSentence: String {
    "\(trials.count { $0.trial.passes }) of \(trials.count) settings hold."
  }

  /// Stretches of an amount in which every setting that was tried holds, of one word or of all settings.
  func bands(along axis: Int, at word: (axis: Int, level: Int)?) -> [(range: ClosedRange<Double>, y: Double?)] {
    let line = trials.map(\.trial).filter { trial in word.map { trial.levels[$0.axis] == $0.level } ?? true }
      .sorted { $0.levels[axis] < $1.levels[axis] }
    var bands: [(range: ClosedRange<Double>, y: Double?)] = []
    var isOpen = false
    for trial in line {
      let at = place(of: trial.levels[axis], axis)
      if trial.passes, isOpen {
        bands[bands.count - 1].range = bands[bands.count - 1].range.lowerBound...at
      } else if trial.passes {
        bands.append((at...at, word.map { place(of: $0.level, $0.axis) }))
      }
      isOpen = trial.passes
    }
    return bands
  }
}
