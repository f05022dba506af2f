import Scenario
package import Studies

/// The files of a trade-off's folder, the manifest last: a folder that has one is whole.
package enum TradeoffFile: String, CaseIterable, Sendable {
  case table = "tradeoff.csv"
  case page = "tradeoff.html"
  case drawing = "tradeoff.svg"
  case manifest = "manifest.json"

  package var name: String { rawValue }

  package func bytes(of tradeoff: Tradeoff, _ manifest: SweepManifest) -> [UInt8] {
    switch self {
    case .table: tradeoffCSV(of: tradeoff)
    case .page: tradeoffPage(of: tradeoff, manifest)
    case .drawing: tradeoffDrawing(of: tradeoff, manifest)
    case .manifest:
      manifest.bytes(
        of: tradeoff.study, schema: "widgetfleet.manifest/tradeoff-v1", files: Self.allCases.map(\.name))
    }
  }
}

/// tradeoff.csv: one row per setting.
func tradeoffCSV(of tradeoff: Tradeoff) -> [UInt8] {
  let study = tradeoff.study
  let names = tradeoff.figures
  var csv = CSVWriter(
    header: ["setting"] + study.keys + ["sensible", "beaten", "recommended"]
      + (study.goals.isEmpty ? [] : ["passes", "margin", "worst"])
      + names.flatMap(columnsWithEnds))
  for (number, (run, setting)) in zip(study.runs, tradeoff.settings).enumerated() {
    csv.fields(
      number + 1, run.values.map(\.text), setting.isSensible ? "yes" : "no", setting.isOnFront ? "no" : "yes",
      number == tradeoff.recommended ? "yes" : "no")
    if !study.goals.isEmpty {
      csv.fields(
        run.passes ? "yes" : "no", run.worst?.margin.miss.map { 0 - $0 },
        run.worst?.margin.preset?.rawValue ?? "scenario")
    }
    csv.row(names.map { run.valueWithEnds(of: $0) })
  }
  return csv.bytes
}
