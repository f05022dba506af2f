import DeviceModel
import Scenario
import SimulationKernel

@testable import FleetEngine

/// Random numbers for tests, the same in every run.
struct NumberSource: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state ^ state >> 29) &* 0xBF58_476D_1CE4_E5B9
  }
}

/// A value that can be filled with different numbers in the same shape.
protocol Fillable {
  /// Fills the value.
  ///
  /// - Parameter dropsRows: whether each summand has only some of the rows.
  mutating func fill(_ numbers: inout NumberSource, dropsRows: Bool)
}

extension Fillable where Self: FixedWidthInteger {
  /// Sets a number above all counts in these tests, so that it always differs.
  mutating func fill(_ numbers: inout NumberSource, dropsRows _: Bool) {
    self = .random(in: 100_000_000...200_000_000, using: &numbers)
  }
}

extension UInt32: Fillable {}
extension Int64: Fillable {}
extension Int128: Fillable {}

extension Array: Fillable where Element: Fillable {
  mutating func fill(_ numbers: inout NumberSource, dropsRows: Bool) {
    for index in indices { self[index].fill(&numbers, dropsRows: dropsRows) }
  }
}

extension InlineArray: Fillable where Element: Fillable {
  mutating func fill(_ numbers: inout NumberSource, dropsRows: Bool) {
    for index in indices { self[index].fill(&numbers, dropsRows: dropsRows) }
  }
}

extension Fillable where Self: SummedFields {
  mutating func fill(_ numbers: inout NumberSource, dropsRows: Bool) {
    var filler = Filler(root: self, numbers: numbers, dropsRows: dropsRows)
    Self.list(&filler)
    (self, numbers) = (filler.root, filler.numbers)
  }

  func filled(_ seed: Int, dropsRows: Bool = true) -> Self {
    var numbers = NumberSource(seed)
    var value = self
    value.fill(&numbers, dropsRows: dropsRows)
    return value
  }
}

extension PartialResult: Fillable {}
extension ReplicationResult: Fillable {}
extension GroupLoad: Fillable {}
extension LoadSeries: Fillable {}
extension CauseMinute: Fillable {}
extension Traffic: Fillable {}
extension GroupResult: Fillable {}
extension FollowedResult: Fillable {}
extension HourResult: Fillable {}
extension PushResult: Fillable {}
extension EventPushResult: Fillable {}
extension WaitTally: Fillable {}
extension CountHistogram: Fillable {}
extension SpanHistogram: Fillable {}
extension ShareHistogram: Fillable {}
extension DeviceTable.Row: Fillable {}
extension DeviceRow: Fillable {}
extension BatteryResult: Fillable {}
extension EnergySums: Fillable {}
extension PhoneEnergy: Fillable {}

/// A filler of every field that is summed; positions and labels stay.
private struct Filler<Root>: FieldList {
  var root: Root
  var numbers: NumberSource
  let dropsRows: Bool

  mutating func sum<Value: Summed>(_ field: WritableKeyPath<Root, Value>) {
    guard var value = root[keyPath: field] as? any Fillable else { return }
    value.fill(&numbers, dropsRows: dropsRows)
    if let value = value as? Value { root[keyPath: field] = value }
  }

  mutating func sumOpen(_ field: WritableKeyPath<Root, [Int64]>) {
    var counts = root[keyPath: field]
    if dropsRows { counts = Array(repeating: 0, count: Int.random(in: 0...5, using: &numbers)) }
    counts.fill(&numbers, dropsRows: dropsRows)
    root[keyPath: field] = counts
  }

  mutating func merge<Row: SummedRow>(_ field: WritableKeyPath<Root, [Row]>) {
    var rows: [Row] = []
    for row in root[keyPath: field] where !dropsRows || Bool.random(using: &numbers) {
      guard var filled = row as? any Fillable else { continue }
      filled.fill(&numbers, dropsRows: dropsRows)
      if let row = filled as? Row { rows.append(row) }
    }
    root[keyPath: field] = rows
  }

  func place<Number: FixedWidthInteger & BitwiseCopyable>(_ field: WritableKeyPath<Root, Number>) {}
  func place<Name: RawRepresentable<UInt8>>(_ field: WritableKeyPath<Root, Name>) {}
  func label(_ field: KeyPath<Root, Int>) {}
  func derived<Value>(_ field: WritableKeyPath<Root, Value>) {}
}
