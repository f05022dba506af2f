import FleetEngine
import FleetReports
import Platform

/// The report: a table for users, JSON for machines.
struct BenchReport {
  var measurements: [BenchMeasurement]
  var threads: Int
  var isQuick: Bool

  var ratios: [BenchRatio] { BenchRatio.all(of: measurements) }

  // MARK: For people

  var table: String {
    let footprint = Engine.footprint
    let rows = [Self.header] + measurements.map(Self.row)
    let lines = Self.aligned(rows)
    let memory = "Memory while simulated: \(footprint.device) bytes per device, \(footprint.instance) per instance"
    let ratioLines = ratios.map(Self.line)
    let ending = ratioLines.isEmpty ? [] : ["", "Ratios; ! misses its aim"] + ratioLines
    return (lines + ["", memory] + ending).joined(separator: "\n") + "\n"
  }

  private static let header = [
    "workload", "devices", "threads", "device-days/s", "M events/CPU s", "CPU s", "s", "runs",
  ]

  private static func row(_ one: BenchMeasurement) -> [String] {
    [
      one.benchCase.workload.rawValue + mark(one.benchCase), String(one.benchCase.devices),
      String(one.benchCase.threads), fixed(one.deviceDaysPerSecond, 0), fixed(one.eventsPerProcessorSecond / 1e6, 2),
      fixed(one.processor, 3), fixed(one.wall, 3), String(one.repetitions),
    ]
  }

  private static func mark(_ one: BenchCase) -> String { one.hasLimits ? one.keepsEnergy ? "" : " bare" : " calm" }

  private static func line(_ ratio: BenchRatio) -> String {
    let unit = ratio.unit.isEmpty ? "" : " " + ratio.unit
    let aim = ratio.aim.map { ", aim \(fixed($0, 2))" } ?? ""
    let mark = ratio.isMet ? " " : "!"
    return "\(mark) \(fixed(ratio.value, 3))\(unit)  \(ratio.name)\(aim)"
  }

  /// Aligns the first column to the left and numbers to the right.
  private static func aligned(_ rows: [[String]]) -> [String] {
    let widths = header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.indices.map { column in
        let blanks = String(repeating: " ", count: widths[column] - row[column].count)
        return column == 0 ? row[column] + blanks : blanks + row[column]
      }.joined(separator: "  ")
    }
  }

  /// Formats non-negative values below 10^12.
  static func fixed(_ value: Double, _ decimals: Int) -> String {
    let power = (0..<decimals).reduce(1) { power, _ in power * 10 }
    let scaled = Int((value * Double(power)).rounded())
    guard decimals > 0 else { return String(scaled) }
    let fraction = String(scaled % power)
    return "\(scaled / power)." + String(repeating: "0", count: decimals - fraction.count) + fraction
  }

  // MARK: For machines

  var json: [UInt8] {
    let footprint = Engine.footprint
    return JSONValue.object([
      ("schema", .string("widgetfleet.bench/v1")), ("processors", Self.integer(Machine.usableProcessors)),
      ("threads", Self.integer(threads)), ("quick", .boolean(isQuick)),
      ("bytes_per_device", Self.integer(footprint.device)), ("bytes_per_instance", Self.integer(footprint.instance)),
      ("measurements", .array(measurements.map(Self.value))), ("ratios", .array(ratios.map(Self.value))),
    ]).bytes(lines: 2)
  }

  private static func integer(_ value: Int) -> JSONValue { .integer(Int128(value)) }

  private static func value(_ one: BenchMeasurement) -> JSONValue {
    .object([
      ("workload", .string(one.benchCase.workload.rawValue)), ("limits", .boolean(one.benchCase.hasLimits)),
      ("energy", .boolean(one.benchCase.keepsEnergy)),
      ("devices", integer(one.benchCase.devices)), ("days", .number(one.days)),
      ("threads", integer(one.benchCase.threads)), ("events", integer(one.counts.events)),
      ("widget_runs", integer(one.counts.runs)), ("repetitions", integer(one.repetitions)),
      ("cpu_s", .number(one.processor)), ("wall_s", .number(one.wall)),
      ("device_days_per_s", .number(one.deviceDaysPerSecond)),
      ("events_per_cpu_s", .number(one.eventsPerProcessorSecond)),
    ])
  }

  private static func value(_ ratio: BenchRatio) -> JSONValue {
    .object([
      ("name", .string(ratio.name)), ("value", .number(ratio.value)),
      ("unit", ratio.unit.isEmpty ? .null : .string(ratio.unit)), ("at_most", JSONValue(ratio.aim)),
      ("met", ratio.aim == nil ? .null : .boolean(ratio.isMet)),
    ])
  }
}
