import Scenario
import Studies

/// A figure on the page of a sweep, together with its goal if there is one.
struct DrawnMetric {
  var figure: FigureName
  var goal: Goal?
  /// The index of the figure's goal in the study's goals.
  var place: Int?

  /// Returns one figure per goal or, if there are no goals, one per objective.
  static func all(of study: SweepStudy) -> [DrawnMetric] {
    let goals = study.goals.enumerated().filter { goal in
      study.runs.contains { $0.summary.figure(goal.element.figure)?.value != nil }
    }
    guard goals.isEmpty else {
      return goals.map { DrawnMetric(figure: $0.element.figure, goal: $0.element, place: $0.offset) }
    }
    return study.drawnFigures.map { DrawnMetric(figure: $0) }
  }

  /// Returns a title that includes the goal, such as `peak: peak load, at most 50/s`.
  func title(_ names: [FigureName: String]) -> String {
    let name = names[figure] ?? figure.text
    guard let goal else { return name.asSentence }
    return "\(goal.id): \(name), \(limitWords(goal.comparison)) " + limitText
  }

  private var limitText: String {
    switch goal?.limit {
    case .value(let limit): GoalText.text(limit, figure)
    case .multiple(let factor, let other): NumberText.text(factor) + " times " + other.text
    case .share(let share, ofCapacity: _): NumberText.percent(share) + " of the capacity"
    case nil: ""
    }
  }

  /// Returns the result of the goal for a setting; `nil` if there is no goal.
  func result(_ run: SweepRun) -> GoalResult? {
    place.flatMap { run.goals.indices.contains($0) ? run.goals[$0] : nil }
  }

  func style(_ run: SweepRun) -> String {
    switch result(run)?.verdict {
    case .pass: "good"
    case .fail, .warn: "bad"
    case .inconclusive: "open"
    case nil: "free"
    }
  }
}

/// A chart of a figure over the values of the only key that varies, with the area that a goal forbids.
struct CoursePlot {
  let dots: [Dot]
  let chart: Chart

  /// - Parameter chosen: the index of the marked setting in the study's runs.
  init(_ drawn: DrawnMetric, _ study: SweepStudy, axis: Int, chosen: Int?) {
    let key = study.axes[axis]
    let places = Dictionary(
      key.values.enumerated().map { ($1.text, Double($0)) }, uniquingKeysWith: { first, _ in first })
    let x = { (value: SweepValue) in key.isNumeric ? value.amount ?? 0 : places[value.text] ?? 0 }
    let known = study.runs.indices.filter { study.runs[$0].summary.figure(drawn.figure)?.value != nil }
    let order = known.sorted { x(study.runs[$0].values[axis]) < x(study.runs[$1].values[axis]) }
    let shown = Dot.thinned(order, to: Self.maximum, keeping: chosen)
    dots = shown.map { Self.dot(drawn, study, $0, x: x(study.runs[$0].values[axis])) }
    chart = .course(
      dots, across: (study.keyWords[axis], key.values.map { Axis.Tick(value: x($0), text: key.words($0)) }),
      up: (Self.unit(drawn.figure), { TickText.text($0, drawn.figure, $1) }),
      limits: shown.map { drawn.result(study.runs[$0])?.limit }, forbidden: drawn.goal?.comparison.forbidden,
      chosen: shown.firstIndex { $0 == chosen })
  }

  /// Returns the title of the figure's scale; empty if the tick labels already include the unit.
  private static func unit(_ figure: FigureName) -> String {
    switch figure.unit {
    case .share, .seconds, .hours, .bytes: ""
    default: figure.unit.rawValue
    }
  }

  /// The approximate maximum number of settings in a chart.
  static let maximum = 60

  private static func dot(_ drawn: DrawnMetric, _ study: SweepStudy, _ index: Int, x: Double) -> Dot {
    let (run, figure) = (study.runs[index], drawn.figure)
    let row = run.summary.figure(figure)
    let result = drawn.result(run)
    let value = row?.value?.approximate ?? 0
    let ends = [value, result?.prompt?.approximate, result?.lazy?.approximate].compactMap { $0 }
    let minimum = ends.min() ?? value
    let maximum = ends.max() ?? value
    let verdict = result.map { ", " + $0.verdict.rawValue } ?? ""
    return Dot(
      x: x, y: value, yInterval: row?.interval, reach: minimum < maximum ? Interval(low: minimum, high: maximum) : nil,
      style: drawn.style(run), title: study.inProse(index) + ": " + GoalText.withInterval(row, figure) + verdict)
  }
}

extension Comparison {
  /// The side of the limit that the goal forbids; `nil` if the goal requires an exact value.
  var forbidden: ForbiddenSide? {
    switch self {
    case .atMost, .less: .above
    case .atLeast, .more: .below
    case .equal, .unequal: nil
    }
  }
}
