import FleetEngine
import Scenario
import Studies

/// hours.csv: what followed widgets do by hour of the local day (MODEL.md 8.3).
func hoursCSV(of result: RunResult) -> [UInt8] {
  var csv = CSVWriter(header: [
    "kind", "hour", "refreshes", "views", "stale_share", "data_age_s", "balance_p10", "balance_p50",
  ])
  for row in StoredRun.hours(of: result) {
    csv.row(
      result.scenario.kinds[row.kind].name, row.hour, row.refreshes, row.views, row.staleShare, row.dataAge,
      row.lowBalance, row.balance)
  }
  return csv.bytes
}

/// asked.csv: what becomes of the refreshes that policies ask for (MODEL.md 8.3).
func askedCSV(of result: RunResult) -> [UInt8] {
  var csv = CSVWriter(header: ["kind", "row", "refreshes_per_day", "followed_s"])
  for asked in StoredRun.asked(of: result) {
    for row in AskedRow.allCases {
      csv.row(result.scenario.kinds[asked.kind].name, row.name, asked[row], asked.seconds)
    }
  }
  return csv.bytes
}
