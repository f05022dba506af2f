package import Scenario
package import Studies

/// effects.csv: one row per figure and term, then what no term explains.
func effectsCSV(of study: SweepStudy, _ effects: SweepEffects) -> [UInt8] {
  var csv = CSVWriter(header: ["figure", "term", "effect", "low", "high", "unit", "variance_share"])
  for figure in effects.figures {
    let name = figure.figure.text
    for effect in figure.effects {
      csv.field(name)
      csv.field(effect.term(study.axes))
      csv.field(effect.value)
      csv.field(effect.interval?.low)
      csv.field(effect.interval?.high)
      csv.field(figure.figure.unit.rawValue)
      csv.field(effect.varianceShare)
      csv.endRow()
    }
    guard let rest = figure.unexplained else { continue }
    csv.field(name)
    csv.field("rest")
    for _ in 0..<3 { csv.blank() }
    csv.field(figure.figure.unit.rawValue)
    csv.field(rest)
    csv.endRow()
  }
  return csv.bytes
}

extension Effect {
  /// `PATH`, `PATH=VALUE`, and two of them with a star between.
  package func term(_ axes: [SweepAxis]) -> String {
    factors.map { factor in axes[factor.axis].path + (factor.level.map { "=" + $0 } ?? "") }.joined(separator: " * ")
  }
}
