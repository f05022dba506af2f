import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// load.csv: per replication, time step and endpoint, scaled to the fleet.
///
/// Behind a CDN only its misses reach the origin. The backlog is that of the devices and of the base load together; it
/// is blank where no capacity makes anybody wait. Then come what reached the queue, of devices and of base load, what
/// there was room for (blank: unlimited), the capacity, and what was refused beyond the queue, as load of the fleet.
///
/// - Parameter timestamps: whether each row also has its time as ISO 8601.
func loadCSV(of result: RunResult, timestamps: Bool) -> [UInt8] {
  let columns = [
    "replication", "time_s", "endpoint", "arrivals", "origin_requests", "failures", "backlog", "reached", "base_load",
    "room", "capacity_per_s", "refused",
  ]
  var csv = CSVWriter(header: columns.withTime(timestamps, after: "time_s"))
  let stamps = timestamps ? RowStamp(result.scenario.clock, every: result.scenario.clock.step) : nil
  let scale = FleetCount(Scale(of: result))
  let behindCDN = Set(OriginLoad.endpoints(of: result.scenario).compactMap { $0 })
  let limited = result.scenario.queueRecords
  let names = result.scenario.endpoints.map { CSVWriter.encoded($0.name) }
  let rows = result.replications.reduce(0) { $0 + $1.load.reduce(0) { $0 + $1.arrivals.count } }
  csv.reserve(rows * (timestamps ? 56 : 32))
  for (number, replication) in result.replications.enumerated() {
    // By index: a row for every second of a day and every endpoint.
    let load = replication.load
    for step in 0..<(load.map(\.arrivals.count).max() ?? 0) {
      let stamp = stamps?.text(step)
      for endpoint in load.indices where step < load[endpoint].arrivals.count {
        csv.field(number + 1)
        csv.field(stepStart: step, of: result.scenario.clock)
        if let stamp { csv.field(encoded: stamp) }
        csv.field(encoded: names[endpoint])
        let arrivals = Int64(load[endpoint].arrivals[step])
        let record = replication.backend?.records[endpoint][step]
        csv.field(count: arrivals, scale)
        if behindCDN.contains(endpoint) {
          csv.field(record.map { significant($0.origin) })
        } else {
          csv.field(count: arrivals, scale)
        }
        csv.field(count: Int64(load[endpoint].failures[step]), scale)
        if let record, limited.contains(endpoint) {
          csv.fields(ofQueue: [
            record.backlog, record.reached, record.base, record.room, record.capacity.perSecond, record.refused,
          ])
        } else {
          for _ in 0..<6 { csv.blank() }
        }
        csv.endRow()
      }
    }
  }
  return csv.bytes
}

/// The factor from simulated devices to the fleet, with the common case of a whole one kept apart for speed.
struct FleetCount {
  var scale: Scale
  /// nil when the factor is a fraction.
  var wholeFactor: Int64?

  init(_ scale: Scale) {
    self.scale = scale
    if case .whole(let factor) = scale.fleetCount(1) { wholeFactor = Int64(exactly: factor) }
  }
}

extension CSVWriter {
  /// The six fields of an endpoint with a capacity; what is unlimited is blank.
  fileprivate mutating func fields(ofQueue values: [Double]) {
    for value in values { field(value.isFinite ? significant(value) : nil) }
  }

  /// A count of the simulated devices as one of the fleet.
  mutating func field(count: Int64, _ scale: FleetCount) {
    if let factor = scale.wholeFactor, case (let product, false) = count.multipliedReportingOverflow(by: factor) {
      field(product)
    } else {
      field(scale.scale.fleetCount(Int128(count)))
    }
  }

  /// The start of a time step in seconds, exactly.
  fileprivate mutating func field(stepStart step: Int, of clock: Clock) {
    let (seconds, rest) = (Int64(step) * clock.step.milliseconds).quotientAndRemainder(dividingBy: 1_000)
    if rest == 0 { field(seconds) } else { field(Quantity(Int128(seconds * 1_000 + rest), over: 1_000)) }
  }
}
