package import DeviceModel
package import Scenario
import SimulationKernel

/// The rows of devices.csv, one per device and kind, sorted by device number and then by kind.
///
/// Each rank has the rows of its own devices. Rank 0 merges the rows of all ranks in this order.
package struct DeviceTable: Equatable, Sendable {
  /// The counts of one device and kind, stored in 128 bytes.
  package struct Row: BitwiseCopyable, Sendable {
    /// The counts of the row, stored first so that no field needs padding.
    package var counts = DeviceRow()
    /// The fleet-wide number of the device.
    package var device: UInt32 = 0
    /// The indices of the cohort and of the kind within the scenario.
    package var cohort: UInt16 = 0
    package var kind: UInt16 = 0
    /// The indices of the time zone and of the phone model within the cohort's lists.
    package var zone: UInt16 = 0
    package var phone: UInt16 = 0

    package init() {}
  }

  /// The leading columns of devices.csv; the runs by `Cause` and the waits by `WaitReason` follow them.
  package enum Column: Int, CaseIterable, Sendable {
    case device, cohort, kind, zone, phone, instances, charged, requests, failures, bytesUp, bytesDown, cacheHits,
      views, staleViews, nanojoules
  }

  package var rows: [Row]

  package init(rows: [Row] = []) { self.rows = rows }

  package var rowCount: Int { rows.count }

  package subscript(row: Int, column: Column) -> Int64 { rows[row][column] }
  package subscript(row: Int, runs cause: Cause) -> Int64 { Int64(rows[row].counts.runs[Int(cause.rawValue)]) }
  package subscript(row: Int, waits reason: WaitReason) -> Int64 { Int64(rows[row].counts.waits[Int(reason.rawValue)]) }
}

extension DeviceTable.Row: SummedRow {
  package static func list(_ fields: inout some FieldList<DeviceTable.Row>) {
    fields.place(\.device)
    fields.place(\.kind)
    fields.place(\.cohort)
    fields.place(\.zone)
    fields.place(\.phone)
    fields.sum(\.counts)
  }

  package static var blank: DeviceTable.Row { DeviceTable.Row() }

  package func precedes(_ other: DeviceTable.Row) -> Bool { (device, kind) < (other.device, other.kind) }

  // The memory of the rows is copied directly because there are many rows. It contains no padding.
  package static func write(_ rows: ArraySlice<DeviceTable.Row>, to bytes: inout ByteWriter) {
    bytes.write(memoryOf: rows)
  }

  package static func rows(_ count: Int, from bytes: inout ByteReader) -> [DeviceTable.Row] {
    bytes.values(count, like: blank)
  }

  package static var minBytes: Int { MemoryLayout<DeviceTable.Row>.stride }
}

extension DeviceRow: SummedFields {
  package static func list(_ fields: inout some FieldList<DeviceRow>) {
    fields.sum(\.requests)
    fields.sum(\.failures)
    fields.sum(\.bytesUp)
    fields.sum(\.bytesDown)
    fields.sum(\.nanojoules)
    fields.sum(\.charged)
    fields.sum(\.runs)
    fields.sum(\.instances)
    fields.sum(\.cacheHits)
    fields.sum(\.views)
    fields.sum(\.staleViews)
    fields.sum(\.waits)
  }
}

extension DeviceTable.Row: Equatable {
  package subscript(column: DeviceTable.Column) -> Int64 {
    switch column {
    case .device: Int64(device)
    case .cohort: Int64(cohort)
    case .kind: Int64(kind)
    case .zone: Int64(zone)
    case .phone: Int64(phone)
    case .instances: Int64(counts.instances)
    case .charged: Int64(counts.charged)
    case .requests: Int64(counts.requests)
    case .failures: Int64(counts.failures)
    case .bytesUp: counts.bytesUp
    case .bytesDown: counts.bytesDown
    case .cacheHits: Int64(counts.cacheHits)
    case .views: Int64(counts.views)
    case .staleViews: Int64(counts.staleViews)
    case .nanojoules: counts.nanojoules
    }
  }

  package static func == (left: Self, right: Self) -> Bool {
    DeviceTable.Column.allCases.allSatisfy { left[$0] == right[$0] }
      && left.counts.runs.indices.allSatisfy { left.counts.runs[$0] == right.counts.runs[$0] }
      && left.counts.waits.indices.allSatisfy { left.counts.waits[$0] == right.counts.waits[$0] }
  }
}

/// A list of rows that threads deliver in numbered parts, which are joined in numerical order.
struct RowAssembly {
  private(set) var rows: [DeviceTable.Row] = []
  /// The parts that have arrived before a lower-numbered part.
  private var waiting: [Int: [DeviceTable.Row]] = [:]
  private var next = 0

  /// - Parameter count: the expected number of rows; memory for them is reserved, but not touched until they arrive.
  init(expecting count: Int) { rows.reserveCapacity(count) }

  /// The rows that have arrived so far, in order.
  var all: [DeviceTable.Row] { waiting.keys.sorted().reduce(rows) { $0 + (waiting[$1] ?? []) } }

  /// Adds a part; each part has a unique number.
  mutating func add(_ part: [DeviceTable.Row], number: Int) {
    guard number == next else {
      waiting[number] = part
      return
    }
    rows += part
    next += 1
    while let part = waiting.removeValue(forKey: next) {
      rows += part
      next += 1
    }
  }
}

extension DeviceSimulator {
  /// Appends the current device's rows of devices.csv, one for each of its kinds.
  mutating func appendRows(to table: inout [DeviceTable.Row], device: Int, cohort: Int) {
    let (zone, phone) = choices
    var row = DeviceTable.Row()
    row.device = UInt32(truncatingIfNeeded: device)
    row.cohort = UInt16(truncatingIfNeeded: cohort)
    row.zone = UInt16(truncatingIfNeeded: zone)
    row.phone = UInt16(truncatingIfNeeded: phone)
    let rows = rows
    for kind in rows.indices {
      row.counts = rows[kind]
      guard row.counts.instances > 0 || row.counts.requests > 0 || row.counts.failures > 0 else { continue }
      row.kind = UInt16(truncatingIfNeeded: kind)
      table.append(row)
    }
  }
}

/// The selection of devices that have rows in devices.csv.
package enum RowSelection: Hashable, Sendable {
  case all
  case sample(RowSample)
  /// No device, because the rows are not needed.
  case none

  /// Creates the selection specified by a scenario.
  init(of scenario: Scenario, devices: Int) {
    guard let count = scenario.run.rowSample(of: devices) else {
      self = .all
      return
    }
    self = count == 0 ? .none : .sample(RowSample(of: devices, count: count, seed: scenario.run.seed))
  }
}

/// A systematic sample of a fleet's devices, with one device from each of several ranges of equal size (MODEL.md 8.2).
package struct RowSample: Hashable, Sendable {
  private let devices: Int
  /// The number of devices in the sample, from 1 to one less than the size of the fleet.
  let count: Int
  private let seed: UInt64
  /// The distance from the start of the first range to the first sampled device.
  let shift: Int

  init(of devices: Int, count: Int, seed: UInt64) {
    self.devices = devices
    self.count = count
    self.seed = seed
    shift = Self.drawn(DeviceStream(seed: seed, device: 0, replication: 0).rowSampleDraw(part: 1), of: devices)
  }

  func contains(_ device: Int) -> Bool {
    // Both the position and the range are below 10^9, so their product is below 10^18.
    let shifted = device + shift
    let place = shifted < devices ? shifted : shifted - devices
    let range = ((place + 1) * count - 1) / devices
    let first = range * devices / count
    let size = (range + 1) * devices / count - first
    let stream = DeviceStream(seed: seed, device: UInt32(truncatingIfNeeded: range), replication: 0)
    return place == first + Self.drawn(stream.rowSampleDraw(), of: size)
  }

  /// Returns a number from 0 to `size` - 1.
  private static func drawn(_ uniform: UInt64, of size: Int) -> Int {
    Int(truncatingIfNeeded: uniform.multipliedFullWidth(by: UInt64(size)).high)
  }
}

extension Engine {
  /// A copy of this engine that stores no rows, for runs that do not write devices.csv.
  package var withoutRows: Engine {
    var engine = self
    engine.rowSelection = .none
    return engine
  }

  /// A copy of this engine that does not follow phones, for runs that do not report how widgets spend their time.
  ///
  /// All other results are unchanged.
  package var withoutFollowing: Engine {
    var engine = self
    engine.plan = plan.withoutFollowing
    return engine
  }

  func keepsRow(of device: Int) -> Bool {
    switch rowSelection {
    case .all: true
    case .sample(let sample): sample.contains(device)
    case .none: false
    }
  }

  var devicesWithRows: Int {
    switch rowSelection {
    case .all: devicesTotal
    case .sample(let sample): sample.count
    case .none: 0
    }
  }

  /// The expected number of rows in devices.csv.
  ///
  /// The estimate is too low if devices request a kind for which they have no widget, and too high if some devices have
  /// no widgets.
  var expectedRows: Int {
    let all = zip(scenario.fleet.cohorts, cohortSizes).reduce(0.0) { sum, part in
      let kinds = Set(part.0.widgets.flatMap { $0.members.map(\.kind) })
      return sum + Double(part.1) * Double(kinds.count)
    }
    return Int(all * Double(devicesWithRows) / Double(max(devicesTotal, 1)))
  }
}
