import Scenario
import Studies

/// How do the figures depend on the keys? Maps of two keys at a time, or curves where there is only one.
func mapSection(_ study: SweepStudy) -> ReportSection? {
  let varied = study.axes.indices.filter { study.axes[$0].values.count > 1 }
  guard !varied.isEmpty else { return nil }
  let pairs = varied.indices.flatMap { one in varied[(one + 1)...].map { (varied[one], $0) } }
  let names = study.drawnFigures
  let drawings =
    pairs.isEmpty
    ? names.enumerated().compactMap { course($1, number: $0, study, axis: varied[0]) }
    : names.enumerated().flatMap { number, name in
      pairs.prefix(3).enumerated().compactMap { pair, axes in
        map(name, id: "map-\(number)-\(pair)", study, axes.0, axes.1)
      }
    }
  guard !drawings.isEmpty else { return nil }
  let others = varied.count > 2 ? " A cell is the mean over all settings with its two values." : ""
  return ReportSection(
    id: "maps", short: "Maps", question: "How do the figures depend on the keys?", answer: mapAnswer(study, names),
    figures: drawings,
    note: pairs.isEmpty
      ? study.hasIntervals ? "Means over replications with 95 % intervals." : "One replication, so no intervals."
      : "The stronger the colour of a cell, the higher the figure." + others
        + (study.goals.isEmpty ? "" : " A frame marks cells whose settings all pass every goal.")
        + (pairs.count > 3 ? " The first three pairs of \(pairs.count) are drawn." : ""))
}

/// Where the first figure is lowest and highest.
private func mapAnswer(_ study: SweepStudy, _ names: [FigureName]) -> String {
  names.prefix(2).compactMap { name -> String? in
    let known = study.runs.indices.compactMap { index in
      study.runs[index].summary.figure(name)?.value.map { (index, $0.approximate) }
    }
    guard let least = known.min(by: { $0.1 < $1.1 }), let most = known.max(by: { $0.1 < $1.1 }) else { return nil }
    guard least.1 < most.1 else { return "\(name.text) is \(GoalText.text(least.1, name)) under every setting." }
    return "\(name.text) goes from \(GoalText.text(least.1, name)) (\(study.label(least.0))) to "
      + "\(GoalText.text(most.1, name)) (\(study.label(most.0)))."
  }.joined(separator: " ")
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
      names = axis.values.map(\.text)
      places = Dictionary(axis.values.enumerated().map { ($1.text, $0) }, uniquingKeysWith: { first, _ in first })
      return
    }
    let width = (high - low) / Double(Self.parts)
    names = (0..<Self.parts).map { part in
      "≥ " + NumberText.text(low + Double(part) * width) + (axis.unit.isEmpty ? "" : "\u{A0}" + axis.unit)
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
      rows: down.names, columns: across.names, rowTitle: study.axes[row].path, columnTitle: study.axes[column].path,
      cells: sums.map { $0.map { $0.count > 0 ? $0.sum / Double($0.count) : nil } },
      framed: sums.map { cells in
        cells.map { !study.goals.isEmpty && $0.settings > 0 && $0.passing == $0.settings }
      },
      text: { GoalText.text($0, name) })
  }
}

private func map(_ name: FigureName, id: String, _ study: SweepStudy, _ row: Int, _ column: Int) -> Markup? {
  let figure = MatrixFigure(name, study, row: row, column: column)
  guard figure.cells.joined().contains(where: { $0 != nil }) else { return nil }
  let ends = [figure.lowest, figure.highest].map { GoalText.text($0, name) }
  var legend: [(swatch: String, text: String)] = [("heat-1", ends[0]), ("heat-8", ends[1])]
  if figure.framed.joined().contains(true) { legend.append(("framed", "passes every goal")) }
  return figure.markup(
    id: id, title: name.text + " by " + figure.rowTitle + " and " + figure.columnTitle,
    description: "From \(ends[0]) to \(ends[1]).", legend: legend)
}

/// A figure over the only key that is varied.
private func course(_ name: FigureName, number: Int, _ study: SweepStudy, axis: Int) -> Markup? {
  let key = study.axes[axis]
  let known = study.runs.indices.filter { study.runs[$0].summary.figure(name)?.value != nil }
  guard known.count > 1 else { return nil }
  let places = Dictionary(
    key.values.enumerated().map { ($1.text, Double($0)) }, uniquingKeysWith: { first, _ in first })
  let points = known.map { index -> ScatterFigure.Point in
    let (run, row) = (study.runs[index], study.runs[index].summary.figure(name))
    let value = run.values[axis]
    return ScatterFigure.Point(
      x: key.isNumeric ? value.amount ?? 0 : places[value.text] ?? 0, y: row?.value?.approximate ?? 0,
      yInterval: row?.interval, radius: 5,
      style: !study.goals.isEmpty && run.passes ? "good" : "free", label: value.text,
      title: value.text + ": " + GoalText.text(row?.value?.approximate, name))
  }
  var upright = FrontFigure.direction(name, study.goals)
  upright.title = name.text
  let figure = ScatterFigure(
    points: points,
    x: ScatterFigure.Direction(
      title: key.path + (key.unit.isEmpty ? "" : ", " + key.unit),
      label: { key.isNumeric ? TickText.number($0, $1) : "" }),
    y: upright, joined: points.indices.sorted { points[$0].x < points[$1].x })
  return figure.markup(
    id: "course-\(number)", title: name.text + " by " + key.path,
    description: points.prefix(12).map(\.title).joined(separator: "; ") + ".",
    legend: study.goals.isEmpty ? [] : [("good", "passes every goal"), ("free", "does not")])
}
