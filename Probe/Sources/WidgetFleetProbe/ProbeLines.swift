import Foundation

/// A formatter of records as JSON lines: objects with their keys in alphabetical order, omitting unknown values.
enum ProbeLines {
  /// A record as exported from the phone, with times in milliseconds since 1970.
  private struct Line: Codable {
    var version = RingContent.version
    /// A pseudonym of the installation.
    var phone: String
    var number: UInt32
    var event: String
    var at: Int64
    var uptime: UInt32
    var boot: UInt16?
    var kind: String?
    var widget: String?
    var sequence: UInt16?
    var due: Int64?
    var next: Int64?
    var end: Int64?
    var previousEnd: Int64?
    var outcome: String?
    var cause: String?
    var dataAgeMinutes: UInt16?
    var locked: Bool?
    var lowPower: Bool?
    var charging: Bool?
    var path: String?
  }

  static func text(of content: RingContent) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let phone = String(SteadyHash.mixed(content.salt), radix: 16)
    let kinds = content.kinds
    var last: [UInt32: ProbeRecord] = [:]
    var text = ""
    for record in content.records {
      var line = line(record, phone: phone, kinds: kinds)
      if record.event == .run {
        let previous = last.updateValue(record, forKey: record.instance)
        if let previous, previous.sequence &+ 1 == record.sequence { line.previousEnd = previous.end }
      }
      guard let bytes = try? encoder.encode(line) else { continue }
      text += String(decoding: bytes, as: UTF8.self) + "\n"
    }
    return text
  }

  private static func line(_ record: ProbeRecord, phone: String, kinds: [String?]) -> Line {
    var line = Line(
      phone: phone, number: record.number, event: String(describing: record.event), at: record.wall,
      uptime: record.continuous)
    line.boot = record.boot == 0 ? nil : record.boot
    line.kind = Int(record.kind) < kinds.count ? kinds[Int(record.kind)] : nil
    line.locked = record.phone.isLocked
    line.lowPower = record.phone.isLowPower
    line.charging = record.phone.isCharging
    line.path = record.phone.path == .unknown ? nil : String(describing: record.phone.path)
    if record.event == .call { line.cause = String(describing: record.reason) }
    guard record.event == .run else { return line }
    line.widget = String(record.instance, radix: 16)
    line.sequence = record.sequence
    line.due = record.due
    line.next = record.nextDue
    line.end = record.end
    line.outcome = String(describing: record.outcome)
    line.cause = String(describing: record.cause)
    line.dataAgeMinutes = record.dataAge
    return line
  }
}
