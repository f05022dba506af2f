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
  let names = [tradeoff.peak, tradeoff.staleness] + (tradeoff.battery.map { [$0] } ?? [])
  var csv = CSVWriter(
    header: ["setting"] + study.keys + ["sensible", "beaten"]
      + (study.goals.isEmpty ? [] : ["passes", "margin", "worst"])
      + names.flatMap { name in
        let column = "\(name.text) [\(name.unit.rawValue)]"
        return [column, column + " low", column + " high"]
      })
  for (number, (run, setting)) in zip(study.runs, tradeoff.settings).enumerated() {
    csv.field(number + 1)
    for value in run.values { csv.field(value.text) }
    csv.field(setting.isSensible ? "yes" : "no")
    csv.field(setting.isOnFront ? "no" : "yes")
    if !study.goals.isEmpty {
      csv.field(run.passes ? "yes" : "no")
      csv.field(run.worst?.margin.miss.map { 0 - $0 })
      csv.field(run.worst?.margin.preset?.rawValue ?? "scenario")
    }
    for name in names {
      let row = run.summary.figure(name)
      csv.field(row?.value)
      csv.field(row?.interval?.low)
      csv.field(row?.interval?.high)
    }
    csv.endRow()
  }
  return csv.bytes
}
