import Dispatch
import Foundation
import Testing

@testable import WidgetFleetProbe

@Suite struct RingTests {
  @Test func theFileHasItsFinalSizeFromTheBeginning() throws {
    let sample = try Sample()
    try sample.run()
    #expect(try sample.bytes.count == 65_536)
    for _ in 0..<20 { try sample.run() }
    #expect(try sample.bytes.count == 65_536)
    #expect(try sample.records.map(\.number) == Array(1...21))
  }

  @Test func theOldestRecordsAreWrittenOver() throws {
    let sample = try Sample()
    for _ in 0..<1_600 + 37 { try sample.recorder.note(.tap) }
    #expect(try sample.records.map(\.number) == Array(38...1_637))
  }

  /// A process killed in the middle of a write leaves the first bytes of the new record and the last of the old one.
  ///
  /// Their last eight bytes are equal if the old record is a tap, so only 32 bytes matter.
  @Test(arguments: [(before: 1, whole: 40), (before: 1_600, whole: 32)])
  func aTornWriteIsTheOldRecordOrNone(before: Int, whole: Int) throws {
    let sample = try Sample()
    for _ in 0..<before { try sample.recorder.note(.tap, kind: "weather") }
    let expected = try sample.records
    let old = try sample.bytes
    for count in 1..<40 {
      try sample.overwrite(old)
      sample.breakWrites(after: count)
      #expect(throws: ProbeProblem.cannotWrite(ENOSPC)) { try sample.run(due: 999_999) }
      sample.mendWrites()
      // The torn slot contained the oldest record of a full ring.
      let left = try sample.records
      let isWhole = left.last?.lateness == 1
      #expect(isWhole == (count >= whole), "\(count) bytes")
      #expect(isWhole || left == expected || left == Array(expected.dropFirst()), "\(count) bytes")
      try sample.recorder.note(.push)
      #expect(try sample.records.last?.number == UInt32(before + (isWhole ? 2 : 1)), "\(count) bytes")
    }
  }

  @Test func aTornNameIsListedNextTime() throws {
    let sample = try Sample()
    try sample.run("weather")
    for count in 1..<64 {
      sample.breakWrites(after: count)
      #expect(throws: ProbeProblem.cannotWrite(ENOSPC)) { try sample.run("news") }
      sample.mendWrites()
      #expect(try sample.recorder.content().kinds.compactMap { $0 } == ["weather"], "\(count) bytes")
    }
    try sample.run("news")
    #expect(try sample.recorder.content().kinds.compactMap { $0 } == ["weather", "news"])
    #expect(try sample.records.map(\.kind) == [0, 1])
  }

  /// A damaged slot may contain a number that belongs to the slot but is far ahead.
  @Test func aDamagedSlotNeverCountsAsTheNewest() throws {
    let sample = try Sample()
    for _ in 0..<1_700 { try sample.recorder.note(.tap) }
    var bytes = try sample.bytes
    let place = RingContent.offset(ofRecord: 500)
    RecordBytes.put(1_600 * 1_000 + 500, 4, at: place + 4, &bytes)
    try sample.overwrite(bytes)
    try sample.recorder.note(.tap)
    #expect(try sample.records.map(\.number) == (102...1_701).filter { $0 != 500 })
  }

  @Test func aTornHeaderBeginsTheFileAnew() throws {
    let sample = try Sample()
    try sample.run()
    let whole = try sample.bytes
    for count in [0, 1, 8, 63, 64, 100, 1_536, 65_535] {
      try sample.overwrite(Array(whole.prefix(count)))
      #expect(try sample.records.isEmpty, "\(count) bytes")
      #expect(try sample.bytes.count == 65_536)
    }
    for place in 0..<64 {
      var damaged = whole
      damaged[place] ^= 0x10
      try sample.overwrite(damaged)
      #expect(try sample.records.isEmpty, "byte \(place)")
    }
  }

  @Test func aFileOfALaterVersionIsLeftAlone() throws {
    let sample = try Sample()
    let later = try Self.file(version: RingContent.version + 1)
    try sample.overwrite(later)
    #expect(throws: ProbeProblem.newerVersion) { try sample.run() }
    #expect(throws: ProbeProblem.newerVersion) { try sample.records }
    #expect(try sample.bytes == later)
  }

  @Test func aFileOfAnEarlierVersionIsBegunAnew() throws {
    let sample = try Sample()
    try sample.overwrite(try Self.file(version: 0))
    try sample.run()
    #expect(try sample.records.count == 1)
  }

  private static func file(version: UInt16) throws -> [UInt8] {
    let sample = try Sample()
    try sample.run()
    var bytes = try sample.bytes
    RecordBytes.put(UInt64(version), 2, at: 8, &bytes)
    RecordBytes.put(UInt64(Checksum.of(bytes[..<12] + bytes[16..<64])), 4, at: 12, &bytes)
    return bytes
  }

  @Test func anyBytesAreReadWithoutACrash() throws {
    let sample = try Sample()
    try sample.run()
    let whole = try sample.bytes
    var numbers = Numbers(state: 3)
    for _ in 0..<10 {
      var bytes = whole
      for index in 64..<bytes.count { bytes[index] = .random(in: 0...255, using: &numbers) }
      try sample.overwrite(bytes)
      #expect(try sample.records.isEmpty)
      try sample.run("other")
      let names = try sample.recorder.content().kinds.compactMap { $0 }
      #expect(names == ["other"])
      #expect(try sample.records.map(\.outcome) == [.network])
    }
  }

  /// Each thread opens the file separately, so `flock` makes them exclude each other like processes.
  @Test func twoWritersLoseNothing() throws {
    let sample = try Sample()
    let recorder = sample.recorder
    let refused = Counter(0)
    let each = 300
    DispatchQueue.concurrentPerform(iterations: 4) { writer in
      for _ in 0..<each {
        do {
          let begun = try recorder.begin(Sample.widget("kind \(writer)"), due: nil)
          try recorder.end(begun, .init(outcome: .cache))
        } catch { refused.add(1) }
      }
    }
    #expect(refused.value == 0)
    let content = try recorder.content()
    let records = content.records
    #expect(records.map(\.number) == Array(1...UInt32(4 * each)))
    #expect(records.allSatisfy { $0.outcome == .cache })
    for kind in 0..<4 {
      let own = records.filter { content.kinds[Int($0.kind)] == "kind \(kind)" }
      #expect(own.map(\.sequence) == Array(1...UInt16(each)))
    }
  }

  @Test func whoCannotHaveTheLockGivesUp() throws {
    let sample = try Sample()
    try sample.run()
    var impatient = sample.recorder
    impatient = Recorder(file: RingFile(path: sample.file.path, tries: 3), clocks: impatient.clocks)
    _ = try sample.file.locked { (_: RingFile.Session) throws(ProbeProblem) in
      #expect(throws: ProbeProblem.busy) { try impatient.note(.tap) }
    }
    try impatient.note(.tap)
    #expect(try sample.records.count == 2)
  }

  @Test func aFullDiskLosesTheNewRecordAlone() throws {
    // This device fails every write with a full disk.
    let full = Recorder(file: RingFile(path: "/dev/full"))
    #expect(throws: ProbeProblem.cannotWrite(ENOSPC)) { try full.note(.tap) }
    let sample = try Sample()
    try sample.run()
    sample.file.write = { _, _, _ in
      errno = ENOSPC
      return -1
    }
    #expect(throws: ProbeProblem.cannotWrite(ENOSPC)) { try sample.run() }
    sample.mendWrites()
    try sample.run()
    #expect(try sample.records.map(\.sequence) == [1, 2])
  }

  @Test func aPlaceThatIsNoneIsSaid() {
    let nowhere = Recorder(file: RingFile(path: "/nowhere/ring"))
    #expect(throws: ProbeProblem.cannotOpen(ENOENT)) { try nowhere.note(.tap) }
    #expect(throws: ProbeProblem.cannotOpen(EISDIR)) { try Recorder(file: RingFile(path: "/")).note(.tap) }
  }

  @Test func kindsBeyondTheListAndLongNamesAreRecorded() throws {
    let sample = try Sample()
    for kind in 0..<30 { try sample.run("kind \(kind)") }
    let (content, records) = (try sample.recorder.content(), try sample.records)
    #expect(content.kinds.compactMap { $0 } == (0..<23).map { "kind \($0)" })
    #expect(records.suffix(7).allSatisfy { $0.kind == ProbeRecord.noKind })
    // The widgets can still be distinguished.
    #expect(Set(records.map(\.instance)).count == 30)

    let other = try Sample()
    let long = String(repeating: "ä", count: 40)
    try other.run(long + "1")
    try other.run(long + "2")
    try other.run(long + "1")
    #expect(try other.records.map(\.kind) == [0, 1, 0])
    #expect(try other.recorder.content().kinds.compactMap { $0 }.allSatisfy { $0.hasPrefix("ää") })
  }
}
