import Scenario
import Studies

/// Returns the section on the effects of the keys; `nil` if no key varies independently.
func effectSection(_ study: SweepStudy, _ effects: SweepEffects) -> ReportSection? {
  let wanted = study.drawnFigures
  let shown = wanted.compactMap { name in effects.figures.first { $0.figure == name } }.filter { !$0.effects.isEmpty }
  guard !shown.isEmpty else {
    return effects.note.isEmpty ? nil : ReportSection("sweep/effects", answer: "Unknown: " + effects.note + ".")
  }
  return ReportSection(
    "sweep/effects",
    answer: shown.prefix(2).map { answer($0, study) }.joined(separator: " "),
    figures: shown.enumerated().compactMap { tornado($1, number: $0, study) },
    note: IntervalText.whiskers(study),
    details: shown.flatMap { table($0, study) })
}

private func answer(_ figure: FigureEffects, _ study: SweepStudy) -> String {
  let spans = study.axes.indices.compactMap { axis in figure.span(ofAxis: axis).map { (axis, $0) } }
  guard let maximum = spans.max(by: { $0.1 < $1.1 }), maximum.1 > 0 else {
    return "\(figure.figure.text) does not depend on any key."
  }
  return "\(figure.figure.text) depends most on \(study.axes[maximum.0].path), changing by "
    + "\(GoalText.text(maximum.1, figure.figure)) across its values."
}

/// Returns a chart of the main effects, largest effect first.
private func tornado(_ figure: FigureEffects, number: Int, _ study: SweepStudy) -> Markup? {
  let own = figure.effects.filter { $0.value != 0 || $0.interval != nil }
  let rows = own.sorted { $0.value.magnitude > $1.value.magnitude }.prefix(16).map { effect -> BarRow in
    let text = ChangeText.text(effect.value, figure.figure)
    let interval = effect.interval
    let words = interval?.words { ChangeText.text($0, figure.figure) }
    return BarRow(
      name(effect, study), dot: effect.value, interval: interval, text: text,
      longText: text + (words.map { " (\($0))" } ?? ""),
      isPale: interval.map { $0.low <= 0 && $0.high >= 0 } ?? false)
  }
  guard !rows.isEmpty else { return nil }
  let forest = Chart.forest(rows, title: "difference in \(figure.figure.text)", hasBars: true) {
    TickText.difference($0, figure.figure, $1)
  }
  return forest.markup(
    id: "tornado-\(number)", title: "Effect of each key on \(figure.figure.text)",
    description: rows.map { "\($0.name): \($0.longText)" }.joined(separator: "; ") + ".",
    legend: [("strong", "makes a difference"), ("pale", "may be due to chance")])
}

/// Returns the name of an effect: a key with its range, such as `kinds.a.jitter.up_to: 0s to 20min`, or with one of its
/// values.
private func name(_ effect: Effect, _ study: SweepStudy) -> String {
  let axis = study.axes[effect.axis]
  if let level = effect.level { return axis.path + " = " + level }
  guard let low = axis.values.first?.text, let high = axis.values.last?.text else { return axis.path }
  return "\(axis.path): \(low) to \(high)"
}

private func table(_ figure: FigureEffects, _ study: SweepStudy) -> [Markup] {
  Table(
    "Effects on \(figure.figure.text)", figure.effects,
    [
      Column("key") { .text(name($0, study)) },
      Column("effect") { .text(ChangeText.text($0.value, figure.figure)) },
      Column("95 % interval") { .text($0.interval?.words { ChangeText.text($0, figure.figure) } ?? "") },
    ]
  ).details("Effects on \(figure.figure.text), as a table")
}
