import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine

/// Sums of results and their bytes are complete, in any order, and can be read only as they were written.
@Suite struct SummedFieldsTests {
  /// A partial result with rows, minutes, two cohorts and groups of devices.
  private static let part: PartialResult = {
    var sample = FleetSample(devices: 12)
    sample.clock = "{start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 1h, duration: 2h, step: 10min}"
    sample.kinds = "{k: {reload: {after: 15min}, requests: [{endpoint: api}]}, m: {reload: {after: 1h}}}"
    sample.widgets = "[{kind: k}, {kind: m}]"
    guard let engine = try? sample.engine() else { preconditionFailure("the scenario is sound") }
    let run = FleetRun(engine, ReplicationOrder(replication: 0), control: RunControl())
    guard case .counted(let part) = run.outcome(threads: 1) else { preconditionFailure("nothing cancels it") }
    return part
  }()

  // MARK: Completeness

  /// The fields that are equal in every partial result, the keys of rows, and values derived from the whole.
  private static let notAdded: Set = [
    "result.groups.cohort", "result.groups.kind", "groups.endpoints", "groups.steps", "groups.groups",
    "result.causeMinutes.minute", "result.causeMinutes.endpoint", "result.causeMinutes.cohort",
    "result.causeMinutes.cause", "result.devices.rows.device", "result.devices.rows.cohort",
    "result.devices.rows.kind", "result.devices.rows.zone", "result.devices.rows.phone", "result.spreads",
    "result.backend", "result.windows", "result.groups.followed.eventPushes.event",
  ]

  /// Every stored property of every result is either in its type's list or not summed.
  @Test func summedFieldListsAreComplete() {
    var part = Self.part
    for group in part.result.groups.indices {
      for hour in 0..<24 { part.result.groups[group].followed.hours[hour].balances = CountHistogram(counts: [1]) }
      var pushes = PushResult()
      pushes.shown = CountHistogram(counts: [1])
      part.result.groups[group].followed.pushes.shown = pushes.shown
      part.result.groups[group].followed.eventPushes = [EventPushResult(event: 0, pushes: pushes)]
    }
    part.result.pushes = [0]
    let filled = part.filled(1, dropsRows: false)
    #expect(Self.leavesAlike(part, filled, "") == Self.notAdded)
    let (row, other) = (part.result.devices.rows[0].counts, filled.result.devices.rows[0].counts)
    for cause in row.runs.indices { #expect(row.runs[cause] != other.runs[cause]) }
    for reason in row.waits.indices { #expect(row.waits[reason] != other.waits[reason]) }
  }

  /// Returns the names of the stored properties that are equal in two values of the same shape.
  private static func leavesAlike(_ one: Any, _ other: Any, _ name: String) -> Set<String> {
    let (children, others) = (Mirror(reflecting: one).children, Mirror(reflecting: other).children)
    guard !children.isEmpty, children.count == others.count else {
      // Tables by cause and by reason do not show their contents.
      return name.hasSuffix("._storage") || "\(one)" != "\(other)" ? [] : [name]
    }
    return zip(children, others).reduce(into: []) { names, pair in
      // Array elements have no names.
      let name = [name, pair.0.label ?? ""].filter { !$0.isEmpty }.joined(separator: ".")
      names.formUnion(leavesAlike(pair.0.value, pair.1.value, name))
    }
  }

  // MARK: Sums

  @Test(arguments: 1...20) func anyOrderGivesTheSameBytes(seed: Int) {
    let (a, b, c) = (Self.part.filled(3 * seed), Self.part.filled(3 * seed + 1), Self.part.filled(3 * seed + 2))
    #expect((a + b).bytes == (b + a).bytes)
    #expect(((a + b) + c).bytes == (a + (b + c)).bytes)
    #expect((a + b).result == (b + a).result)
    #expect((a + b).bytes != a.bytes && a.bytes != b.bytes)
  }

  @Test func sumsOfResultsAddUp() {
    let (a, b) = (Self.part.filled(1).result, Self.part.filled(2).result)
    let sum = a + b
    #expect(sum.eventCount == a.eventCount + b.eventCount)
    #expect(sum.energy.undrawn == a.energy.undrawn + b.energy.undrawn)
    #expect(
      sum.groups[1].waits[2].totalMilliseconds == a.groups[1].waits[2].totalMilliseconds
        + b.groups[1].waits[2].totalMilliseconds)
    #expect(sum.load[0].failures[3] == a.load[0].failures[3] + b.load[0].failures[3])
    #expect(Set(sum.devices.rows.map(\.device)) == Set((a.devices.rows + b.devices.rows).map(\.device)))
    for rows in [a, b, sum].map(\.devices.rows) { #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.precedes($1) }) }
    let minutes = [a, b, sum].map { $0.causeMinutes.reduce(0) { $0 + $1.traffic.bytesUp } }
    #expect(minutes[0] > 0 && minutes[2] == minutes[0] + minutes[1])
  }

  /// A sum's list of counts is as long as the longer one.
  @Test func listsOfDifferentLengthAreSummed() {
    var merged = CountHistogram(counts: [5])
    merged += CountHistogram(counts: [0, 2, 1, 0, 3])
    #expect(merged == CountHistogram(counts: [5, 2, 1, 0, 3]))
    merged += CountHistogram(counts: [1])
    #expect(merged == CountHistogram(counts: [6, 2, 1, 0, 3]))
  }

  /// Durations recorded separately and then summed equal those recorded together.
  @Test func separatelyRecordedSpansAddUp() {
    var (left, right, both) = (SpanHistogram(), SpanHistogram(), SpanHistogram())
    for index in 0..<100 as Range<Int64> {
      let span = TimeAmount.milliseconds(index * index * index)
      if index % 3 == 0 { left.record(span) } else { right.record(span) }
      both.record(span)
    }
    left += right
    #expect(left == both)
    #expect(left.total == 100)
  }

  // MARK: Bytes

  @Test(arguments: 1...10) func summedResultsRoundTrip(seed: Int) throws {
    let written = Self.part.filled(seed)
    var read = Self.part
    try read.read(written.bytes)
    #expect(read.result == written.result)
    #expect(read.bytes == written.bytes)
  }

  /// A result short enough to try every byte.
  private static let short: HourResult = {
    var short = HourResult()
    short.balances = CountHistogram(counts: [1, 2, 3])
    return short.filled(1)
  }()

  @Test func missingAndExtraBytesAreRefused() {
    let short = Self.short.bytes
    for count in 0..<short.count { refuse(Array(short[..<count]), of: HourResult(), as: .cut) }
    refuse(short + [0], of: HourResult(), as: .cut)
    let long = Self.part.filled(4).bytes
    var numbers = NumberSource(5)
    for _ in 0..<50 {
      refuse(Array(long[..<Int.random(in: 0..<long.count, using: &numbers)]), of: Self.part, as: .cut)
    }
  }

  private func refuse<Value: SummedFields>(_ bytes: [UInt8], of value: Value, as reason: ByteError) {
    var value = value
    #expect(throws: reason) { try value.read(bytes) }
  }

  @Test func resultsOfOtherShapesAreForeign() throws {
    let bytes = Self.part.bytes
    var other = Self.part
    other.result.groups[1].kind = 0
    refuse(bytes, of: other, as: .foreign)
    other = Self.part
    other.result.load.append(LoadSeries(arrivals: [], failures: []))
    refuse(bytes, of: other, as: .foreign)
    var rows = Self.part.result
    rows.devices.rows.swapAt(0, 1)
    refuse(rows.bytes, of: Self.part.result, as: .foreign)
    refuse(Self.part.result.bytes, of: Self.part, as: .cut)
  }

  /// A flipped bit is either refused or read as other numbers, with no other effect.
  @Test func flippedBitsNeverTrap() {
    let written = Self.part.filled(6)
    let bytes = written.bytes
    var numbers = NumberSource(7)
    var read = 0
    for _ in 0..<300 {
      var flipped = bytes
      flipped[Int.random(in: flipped.indices, using: &numbers)] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
      var value = Self.part
      guard (try? value.read(flipped)) != nil else { continue }
      read += 1
      #expect(value.bytes != bytes)
    }
    #expect(read > 0)
    let short = Self.short.bytes
    for bit in 0..<short.count * 8 {
      var flipped = short
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      var value = HourResult()
      if (try? value.read(flipped)) != nil { #expect(value != Self.short) }
    }
  }
}

extension SummedFields {
  fileprivate static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum += right
    return sum
  }
}

extension SpanHistogram {
  fileprivate mutating func record(_ span: TimeAmount) {
    counts[Self.bin(of: span)] += 1
    sumMilliseconds += Int128(span.milliseconds)
  }
}
