import Scenario
import Studies

extension SweepStudy {
  /// What sentences call the keys: as many of the last parts of each path as tell it from the others, two at least.
  var keyWords: [String] { shortened(keys, least: 2) }

  /// The keys that tell settings apart; all where none does.
  private var toldAxes: [Int] { variedAxes.isEmpty ? Array(axes.indices) : variedAxes }

  /// A setting with the names of its keys: `jitter.up_to 5 min, reload.after 1 h`.
  func label(_ index: Int) -> String {
    let words = keyWords
    return toldAxes.map { words[$0] + " " + valueText(index, $0) }.joined(separator: ", ")
  }

  /// A setting's values alone: `5 min, 1 h`.
  func values(_ index: Int) -> String { toldAxes.map { valueText(index, $0) }.joined(separator: ", ") }

  /// A setting in a sentence about the only key: `5 min`; with their names where there are more.
  func spoken(_ index: Int) -> String { toldAxes.count == 1 ? valueText(index, toldAxes[0]) : label(index) }

  private func valueText(_ index: Int, _ axis: Int) -> String { axes[axis].words(runs[index].values[axis]) }
}

extension SweepAxis {
  /// A value with spaces where it is an amount with a unit: `2h30min` as `2 h 30 min`.
  func words(_ value: SweepValue) -> String {
    guard value.amount != nil, !unit.isEmpty else { return value.text }
    var text = ""
    for character in value.text {
      let isDigit = character.isNumber || character == "."
      if let last = text.last {
        if !isDigit, last.isNumber { text += "\u{A0}" }
        if isDigit, !last.isNumber, last != "." { text += "\u{A0}" }
      }
      text.append(character)
    }
    return text
  }
}
