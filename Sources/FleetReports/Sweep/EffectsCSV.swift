package import Scenario
package import Studies

/// effects.csv: one row per figure and term, then what no term explains.
func effectsCSV(of study: SweepStudy, _ effects: SweepEffects) -> [UInt8] {
  var csv = CSVWriter(header: ["figure", "term", "effect", "low", "high", "unit", "variance_share"])
  for figure in effects.figures {
    let (name, unit) = (figure.figure.text, figure.figure.unit.rawValue)
    for effect in figure.effects {
      csv.row(
        name, effect.term(study.axes), effect.value, effect.interval?.low, effect.interval?.high, unit,
        effect.varianceShare)
    }
    guard let rest = figure.unexplained else { continue }
    csv.row(name, "rest", [Double?](repeating: nil, count: 3), unit, rest)
  }
  return csv.bytes
}

extension Effect {
  /// `PATH`, `PATH=VALUE`, and two of them with a star between.
  package func term(_ axes: [SweepAxis]) -> String {
    factors.map { factor in axes[factor.axis].path + (factor.level.map { "=" + $0 } ?? "") }.joined(separator: " * ")
  }
}
