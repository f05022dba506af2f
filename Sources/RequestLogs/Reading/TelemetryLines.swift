package import RequestStatistics

/// The lines that WidgetFleetProbe writes for consenting testers: an object of JSON in each, without objects in it.
package struct TelemetryLines: Sendable {
  /// In order of phones, of each in order of time; what several exports of a phone have in common stands here once.
  package let records: [TelemetryRecord]
  /// Lines that are not empty.
  package let lines: Int
  /// Lines that are no records of a version that is known.
  package let rejected: Int

  /// Another version may mean something else by the same words.
  private static let version: Int64 = 1

  package init(_ bytes: [UInt8]) {
    var (lines, rejected) = (0, 0)
    var found: [Key: TelemetryRecord] = [:]
    for line in bytes.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
      lines += 1
      guard let members = FlatObject.members(of: line), let record = Self.record(members) else {
        rejected += 1
        continue
      }
      let key = Key(phone: record.phone, number: record.number)
      // A later export may have the end of a run that had just begun.
      if found[key]?.end == nil { found[key] = record }
    }
    (self.lines, self.rejected) = (lines, rejected)
    records = found.values.sorted { ($0.phone, $0.at, $0.number) < ($1.phone, $1.at, $1.number) }
  }

  private struct Key: Hashable {
    var phone: UInt64
    var number: Int64
  }

  private static func record(_ members: [String: FlatObject.Value]) -> TelemetryRecord? {
    guard members["version"]?.number == version, let phone = members["phone"]?.text, !phone.isEmpty,
      let number = members["number"]?.number, let at = members["at"]?.number, times.contains(at),
      let event = members["event"]?.text.flatMap(TelemetryRecord.Event.init)
    else { return nil }
    var record = TelemetryRecord(phone: hash([phone]), number: number, event: event, at: at)
    record.kind = members["kind"]?.text ?? ""
    record.isLocked = members["locked"]?.truth
    record.isOffline = members["path"]?.text.map { $0 == "none" }
    guard event == .run else { return record }
    guard let widget = members["widget"]?.text, let sequence = members["sequence"]?.number,
      let outcome = members["outcome"]?.text.flatMap(TelemetryRecord.Outcome.init),
      let cause = members["cause"]?.text.flatMap(TelemetryRecord.Cause.init)
    else { return nil }
    record.widget = max(hash([phone, widget]), 1)
    (record.sequence, record.outcome, record.cause) = (sequence, outcome, cause)
    record.due = members["due"]?.number
    record.next = members["next"]?.number
    record.end = members["end"]?.number
    let isPossible = [record.due, record.next, record.end].allSatisfy { $0.map(times.contains) ?? true }
    return isPossible && record.end ?? at >= at ? record : nil
  }

  /// Milliseconds since 1970 up to the year 2100: with others sums would overflow.
  private static let times: Range<Int64> = 0..<4_102_444_800_000

  /// FNV-1a, each part ended by a byte that no text has: the same for any order of lines.
  private static func hash(_ parts: [String]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for part in parts {
      for byte in Array(part.utf8) + [0xFF] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    return hash
  }
}
