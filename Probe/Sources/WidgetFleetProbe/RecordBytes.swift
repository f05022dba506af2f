/// The 40-byte little-endian encoding of a record.
///
/// CRC-32 of the other 36 bytes, number (4), wall clock (6), boot (2), continuous clock (4), kind (1), instance (3),
/// flags (2), sequence (2), lateness (4), next (4), length (2), age of data (2).
enum RecordBytes {
  static let count = 40
  private static let checked = 4..<count

  static func encode(_ record: ProbeRecord) -> [UInt8] {
    var bytes = Array(repeating: UInt8(0), count: count)
    put(UInt64(record.number), 4, at: 4, &bytes)
    put(UInt64(bitPattern: record.wall), 6, at: 8, &bytes)
    put(UInt64(record.boot), 2, at: 14, &bytes)
    put(UInt64(record.continuous), 4, at: 16, &bytes)
    put(UInt64(record.kind), 1, at: 20, &bytes)
    put(UInt64(record.instance), 3, at: 21, &bytes)
    put(UInt64(flags(of: record)), 2, at: 24, &bytes)
    put(UInt64(record.sequence), 2, at: 26, &bytes)
    put(UInt64(UInt32(bitPattern: record.lateness ?? .min)), 4, at: 28, &bytes)
    put(UInt64(record.next ?? .max), 4, at: 32, &bytes)
    put(UInt64(record.length ?? .max), 2, at: 36, &bytes)
    put(UInt64(record.dataAge ?? .max), 2, at: 38, &bytes)
    put(UInt64(Checksum.of(bytes[checked])), 4, at: 0, &bytes)
    return bytes
  }

  /// Decodes a record; `nil` if it is torn, damaged, or contains unknown values.
  static func decode(_ bytes: ArraySlice<UInt8>) -> ProbeRecord? {
    guard bytes.count == count else { return nil }
    let first = bytes.startIndex
    guard take(4, at: first, bytes) == UInt64(Checksum.of(bytes[(first + checked.lowerBound)...])) else { return nil }
    var record = ProbeRecord(wall: Int64(take(6, at: first + 8, bytes)))
    record.number = UInt32(take(4, at: first + 4, bytes))
    record.boot = UInt16(take(2, at: first + 14, bytes))
    record.continuous = UInt32(take(4, at: first + 16, bytes))
    record.kind = UInt8(take(1, at: first + 20, bytes))
    record.instance = UInt32(take(3, at: first + 21, bytes))
    record.sequence = UInt16(take(2, at: first + 26, bytes))
    let lateness = Int32(bitPattern: UInt32(take(4, at: first + 28, bytes)))
    record.lateness = lateness == .min ? nil : lateness
    record.next = known(UInt32(take(4, at: first + 32, bytes)))
    record.length = known(UInt16(take(2, at: first + 36, bytes)))
    record.dataAge = known(UInt16(take(2, at: first + 38, bytes)))
    return read(UInt16(take(2, at: first + 24, bytes)), into: &record) ? record : nil
  }

  // MARK: Flags

  /// Returns the flags, starting at the lowest bit: event (3), outcome (2), cause or reason (3), low power, charging,
  /// locked, path (2 each).
  private static func flags(of record: ProbeRecord) -> UInt16 {
    let why = record.event == .call ? record.reason.rawValue : record.cause.rawValue
    let phone = record.phone
    return UInt16(record.event.rawValue) | UInt16(record.outcome.rawValue) << 3 | UInt16(why) << 5
      | bits(phone.isLowPower) << 8 | bits(phone.isCharging) << 10 | bits(phone.isLocked) << 12
      | UInt16(phone.path.rawValue) << 14
  }

  private static func read(_ flags: UInt16, into record: inout ProbeRecord) -> Bool {
    guard let event = ProbeRecord.Event(rawValue: UInt8(flags & 7)),
      let outcome = ProbeRecord.Outcome(rawValue: UInt8(flags >> 3 & 3)),
      let path = ProbeRecord.Path(rawValue: UInt8(flags >> 14 & 3)),
      [8, 10, 12].allSatisfy({ flags >> $0 & 3 < 3 })
    else { return false }
    let why = UInt8(flags >> 5 & 7)
    if event == .call {
      guard let reason = ProbeRecord.CallReason(rawValue: why) else { return false }
      record.reason = reason
    } else {
      guard let cause = ProbeRecord.Cause(rawValue: why) else { return false }
      record.cause = cause
    }
    (record.event, record.outcome, record.phone.path) = (event, outcome, path)
    record.phone.isLowPower = truth(flags >> 8 & 3)
    record.phone.isCharging = truth(flags >> 10 & 3)
    record.phone.isLocked = truth(flags >> 12 & 3)
    return true
  }

  private static func bits(_ truth: Bool?) -> UInt16 { truth.map { $0 ? 2 : 1 } ?? 0 }

  private static func truth(_ bits: UInt16) -> Bool? { bits == 0 ? nil : bits == 2 }

  // MARK: Numbers

  /// Returns the number, or `nil` if all bits are set, which means unknown.
  private static func known<Number: FixedWidthInteger>(_ number: Number) -> Number? { number == .max ? nil : number }

  static func put(_ value: UInt64, _ width: Int, at place: Int, _ bytes: inout [UInt8]) {
    for index in 0..<width { bytes[place + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(index))) }
  }

  static func take(_ width: Int, at place: Int, _ bytes: ArraySlice<UInt8>) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<width { value |= UInt64(bytes[place + index]) << (8 * UInt64(index)) }
    return value
  }
}

/// The CRC-32 of IEEE 802.3, as used by gzip.
enum Checksum {
  private static let table: [UInt32] = (0..<256).map { (byte: UInt32) in
    (0..<8).reduce(byte) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
  }

  static func of(_ bytes: some Collection<UInt8>) -> UInt32 {
    var sum = ~UInt32(0)
    for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 255)] ^ (sum >> 8) }
    return ~sum
  }
}

/// A hash that is the same in every run, unlike Swift's own.
enum SteadyHash {
  /// Returns the FNV-1a hash of the texts, each followed by a byte that no text contains, with Murmur's final mixing.
  static func of(_ parts: [String], salt: UInt64) -> UInt64 {
    var hash = 0xCBF2_9CE4_8422_2325 ^ salt
    for part in parts {
      for byte in Array(part.utf8) + [0xFF] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    return mixed(hash)
  }

  static func mixed(_ value: UInt64) -> UInt64 {
    var hash = value
    hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
    hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return hash ^ hash >> 33
  }
}
