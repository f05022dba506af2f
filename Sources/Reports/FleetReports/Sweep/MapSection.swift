import Scenario
import Studies

/// Returns the section on figures by key. If only one key varies, the section contains a chart of each goal over that
/// key. Otherwise, it contains maps of two keys at a time.
///
/// - Parameter chosen: the index of the marked setting in the study's runs; `nil` to mark none.
func mapSection(_ study: SweepStudy, chosen: Int?) -> ReportSection? {
  let varied = study.variedAxes
  guard !varied.isEmpty, study.runs.count > 1 else { return nil }
  let all = DrawnMetric.all(of: study)
  let names = FigureWords.names(all.map(\.figure).withoutRepetitions)
  let (constant, changing) = all.partitioned { study.isConstant($0.figure) }
  let pairs = varied.indices.flatMap { one in varied[(one + 1)...].map { (varied[one], $0) } }
  let titles = { (drawn: DrawnMetric) in drawn.title(names) }
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
    "sweep/maps",
    answer: mapAnswer(study, changing.map(\.figure).withoutRepetitions, names),
    figures: figures + (drawings.isEmpty || !pairs.isEmpty ? [] : [courseLegend(study, chosen)]),
    note: (drawings.isEmpty ? "" : mapNote(study, pairs.count)) + constantWords(constant, names, study)
  ).asking("How \(study.goals.isEmpty ? "do the figures" : "does each goal") depend on \(keys)?")
}

/// Returns a sentence about the settings with the lowest and highest values of the first figures.
private func mapAnswer(_ study: SweepStudy, _ figures: [FigureName], _ names: [FigureName: String]) -> String {
  let sentences = figures.prefix(2).compactMap { figure -> String? in
    let known = study.runs.indices.compactMap { index in
      study.runs[index].summary.figure(figure)?.value.map { (index, $0.approximate) }
    }
    guard let minimum = known.min(by: { $0.1 < $1.1 }), let maximum = known.max(by: { $0.1 < $1.1 }) else { return nil }
    let (name, low, high) = (
      names[figure] ?? figure.text, GoalText.text(minimum.1, figure), GoalText.text(maximum.1, figure)
    )
    guard low != high else { return "The \(name) is \(low) with every setting." }
    return "The \(name) goes from \(low) (\(study.inProse(minimum.0))) to \(high) (\(study.inProse(maximum.0)))."
  }
  return sentences.isEmpty ? "No figure clearly differs between any two settings." : sentences.joined(separator: " ")
}

private func mapNote(_ study: SweepStudy, _ pairs: Int) -> String {
  guard pairs > 0 else {
    let drawn =
      study.runs.count > CoursePlot.maximum ? " Only some of the \(study.runs.count) settings are drawn." : ""
    return
      (study.hasIntervals
      ? "The figures are means over replications, with 95\u{A0}% intervals."
      : "With one replication, there are no intervals.") + drawn
  }
  let parts = [
    "The stronger a cell's colour, the higher the figure.",
    study.variedAxes.count > 2 ? "Each cell is the mean over all settings with its two values." : "",
    pairs > 3 ? "The first three pairs of \(pairs) are drawn." : "",
  ]
  return parts.filter { !$0.isEmpty }.joined(separator: " ")
}

/// Returns a sentence that starts with ` Not drawn, because ...` about figures without a chart that do not clearly
/// differ between settings.
private func constantWords(
  _ constant: [DrawnMetric], _ names: [FigureName: String], _ study: SweepStudy
) -> String {
  guard let first = study.runs.first, !constant.isEmpty else { return "" }
  let words = constant.map { drawn in
    let value = GoalText.text(first.summary.figure(drawn.figure)?.value?.approximate, drawn.figure)
    let verdict = drawn.result(first).map { " (\(drawn.goal?.id ?? ""): \($0.verdict.rawValue))" } ?? ""
    return "\(names[drawn.figure] ?? drawn.figure.text) \(value)" + verdict
  }
  return " Not drawn, because no setting clearly changes \(words.count == 1 ? "it" : "them"): " + listed(words) + "."
}

extension Sequence {
  /// Returns the elements that satisfy a condition, followed by those that do not.
  fileprivate func partitioned(_ isOfKind: (Element) -> Bool) -> ([Element], [Element]) {
    (filter(isOfKind), filter { !isOfKind($0) })
  }
}

extension AxisBins {
  /// The names of the rows or columns, which are values of a key.
  var names: [String] {
    let unit = axis.unit.isEmpty ? "" : "\u{A0}" + axis.unit
    return starts.isEmpty
      ? axis.values.map(axis.words)
      : starts.map { "≥ " + (axis.unit == "s" ? TimeText.seconds($0) : NumberText.text($0) + unit) }
  }
}

extension HeatPlot {
  /// Creates a map of a figure over two keys of a sweep. Each cell is the mean over all settings with the cell's
  /// values. It is framed if all these settings pass every goal, and crossed out if none of them passes the figure's
  /// goal.
  ///
  /// - Parameter chosen: the index of the marked setting in the study's runs.
  init(_ drawn: DrawnMetric, _ study: SweepStudy, row: Int, column: Int, chosen: Int?) {
    let map = SweepMap(study, drawn.figure, row: row, column: column)
    let marks = { (cell: SweepMap.Cell) -> CellMarks in
      let runs = cell.settings.map { study.runs[$0] }
      var marks: CellMarks = chosen.map(cell.settings.contains) ?? false ? .chosen : []
      if !study.goals.isEmpty, !runs.isEmpty, runs.allSatisfy(\.passes) { marks.insert(.framed) }
      if drawn.goal != nil, !runs.contains(where: { drawn.style($0) == "good" }) { marks.insert(.crossed) }
      return marks
    }
    self.init(
      rows: (study.keyWords[row], map.rows.names), columns: (study.keyWords[column], map.columns.names),
      cells: map.cells.map { $0.map(\.mean) }, marks: map.cells.map { $0.map(marks) },
      text: { GoalText.text($0, drawn.figure) })
  }
}

private func map(
  _ drawn: DrawnMetric, id: String, _ study: SweepStudy, _ axes: (row: Int, column: Int), _ chosen: Int?, title: String
) -> Markup? {
  let figure = HeatPlot(drawn, study, row: axes.row, column: axes.column, chosen: chosen)
  guard figure.cells.joined().contains(where: { $0 != nil }) else { return nil }
  let ends = [figure.lowest, figure.highest].map { GoalText.text($0, drawn.figure) }
  var legend: [(swatch: String, text: String)] = [("heat-1", ends[0]), ("heat-8", ends[1])]
  if figure.has(.framed) { legend.append(("framed", "passes every goal")) }
  if figure.has(.crossed) { legend.append(("crossed", "does not pass this goal")) }
  if figure.has(.chosen) { legend.append(("chosen-cell", study.choiceWord)) }
  return figure.chart.markup(
    id: id, title: title,
    description: "By \(figure.rowTitle) and \(figure.columnTitle): from \(ends[0]) to \(ends[1]).",
    legend: legend)
}

/// Returns a chart of a figure over the values of the only key that varies.
private func course(
  _ drawn: DrawnMetric, number: Int, _ study: SweepStudy, _ chosen: Int?, title: String
) -> Markup? {
  let figure = CoursePlot(drawn, study, axis: study.variedAxes[0], chosen: chosen)
  guard figure.dots.count > 1 else { return nil }
  return figure.chart.markup(
    id: "course-\(number)", title: title,
    description: figure.dots.prefix(12).map(\.title).joined(separator: "; ") + ".")
}

/// Returns the legend that the charts share.
private func courseLegend(_ study: SweepStudy, _ chosen: Int?) -> Markup {
  let verdicts = Set(study.runs.flatMap(\.goals).map(\.verdict))
  let entries: [(Bool, swatch: String, text: String)] = [
    (verdicts.contains(.pass), "good", "passes the goal"),
    (verdicts.contains(.inconclusive), "open", "inconclusive"),
    (verdicts.contains(.fail) || verdicts.contains(.warn), "bad", "misses the goal"),
    (!study.goals.isEmpty, "forbidden", "not allowed by the goal"),
    (!study.presets.isEmpty, "presets", "range over the scenario, prompt and lazy"),
    (chosen != nil, "chosen", study.choiceWord),
  ]
  return .tag(
    "ul", ["class": "legend"],
    entries.filter(\.0).map { entry in
      .tag("li", [:], [.tag("span", ["class": "swatch " + entry.swatch]), .text(entry.text)])
    })
}
