import Studies

/// echo.csv: per minute and endpoint with an outage, what arrives on the same draws without any outage, scaled to the
/// fleet; no rows where there is no outage or it was not tried.
func echoCSV(of report: Report) -> [UInt8] {
  var csv = CSVWriter(header: ["endpoint", "minute", "first_tries", "reloads_after_errors", "retries"])
  let scale = FleetCount(Scale(of: report.result))
  for tries in report.trials.withoutOutages {
    let name = CSVWriter.encoded(report.result.scenario.endpoints[tries.endpoint].name)
    for (minute, counts) in tries.minutes.enumerated() {
      csv.field(encoded: name)
      csv.field(minute)
      for count in [counts.first, counts.reloads, counts.retries] { csv.field(count: count, scale) }
      csv.endRow()
    }
  }
  return csv.bytes
}
