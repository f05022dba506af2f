import FleetEngine
import Scenario

/// Writes devices.csv, which has one row per replication, stored device and kind. Counts are not scaled.
///
/// - Parameter sink: a function that receives the text in pieces. The complete text for millions of devices would need
///   more memory than their rows.
func writeDevicesCSV<Problem: Error>(
  of result: RunResult, to sink: ([UInt8]) throws(Problem) -> Void
) throws(Problem) {
  let times = DeviceTimes(of: result)
  var csv = CSVWriter(header: deviceColumns + (times == nil ? [] : ["existed_s"]))
  let names = DeviceNames(result.scenario)
  // The lists are computed only once, because each access would create a new array for every row.
  let (causes, reasons) = (Cause.allCases.filter(\.isOfRuns), WaitReason.allCases)
  for (number, replication) in result.replications.enumerated() {
    let table = replication.devices
    for row in 0..<table.rowCount {
      csv.field(number + 1)
      csv.field(table[row, .device])
      names.write(row, of: table, to: &csv)
      csv.field(table[row, .instances])
      csv.field(causes.reduce(0) { $0 + table[row, runs: $1] })
      for cause in causes { csv.field(table[row, runs: cause]) }
      for column in counters { csv.field(table[row, column]) }
      for reason in reasons { csv.field(table[row, waits: reason]) }
      csv.field((table[row, .nanojoules] + 500) / 1_000)
      if let times {
        let (device, cohort) = (Int(table[row, .device]), Int(table[row, .cohort]))
        csv.field(times.time(ofDevice: device, cohort: cohort, replication: number).milliseconds / 1_000)
      }
      csv.endRow()
      if csv.bytes.count >= sizeOfPiece {
        try sink(csv.bytes)
        csv.clear()
      }
    }
  }
  try sink(csv.bytes)
}

private let sizeOfPiece = 4 << 20

private let counters: [DeviceTable.Column] = [
  .charged, .requests, .failures, .bytesUp, .bytesDown, .cacheHits, .views, .staleViews,
]

private let deviceColumns =
  ["replication", "device", "cohort", "kind", "zone", "phone", "instances", "runs"]
  + Cause.allCases.filter(\.isOfRuns).map { "runs_" + columnName($0.name) }
  + ["charged", "requests", "failures", "bytes_up", "bytes_down", "cache_hits", "views", "stale_views"]
  + WaitReason.allCases.map { "waits_" + columnName($0.name) } + ["energy_uj"]

/// Returns a vocabulary name in the form used in column names.
func columnName(_ name: String) -> String { String(name.map { $0 == "-" ? "_" : $0 }) }

/// The encoded names that correspond to the indices in the table of devices.
private struct DeviceNames {
  var cohorts: [[UInt8]]
  var kinds: [[UInt8]]
  /// The names of zones, by cohort.
  var zones: [[[UInt8]]]
  /// The names of phone models, by cohort.
  var phones: [[[UInt8]]]

  init(_ scenario: Scenario) {
    cohorts = scenario.fleet.cohorts.map { CSVWriter.encoded($0.name) }
    kinds = scenario.kinds.map { CSVWriter.encoded($0.name) }
    zones = scenario.fleet.cohorts.map { $0.zones.map { CSVWriter.encoded($0.value) } }
    phones = scenario.fleet.cohorts.map { $0.phones.map { CSVWriter.encoded($0.value) } }
  }

  func write(_ row: Int, of table: DeviceTable, to csv: inout CSVWriter) {
    let cohort = Int(table[row, .cohort])
    csv.field(encoded: cohorts[cohort])
    csv.field(encoded: kinds[Int(table[row, .kind])])
    csv.field(encoded: zones[cohort][Int(table[row, .zone])])
    csv.field(encoded: phones[cohort][Int(table[row, .phone])])
  }
}
