/// A time zone that phones may be in.
package struct ZoneClock: Sendable {
  package let name: String
  /// Milliseconds that its clocks are ahead of UTC at an instant.
  package let offset: @Sendable (Int64) -> Int64

  package init(_ name: String, offset: @escaping @Sendable (Int64) -> Int64) {
    self.name = name
    self.offset = offset
  }
}

/// Offsets of some zones over the hours of a log, looked up once.
struct LocalClocks: Sendable {
  let names: [String]
  private let begin: Int64
  /// By zone and quarter of an hour.
  private let offsets: [[Int64]]

  /// Zones shift their clocks at whole quarters of an hour.
  private static let step: Int64 = 900_000

  init(_ clocks: [ZoneClock], over span: Range<Int64>) {
    let clocks = clocks.isEmpty ? [ZoneClock("UTC") { _ in 0 }] : clocks
    let first = span.lowerBound / Self.step
    let last = span.upperBound / Self.step
    names = clocks.map(\.name)
    begin = first
    offsets = clocks.map { clock in (first...last).map { clock.offset($0 * Self.step) } }
  }

  var count: Int { names.count }

  /// Milliseconds since 1970 as the zone's clocks show them.
  func local(_ time: Int64, zone: Int) -> Int64 {
    let place = min(max(Int(time / Self.step - begin), 0), offsets[zone].count - 1)
    return time + offsets[zone][place]
  }

  /// The local hour, 0 to 23.
  func hour(_ time: Int64, zone: Int) -> Int { Int(local(time, zone: zone) / 3_600_000 % 24) }

  /// For each zone the first one whose clocks show the same time all through the log.
  var twins: [Int] { offsets.map { own in offsets.firstIndex { $0 == own } ?? 0 } }
}
