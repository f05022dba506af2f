import Foundation

@testable import WidgetFleetProbe

/// A ring in its own folder, with clocks controlled by the test.
final class Sample {
  let folder: URL
  var file: RingFile
  private let time = Counter(1_000_000)

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("probe-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    file = RingFile(path: folder.appendingPathComponent("ring").path, tries: 10_000)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var recorder: Recorder {
    let time = time
    // The phone was booted 990 s after the start of 1970.
    return Recorder(file: file, clocks: Clocks(wall: { time.value }, continuous: { time.value - 990_000 }, boot: 7))
  }

  func wait(seconds: Double) { time.add(Int64(seconds * 1_000)) }

  /// Records a half-second run that requests the next one.
  @discardableResult
  func run(
    _ kind: String = "weather", next seconds: Double? = nil, due: Int64? = nil,
    _ outcome: ProbeRecord.Outcome = .network
  ) throws -> ProbeRecord {
    let begun = try recorder.begin(Self.widget(kind), due: due)
    wait(seconds: 0.5)
    let now = time.value
    try recorder.end(begun, .init(outcome: outcome, next: seconds.map { now + Int64($0 * 1_000) }, dataTime: now))
    return begun
  }

  /// Truncates writes after a number of bytes.
  func breakWrites(after count: Int) {
    file.write = { file, bytes, offset in pwrite(file, bytes.baseAddress, min(bytes.count, count), off_t(offset)) }
  }

  func mendWrites() { file.write = RingFile(path: "").write }

  static func widget(_ kind: String, _ family: String = "systemSmall") -> Recorder.Widget {
    Recorder.Widget(kind: kind, family: family, configuration: "")
  }

  var records: [ProbeRecord] { get throws { try recorder.content().records } }
  var bytes: [UInt8] { get throws { try [UInt8](Data(contentsOf: URL(fileURLWithPath: file.path))) } }

  func overwrite(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: file.path)) }
}

/// A number that several threads may change.
///
/// Unchecked Sendable: all access to it holds its lock.
final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var current: Int64

  init(_ value: Int64) { current = value }

  var value: Int64 { lock.withLock { current } }
  func add(_ number: Int64) { lock.withLock { current += number } }
}

/// A reproducible random number generator (SplitMix64 by Steele, Lea, Flood 2014).
struct Numbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }

  /// Returns a random record that the format allows.
  mutating func record() -> ProbeRecord {
    var record = ProbeRecord(wall: Int64.random(in: 0..<1 << 48, using: &self))
    record.number = .random(in: 1 ... .max, using: &self)
    record.continuous = .random(in: 0 ... .max, using: &self)
    record.boot = .random(in: 0 ... .max, using: &self)
    record.kind = .random(in: 0 ... .max, using: &self)
    record.instance = .random(in: 0...0xFF_FFFF, using: &self)
    record.sequence = .random(in: 0 ... .max, using: &self)
    record.lateness = Bool.random(using: &self) ? .random(in: (.min + 1) ... .max, using: &self) : nil
    record.next = Bool.random(using: &self) ? .random(in: 0 ..< .max, using: &self) : nil
    record.length = Bool.random(using: &self) ? .random(in: 0 ..< .max, using: &self) : nil
    record.dataAge = Bool.random(using: &self) ? .random(in: 0 ..< .max, using: &self) : nil
    record.event = ProbeRecord.Event.allCases.randomElement(using: &self) ?? .run
    record.outcome = ProbeRecord.Outcome.allCases.randomElement(using: &self) ?? .error
    if record.event == .call {
      record.reason = ProbeRecord.CallReason.allCases.randomElement(using: &self) ?? .changed
    } else {
      record.cause = ProbeRecord.Cause.allCases.randomElement(using: &self) ?? .tap
    }
    let truths: [Bool?] = [nil, false, true]
    record.phone.isLowPower = truths[Int.random(in: 0..<3, using: &self)]
    record.phone.isCharging = truths[Int.random(in: 0..<3, using: &self)]
    record.phone.isLocked = truths[Int.random(in: 0..<3, using: &self)]
    record.phone.path = ProbeRecord.Path.allCases.randomElement(using: &self) ?? .wifi
    return record
  }
}
