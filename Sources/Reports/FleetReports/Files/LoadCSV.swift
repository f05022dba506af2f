import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// Returns the content of load.csv, which has one row per replication, time step and endpoint. Counts are scaled to the
/// fleet.
///
/// Behind a CDN, only cache misses reach the origin. The backlog includes requests from devices and from the base load,
/// and is blank if requests never wait for capacity. The next two columns count the requests from devices and from the
/// base load that reached the queue. They are followed by the maximum number that could be served (blank if unlimited),
/// the capacity, and the requests refused by a full queue.
///
/// - Parameter timestamps: whether each row also contains its time in ISO 8601 format.
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
    // Indexed loops are used for speed, because there is one row for each endpoint and each second of a day.
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

/// The factor that scales counts of simulated devices to the fleet. Whole factors, which are common, are handled
/// separately for speed.
struct FleetCount {
  var scale: Scale
  /// The factor as a whole number; `nil` if it is a fraction.
  var wholeFactor: Int64?

  init(_ scale: Scale) {
    self.scale = scale
    if case .whole(let factor) = scale.fleetCount(1) { wholeFactor = Int64(exactly: factor) }
  }
}

extension CSVWriter {
  /// Writes the six fields of an endpoint with a capacity. Infinite values are left blank.
  fileprivate mutating func fields(ofQueue values: [Double]) {
    for value in values { field(value.isFinite ? significant(value) : nil) }
  }

  /// Writes a count of simulated devices after scaling it to the fleet.
  mutating func field(count: Int64, _ scale: FleetCount) {
    if let factor = scale.wholeFactor, case (let product, false) = count.multipliedReportingOverflow(by: factor) {
      field(product)
    } else {
      field(scale.scale.fleetCount(Int128(count)))
    }
  }

  /// Writes the exact start of a time step in seconds.
  fileprivate mutating func field(stepStart step: Int, of clock: Clock) {
    let (seconds, rest) = (Int64(step) * clock.step.milliseconds).quotientAndRemainder(dividingBy: 1_000)
    if rest == 0 { field(seconds) } else { field(Quantity(Int128(seconds * 1_000 + rest), over: 1_000)) }
  }
}

/// Returns the content of causes.csv, scaled to the fleet. It has one row for each combination of replication, minute,
/// endpoint, cohort and cause with at least one arrival.
///
/// Arrivals from second or later attempts within a run count as retries.
///
/// - Parameter timestamps: whether each row also contains its time in ISO 8601 format.
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

/// The times of rows in ISO 8601 format (UTC). If any row needs milliseconds, all rows include them so that readers can
/// detect the type.
struct RowStamp {
  private let clock: Clock
  private let span: TimeAmount
  private let hasMilliseconds: Bool

  init(_ clock: Clock, every span: TimeAmount) {
    (self.clock, self.span) = (clock, span)
    hasMilliseconds = span.milliseconds % 1_000 != 0 || clock.startUnixMilliseconds % 1_000 != 0
  }

  /// Returns the start of a step or minute, such as `2027-01-18T09:30:00Z`.
  func text(_ index: Int) -> [UInt8] {
    let instant = Instant.start + span * Int64(index)
    let time = UTCTime(instant, of: clock)
    let milliseconds = (clock.startUnixMilliseconds + instant.millisecondsSinceStart).remainder(of: 1_000)
    let fraction = hasMilliseconds ? "." + String(String(1_000 + milliseconds).dropFirst()) : ""
    return Array((time.date + "T" + time.time + fraction + "Z").utf8)
  }
}

extension [String] {
  /// Returns these columns. If `isPresent` is true, a time column is inserted after the given column.
  func withTime(_ isPresent: Bool, after column: String) -> [String] {
    flatMap { isPresent && $0 == column ? [$0, "time"] : [$0] }
  }
}

extension Int64 {
  /// Returns the remainder of a floor division.
  fileprivate func remainder(of divisor: Int64) -> Int64 { self - floorDivided(by: divisor) * divisor }
}
