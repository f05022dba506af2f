import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// causes.csv: per replication, minute, endpoint, cohort and cause with arrivals, scaled to the fleet.
///
/// Retries are the arrivals that were a second or later try of their run.
///
/// - Parameter timestamps: whether each row also has its time as ISO 8601.
func causesCSV(of result: RunResult, timestamps: Bool) -> [UInt8] {
  let columns =
    ["replication", "minute", "endpoint", "cohort", "cause", "arrivals"]
    + FailureReason.allCases.map { "failures_" + $0.name } + ["bytes_up", "bytes_down", "retries"]
  var csv = CSVWriter(header: columns.withTime(timestamps, after: "minute"))
  let stamps = timestamps ? RowStamp(result.scenario.clock, every: .minute) : nil
  let scale = FleetCount(Scale(of: result))
  let endpoints = result.scenario.endpoints.map { CSVWriter.encoded($0.name) }
  let cohorts = result.scenario.fleet.cohorts.map { CSVWriter.encoded($0.name) }
  let causes = Cause.allCases.map { CSVWriter.encoded($0.name) }
  for (number, replication) in result.replications.enumerated() {
    for minute in replication.causeMinutes {
      csv.field(number + 1)
      csv.field(minute.minute)
      if let stamps { csv.field(encoded: stamps.text(minute.minute)) }
      csv.field(encoded: endpoints[minute.endpoint])
      csv.field(encoded: cohorts[minute.cohort])
      csv.field(encoded: causes[Int(minute.cause.rawValue)])
      csv.field(count: minute.traffic.requests, scale)
      for failures in minute.traffic.failures { csv.field(count: failures, scale) }
      csv.field(count: minute.traffic.bytesUp, scale)
      csv.field(count: minute.traffic.bytesDown, scale)
      csv.field(count: minute.traffic.retries, scale)
      csv.endRow()
    }
  }
  return csv.bytes
}
