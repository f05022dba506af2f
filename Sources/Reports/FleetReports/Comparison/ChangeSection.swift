import Scenario
import Studies

/// Returns the section on the figures that changed.
func changeSection(_ tables: [ComparisonTables], _ names: ComparedNames) -> ReportSection {
  ReportSection(
    "compare/figures", answer: answer(tables, names),
    warning: tables.map(\.markNote).first { !$0.isEmpty }?.asSentence ?? "",
    figures: tables.indices.compactMap { drawing(tables[$0], $0, names) },
    note: note(tables) + sentence(ofLines: tables.flatMap(\.placeLines).withoutRepetitions),
    details: tables.indices.flatMap { index -> [Markup] in
      let sentence = tables[index].figureSentence
      return tables[index].figures(hasPlaces: true).of(index, names).details(
        "Changes, as a table" + names.suffix(index))
        + (sentence.isEmpty ? [] : [.tag("p", ["class": "note"], sentence)])
    })
}

private func note(_ tables: [ComparisonTables]) -> String {
  guard tables.contains(where: \.hasIntervals) else {
    return
      "Dots show changes. One pair of replications gives no interval, so a change may be due to chance, except for "
      + "loads estimated from a sample."
  }
  return "Dots show changes in the mean, and whiskers their 95 % intervals over pairs of replications. Pale changes "
    + "have an interval that includes zero. Of a hundred unaffected figures, about five will still stand out by chance."
}

private func answer(_ tables: [ComparisonTables], _ names: ComparedNames) -> String {
  tables.indices.map { index in
    let count = tables[index].comparison.count(.large)
    let minimum = NumberText.percent(tables[index].comparison.minimum)
    let lead = names.all.count > 2 ? "In \(names.new(index)) " : ""
    let changed =
      count > 1
      ? "\(count) figures changed by \(minimum) or more"
      : (count == 0 ? "no figure" : "one figure") + " changed by \(minimum) or more"
    return (lead + changed + ".").asSentence
  }.joined(separator: " ")
}

/// Returns a chart of changes relative to the base. It omits figures whose base value is 0, which appear only in the
/// table.
private func drawing(_ tables: ComparisonTables, _ index: Int, _ names: ComparedNames) -> Markup? {
  let rows = tables.drawnFigures.prefix(18).compactMap { change -> BarRow? in
    guard !change.changesSign, let difference = change.difference, let value = change.relative(difference) else {
      return nil
    }
    let (text, interval) = ChangeText.text(change)
    let size = change.size(minimum: 0)
    let relative = change.interval.flatMap { ends in
      change.relative(ends.low).flatMap { low in change.relative(ends.high).map { Interval(low: low, high: $0) } }
    }
    return BarRow(
      change.figure.text + (change.isResolved ? "" : " *"), dot: value, interval: relative, text: text,
      longText: text + (interval.isEmpty ? "" : " (\(interval))"),
      isPale: size == .uncertain || size == .equal || !change.isResolved)
  }
  guard !rows.isEmpty else { return nil }
  let figure = Chart.forest(rows, title: "change relative to the base", limit: 3, label: ChangeText.tick)
  return figure.markup(
    id: "forest-\(index)",
    title: "Changes in figures" + (tables.hasIntervals ? ", with 95 % intervals" : "") + names.suffix(index),
    description: rows.prefix(8).map { "\($0.name): \($0.longText)" }.joined(separator: "; ") + ".",
    legend: [("strong", "changed"), ("pale", "unchanged, or possibly due to chance")])
}
