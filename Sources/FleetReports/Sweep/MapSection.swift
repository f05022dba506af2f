import Scenario
import Studies

/// How do the figures depend on the keys? A chart of each goal over the only key, or maps of two keys at a time.
///
/// - Parameter chosen: the setting that is marked, in the study's runs; nil: none.
func mapSection(_ study: SweepStudy, chosen: Int?) -> ReportSection? {
  let varied = study.variedAxes
  guard !varied.isEmpty, study.runs.count > 1 else { return nil }
  let all = DrawnFigure.all(of: study)
  let names = FigureWords.names(all.map(\.figure).withoutRepetitions)
  let (constant, changing) = all.partitioned { study.isConstant($0.figure) }
  let pairs = varied.indices.flatMap { one in varied[(one + 1)...].map { (varied[one], $0) } }
  let titles = { (drawn: DrawnFigure) in drawn.title(names) }
  let drawings =
    pairs.isEmpty
    ? changing.enumerated().compactMap { course($1, number: $0, study, chosen, title: titles($1)) }
    : changing.enumerated().flatMap { number, drawn in
      pairs.prefix(3).enumerated().compactMap { pair, axes in
        map(drawn, id: "map-\(number)-\(pair)", study, axes, chosen, title: titles(drawn))
      }
    }
  let figures =
    drawings.count > 1 ? [Markup.tag("div", ["class": "smalls"], drawings)] : drawings
  let keys = listed(varied.map { study.keyWords[$0] })
  return ReportSection(
    id: "maps", short: study.goals.isEmpty ? "Figures" : "Goals",
    question: "How \(study.goals.isEmpty ? "do the figures" : "does each goal") depend on \(keys)?",
    answer: mapAnswer(study, changing.map(\.figure).withoutRepetitions, names),
    figures: figures + (drawings.isEmpty || !pairs.isEmpty ? [] : [courseLegend(study, chosen)]),
    note: (drawings.isEmpty ? "" : mapNote(study, pairs.count)) + constantWords(constant, names, study))
}

/// Where the first figures are lowest and highest.
private func mapAnswer(_ study: SweepStudy, _ figures: [FigureName], _ names: [FigureName: String]) -> String {
  let sentences = figures.prefix(2).compactMap { figure -> String? in
    let known = study.runs.indices.compactMap { index in
      study.runs[index].summary.figure(figure)?.value.map { (index, $0.approximate) }
    }
    guard let least = known.min(by: { $0.1 < $1.1 }), let most = known.max(by: { $0.1 < $1.1 }) else { return nil }
    let (name, low, high) = (
      names[figure] ?? figure.text, GoalText.text(least.1, figure), GoalText.text(most.1, figure)
    )
    guard low != high else { return "The \(name) is \(low) with every setting." }
    return "The \(name) goes from \(low) (\(study.spoken(least.0))) to \(high) (\(study.spoken(most.0)))."
  }
  return sentences.isEmpty ? "No figure clearly differs between any two settings." : sentences.joined(separator: " ")
}

private func mapNote(_ study: SweepStudy, _ pairs: Int) -> String {
  guard pairs > 0 else {
    let drawn = study.runs.count > KeyFigure.most ? " Only some of the \(study.runs.count) settings are drawn." : ""
    return
      (study.hasIntervals
      ? "Means over replications with 95\u{A0}% intervals." : "One replication, so no intervals.") + drawn
  }
  let parts = [
    "The stronger the colour of a cell, the higher the figure.",
    study.variedAxes.count > 2 ? "A cell is the mean over all settings with its two values." : "",
    pairs > 3 ? "The first three pairs of \(pairs) are drawn." : "",
  ]
  return parts.filter { !$0.isEmpty }.joined(separator: " ")
}

/// Names what is not drawn because no setting changes it: ` The same under every setting: ...`.
private func constantWords(
  _ constant: [DrawnFigure], _ names: [FigureName: String], _ study: SweepStudy
) -> String {
  guard let first = study.runs.first, !constant.isEmpty else { return "" }
  let words = constant.map { drawn in
    let value = GoalText.text(first.summary.figure(drawn.figure)?.value?.approximate, drawn.figure)
    let verdict = drawn.result(first).map { " (\(drawn.goal?.id ?? ""): \($0.verdict.rawValue))" } ?? ""
    return "\(names[drawn.figure] ?? drawn.figure.text) \(value)" + verdict
  }
  return " Not drawn, because no setting clearly changes it: " + listed(words) + "."
}

extension Sequence {
  /// The elements that are of a kind, and the others.
  fileprivate func partitioned(_ isOfKind: (Element) -> Bool) -> ([Element], [Element]) {
    (filter(isOfKind), filter { !isOfKind($0) })
  }
}

/// Values of a key as rows or columns: each value, or equal parts of the range where there are many amounts.
struct AxisBins {
  /// The most rows or columns of single values.
  static let most = 12
  private static let parts = 6

  let names: [String]
  /// By the text of a value.
  private let places: [String: Int]

  init(_ axis: SweepAxis) {
    guard axis.values.count > Self.most, case .numeric(let low, let high) = axis.scale, high > low else {
      names = axis.values.map(axis.words)
      places = Dictionary(axis.values.enumerated().map { ($1.text, $0) }, uniquingKeysWith: { first, _ in first })
      return
    }
    let width = (high - low) / Double(Self.parts)
    names = (0..<Self.parts).map { part in
      let start = low + Double(part) * width
      let unit = axis.unit.isEmpty ? "" : "\u{A0}" + axis.unit
      return "≥ " + (axis.unit == "s" ? TimeText.seconds(start) : NumberText.text(start) + unit)
    }
    places = Dictionary(
      axis.values.map { value in
        (value.text, min(max(Int(((value.amount ?? low) - low) / width), 0), Self.parts - 1))
      }, uniquingKeysWith: { first, _ in first })
  }

  func place(of value: SweepValue) -> Int? { places[value.text] }
}

extension MatrixFigure {
  /// A figure over two keys of a sweep, each cell the mean over all settings with its values.
  init(_ name: FigureName, _ study: SweepStudy, row: Int, column: Int) {
    let (down, across) = (AxisBins(study.axes[row]), AxisBins(study.axes[column]))
    var sums = down.names.map { _ in across.names.map { _ in (sum: 0.0, count: 0, passing: 0, settings: 0) } }
    for run in study.runs {
      guard let top = down.place(of: run.values[row]), let left = across.place(of: run.values[column]) else { continue }
      sums[top][left].settings += 1
      if run.passes { sums[top][left].passing += 1 }
      guard let value = run.summary.figure(name)?.value?.approximate else { continue }
      sums[top][left].sum += value
      sums[top][left].count += 1
    }
    self.init(
      rows: down.names, columns: across.names, rowTitle: study.keyWords[row], columnTitle: study.keyWords[column],
      cells: sums.map { $0.map { $0.count > 0 ? $0.sum / Double($0.count) : nil } },
      framed: sums.map { cells in
        cells.map { !study.goals.isEmpty && $0.settings > 0 && $0.passing == $0.settings }
      },
      text: { GoalText.text($0, name) })
  }
}

private func map(
  _ drawn: DrawnFigure, id: String, _ study: SweepStudy, _ axes: (row: Int, column: Int), _ chosen: Int?, title: String
) -> Markup? {
  let name = drawn.figure
  var figure = MatrixFigure(name, study, row: axes.row, column: axes.column)
  guard figure.cells.joined().contains(where: { $0 != nil }) else { return nil }
  figure.cross(drawn, study, axes)
  figure.mark(chosen, study, axes)
  let ends = [figure.lowest, figure.highest].map { GoalText.text($0, name) }
  var legend: [(swatch: String, text: String)] = [("heat-1", ends[0]), ("heat-8", ends[1])]
  if figure.framed.joined().contains(true) { legend.append(("framed", "passes every goal")) }
  if figure.crossed.joined().contains(true) { legend.append(("crossed", "does not pass this goal")) }
  if figure.chosen != nil { legend.append(("chosen-cell", study.choiceWord)) }
  return figure.markup(
    id: id, title: title,
    description: "By \(figure.rowTitle) and \(figure.columnTitle): from \(ends[0]) to \(ends[1]).",
    legend: legend)
}

extension MatrixFigure {
  /// Crosses out the cells in which no setting passes a goal.
  fileprivate mutating func cross(_ drawn: DrawnFigure, _ study: SweepStudy, _ axes: (row: Int, column: Int)) {
    guard drawn.goal != nil else { return }
    let (down, across) = (AxisBins(study.axes[axes.row]), AxisBins(study.axes[axes.column]))
    var passes = rows.map { _ in columns.map { _ in false } }
    for run in study.runs where drawn.style(run) == "good" {
      guard let top = down.place(of: run.values[axes.row]), let left = across.place(of: run.values[axes.column]) else {
        continue
      }
      passes[top][left] = true
    }
    crossed = passes.map { $0.map { !$0 } }
  }

  fileprivate mutating func mark(_ chosen: Int?, _ study: SweepStudy, _ axes: (row: Int, column: Int)) {
    guard let chosen else { return }
    let values = study.runs[chosen].values
    guard let top = AxisBins(study.axes[axes.row]).place(of: values[axes.row]),
      let left = AxisBins(study.axes[axes.column]).place(of: values[axes.column])
    else { return }
    self.chosen = (top, left)
  }
}

/// A figure over the only key that is varied.
private func course(
  _ drawn: DrawnFigure, number: Int, _ study: SweepStudy, _ chosen: Int?, title: String
) -> Markup? {
  let figure = KeyFigure(drawn, study, axis: study.variedAxes[0], chosen: chosen)
  guard figure.points.count > 1 else { return nil }
  return figure.markup(
    id: "course-\(number)", title: title,
    description: figure.points.prefix(12).map(\.title).joined(separator: "; ") + ".")
}

/// What the charts have in common.
private func courseLegend(_ study: SweepStudy, _ chosen: Int?) -> Markup {
  let verdicts = Set(study.runs.flatMap(\.goals).map(\.verdict))
  let entries: [(Bool, swatch: String, text: String)] = [
    (verdicts.contains(.pass), "good", "passes the goal"),
    (verdicts.contains(.inconclusive), "open", "inconclusive"),
    (verdicts.contains(.fail) || verdicts.contains(.warn), "bad", "does not pass it"),
    (!study.goals.isEmpty, "forbidden", "not allowed by the goal"),
    (!study.presets.isEmpty, "presets", "from the least to the most of the scenario, prompt and lazy"),
    (chosen != nil, "chosen", study.choiceWord),
  ]
  return .tag(
    "ul", ["class": "legend"],
    entries.filter(\.0).map { entry in
      .tag("li", [:], [.tag("span", ["class": "swatch " + entry.swatch]), .text(entry.text)])
    })
}
