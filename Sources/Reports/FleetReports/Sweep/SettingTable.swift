import Scenario
import Studies

/// A table of the settings in a study. Each row contains the values, verdicts and figures of a setting.
struct SettingTable {
  var study: SweepStudy
  var figures: [FigureName]
  /// The setting that the study recommends. It is always included in the table.
  var chosen: Int?

  /// The maximum number of settings in the table of a page.
  private static let maxRows = 60
  /// The maximum number of keys with a separate column on a page.
  private static let maxKeys = 3
  /// The maximum number of figures that fit the width of a page.
  private static let maxFigures = 4

  /// The tables for a page. All tables except the first are folded.
  var markup: [Markup] {
    let parts = stride(from: 0, to: max(figures.count, 1), by: Self.maxFigures).enumerated().map { part, start in
      let columns =
        (part == 0 ? head(isPage: true) : Array(head(isPage: true).prefix(2)))
        + figureColumns(isPage: true)
        .dropFirst(start).prefix(Self.maxFigures)
      let caption = "Settings with their figures" + IntervalText.inBrackets(study)
      return Table(caption + (part == 0 ? "" : ", part \(part + 1)"), shown, columns).markup
    }
    let rest = parts.dropFirst().flatMap { $0 }
    return parts[0] + (rest.isEmpty ? [] : [.details("More figures by setting", rest)])
  }

  /// The table as lines for the terminal, without intervals.
  var lines: [String] {
    Table("", Array(study.runs.indices), head(isPage: false) + figureColumns(isPage: false)).lines
  }

  /// A note on omitted settings; empty if there are none.
  var note: String {
    let count = study.runs.count
    return shown.count < count
      ? " The table shows \(shown.count) of \(NumberText.whole(Double(count))) settings; unbeaten ones have priority."
      : ""
  }

  /// The settings in the table, in study order. If there are too many, the chosen setting has priority, followed by
  /// unbeaten settings and then passing ones.
  private var shown: [Int] {
    let all = study.runs.indices
    guard all.count > Self.maxRows else { return Array(all) }
    let order =
      [chosen].compactMap { $0 } + all.filter { study.runs[$0].isOnFront }
      + all.filter { !study.goals.isEmpty && study.runs[$0].passes } + all
    return order.uniqued.prefix(Self.maxRows).sorted()
  }

  private func head(isPage: Bool) -> [Column<Int>] {
    var columns: [Column<Int>] = isPage ? [Column("setting") { .text(String($0 + 1)) }] : []
    let goals = Column<Int>("goals") { index in
      let open = study.runs[index].goals.filter { $0.verdict != .pass }
      let words = open.map { "\($0.goal.id): \($0.verdict.rawValue)" }.joined(separator: ", ")
      return .text(isPage ? open.isEmpty ? "pass" : words : study.runs[index].verdict?.rawValue ?? "")
    }
    if !isPage, !study.goals.isEmpty { columns.append(goals) }
    if isPage, study.keys.count > Self.maxKeys {
      columns.append(Column("values") { .text(study.label($0)) })
    } else {
      columns += zip(study.axes.indices, isPage ? study.keyWords : shortened(study.keys)).map { axis, name in
        Column(name) { index in
          let value = study.runs[index].values[axis]
          return .text(isPage ? study.axes[axis].words(value) : value.text)
        }
      }
    }
    if isPage, !study.goals.isEmpty { columns.append(goals) }
    if study.objectives.count > (isPage ? 1 : 0) {
      columns.append(
        Column("not beaten") { .text(study.runs[$0].isOnFront ? isPage ? "yes" : "*" : isPage ? "no" : "") })
    }
    if !study.goals.isEmpty { columns.append(Column("tightest goal") { .text(GoalText.worst(study.runs[$0])) }) }
    return columns
  }

  private func figureColumns(isPage: Bool) -> [Column<Int>] {
    let names = FigureWords.names(figures)
    return figures.map { figure in
      Column(number: isPage ? names[figure] ?? figure.text : figure.text) { index in
        let row = study.runs[index].summary.figure(figure)
        let hasWidth = row?.interval.map { $0.low < $0.high } ?? false
        return .text(
          !isPage
            ? GoalText.cell(study.runs[index], figure)
            : hasWidth ? GoalText.withInterval(row, figure) : GoalText.text(row?.value?.approximate, figure))
      }
    }
  }
}

extension SweepStudy {
  /// The names of keys for use in sentences. Each consists of the last components of the path: at least two, and as
  /// many as are needed to distinguish the keys.
  var keyWords: [String] { shortened(keys, minimum: 2) }

  /// The keys that distinguish the settings from each other, or all keys if none does.
  private var shownAxes: [Int] { variedAxes.isEmpty ? Array(axes.indices) : variedAxes }

  /// Returns the names and values of a setting's keys, such as `jitter.up_to 5 min, reload.after 1 h`.
  func label(_ index: Int) -> String {
    let words = keyWords
    return shownAxes.map { words[$0] + " " + valueText(index, $0) }.joined(separator: ", ")
  }

  /// Returns only the values of a setting's keys, such as `5 min, 1 h`.
  func values(_ index: Int) -> String { shownAxes.map { valueText(index, $0) }.joined(separator: ", ") }

  /// Returns a setting as text for use in sentences, such as `5 min`. If there are several keys, the text includes
  /// their names.
  func inProse(_ index: Int) -> String { shownAxes.count == 1 ? valueText(index, shownAxes[0]) : label(index) }

  private func valueText(_ index: Int, _ axis: Int) -> String { axes[axis].words(runs[index].values[axis]) }

  /// The bracket presets that were simulated for at least one setting.
  var presets: [Preset] { Bracket.ends.filter { preset in runs.contains { $0.bracket.summaries[preset] != nil } } }

  /// Returns the points at which the loads among these figures are counted, one line per point.
  func placeLines(of figures: [FigureName]) -> [String] {
    scenario.map { GoalText.placeLines(figures, [$0]) } ?? []
  }

  /// The label for the marked setting.
  var choiceWord: String { goals.isEmpty || runs.contains(where: \.passes) ? "the choice" : "closest" }
}

extension SweepAxis {
  /// Returns a value as text, with spaces in amounts with a unit, such as `2 h 30 min` for `2h30min`.
  func words(_ value: SweepValue) -> String {
    guard value.amount != nil, !unit.isEmpty else { return value.text }
    var text = ""
    for character in value.text {
      let isDigit = character.isNumber || character == "."
      if let last = text.last, isDigit ? !last.isNumber && last != "." : last.isNumber { text += "\u{A0}" }
      text.append(character)
    }
    return text
  }
}

/// Returns the last components of each path, as many as are needed to distinguish the paths but at least `minimum`.
func shortened(_ paths: [String], minimum: Int = 1) -> [String] {
  let parts = paths.map { $0.split(separator: ".") }
  return parts.map { path in
    let count = (min(minimum, max(path.count, 1))...max(path.count, 1)).first { count in
      parts.count { $0.suffix(count).elementsEqual(path.suffix(count)) } == 1
    }
    return path.suffix(count ?? path.count).joined(separator: ".")
  }
}
