import Scenario
import Studies

/// effects.csv: one row per figure and term.
func effectsCSV(of study: SweepStudy, _ effects: SweepEffects) -> [UInt8] {
  var csv = CSVWriter(header: ["figure", "term", "effect", "low", "high", "unit"])
  for figure in effects.figures {
    let (name, unit) = (figure.figure.text, figure.figure.unit.rawValue)
    for effect in figure.effects {
      let term = study.axes[effect.axis].path + (effect.level.map { "=" + $0 } ?? "")
      csv.row(name, term, effect.value, effect.interval?.low, effect.interval?.high, unit)
    }
  }
  return csv.bytes
}
