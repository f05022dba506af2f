/// The bytes of a ring file: a 64-byte header, a list of 23 kinds of 64 bytes each, and 1 600 records of 40 bytes each.
///
/// The header consists of the magic word (8), the version (2), zeros (2), a CRC-32 of its other 60 bytes (4), the salt
/// (8), and zeros. A kind consists of the length of its name (1), the name (59), and a CRC-32 of both (4). Record n is
/// in slot (n - 1) % 1 600.
struct RingContent {
  static let byteCount = 65_536
  static let capacity = 1_600
  static let version: UInt16 = 1
  private static let magic = Array("WFPROBE\n".utf8)
  static let headerCount = 64
  private static let kindWidth = 64
  private static let longestName = 59
  static let maxKinds = 23
  private static let firstRecord = headerCount + maxKinds * kindWidth

  let bytes: [UInt8]
  private let numbers: [UInt32]

  /// The type of a file, determined by its first bytes.
  enum State { case ours, newer, other }

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    numbers = bytes.count == Self.byteCount ? Self.numbers(bytes) : []
  }

  /// Creates an empty ring.
  init(salt: UInt64) {
    var bytes = Array(repeating: UInt8(0), count: Self.byteCount)
    bytes.replaceSubrange(0..<8, with: Self.magic)
    RecordBytes.put(UInt64(Self.version), 2, at: 8, &bytes)
    RecordBytes.put(salt, 8, at: 16, &bytes)
    RecordBytes.put(UInt64(Self.headerSum(bytes)), 4, at: 12, &bytes)
    self.init(bytes)
  }

  private static func headerSum(_ bytes: [UInt8]) -> UInt32 { Checksum.of(bytes[..<12] + bytes[16..<headerCount]) }

  var state: State {
    guard bytes.count >= Self.headerCount, Array(bytes[..<8]) == Self.magic,
      RecordBytes.take(4, at: 12, bytes[...]) == UInt64(Self.headerSum(bytes))
    else { return .other }
    let version = RecordBytes.take(2, at: 8, bytes[...])
    if version > UInt64(Self.version) { return .newer }
    return version == UInt64(Self.version) && bytes.count == Self.byteCount ? .ours : .other
  }

  /// A random number generated when the file was created, different in every installation.
  var salt: UInt64 { RecordBytes.take(8, at: 16, bytes[...]) }

  // MARK: Kinds

  /// The names of kinds by slot; `nil` for a free or damaged slot.
  var kinds: [String?] { (0..<Self.maxKinds).map(kind) }

  private func kind(_ index: Int) -> String? {
    let place = Self.kindPlace(index)
    let length = Int(bytes[place])
    guard length > 0, length <= Self.longestName,
      RecordBytes.take(4, at: place + 60, bytes[...]) == UInt64(Checksum.of(bytes[place..<place + 60]))
    else { return nil }
    return String(decoding: bytes[place + 1..<place + 1 + length], as: UTF8.self)
  }

  private static func kindPlace(_ index: Int) -> Int { headerCount + index * kindWidth }

  /// Returns the slot for a kind, and the bytes to write there if it is new; `nil` if all slots are taken.
  func place(ofKind name: String) -> (index: UInt8, new: (bytes: [UInt8], offset: Int)?)? {
    let kept = Self.kept(name)
    let kinds = kinds
    if let known = kinds.firstIndex(of: kept) { return (UInt8(known), nil) }
    guard let free = kinds.firstIndex(of: nil) else { return nil }
    var entry = Array(repeating: UInt8(0), count: Self.kindWidth)
    entry[0] = UInt8(kept.utf8.count)
    entry.replaceSubrange(1..<1 + kept.utf8.count, with: kept.utf8)
    RecordBytes.put(UInt64(Checksum.of(entry[..<60])), 4, at: 60, &entry)
    return (UInt8(free), (entry, Self.kindPlace(free)))
  }

  /// Returns a name as stored in the list: the end of an overlong name is replaced by a hash.
  private static func kept(_ name: String) -> String {
    guard name.utf8.count > longestName else { return name.isEmpty ? "-" : name }
    let hash = String(SteadyHash.of([name], salt: 0), radix: 16)
    var head = name
    while head.utf8.count > longestName - 17 { head.removeLast() }
    return head + "~" + hash
  }

  // MARK: Records

  static func offset(ofRecord number: UInt32) -> Int {
    firstRecord + Int((number &- 1) % UInt32(capacity)) * RecordBytes.count
  }

  private func slot(_ index: Int) -> ArraySlice<UInt8> {
    let first = Self.firstRecord + index * RecordBytes.count
    return bytes[first..<first + RecordBytes.count]
  }

  /// Returns the record in a slot; `nil` if the slot is empty, damaged, or contains a record that belongs to another
  /// slot.
  private func record(_ index: Int) -> ProbeRecord? {
    numbers[index] > 0 ? RecordBytes.decode(slot(index)) : nil
  }

  /// Returns the unverified record number of each slot; 0 if there is none that belongs there.
  private static func numbers(_ bytes: [UInt8]) -> [UInt32] {
    bytes.withUnsafeBytes { bytes in
      var numbers: [UInt32] = []
      numbers.reserveCapacity(capacity)
      var (place, slot) = (firstRecord + 4, UInt32(0))
      while slot < capacity {
        let number = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
        numbers.append(number > 0 && (number &- 1) % UInt32(capacity) == slot ? number : 0)
        place += RecordBytes.count
        slot += 1
      }
      return numbers
    }
  }

  /// The records, oldest first.
  var records: [ProbeRecord] { newestFirst.reversed() }

  /// The records, newest first, decoded on demand.
  var newestFirst: some Sequence<ProbeRecord> {
    // Each record is in the slot before the next record's.
    let start = newestSlot ?? 0
    return (start + 1..<start + 1 + Self.capacity).reversed().lazy.compactMap { record($0 % Self.capacity) }
  }

  /// The slot of the newest record; `nil` if there is none. Remains of a failed write may contain any number.
  private var newestSlot: Int? {
    var bound = UInt32.max
    while true {
      var best: (number: UInt32, slot: Int) = (0, 0)
      for slot in 0..<Self.capacity where numbers[slot] > best.number && numbers[slot] < bound {
        best = (numbers[slot], slot)
      }
      guard best.number > 0 else { return nil }
      if record(best.slot) != nil { return best.slot }
      bound = best.number
    }
  }
}
