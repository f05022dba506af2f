import Testing

@testable import WidgetFleetProbe

@Suite struct RecordTests {
  @Test func everyRecordComesBackFromItsBytes() {
    var numbers = Numbers(state: 1)
    for _ in 0..<2_000 {
      let record = numbers.record()
      let bytes = RecordBytes.encode(record)
      #expect(bytes.count == 40)
      #expect(RecordBytes.decode(bytes[...]) == record)
    }
  }

  /// A CRC-32 detects every error of up to 32 consecutive bits, and therefore every changed byte.
  @Test func noRecordWithAChangedByteIsRead() {
    var numbers = Numbers(state: 2)
    let bytes = RecordBytes.encode(numbers.record())
    for place in bytes.indices {
      for change in UInt8(1)...255 {
        var damaged = bytes
        damaged[place] ^= change
        #expect(RecordBytes.decode(damaged[...]) == nil, "byte \(place) ^ \(change)")
      }
    }
  }

  /// The check value is the one listed in CRC catalogues for the nine digits.
  @Test func checksumIsThatOfIEEE() { #expect(Checksum.of("123456789".utf8) == 0xCBF4_3926) }

  @Test func aSealedRecordOfAnUnknownVocabularyIsLeftOut() {
    var bytes = RecordBytes.encode(ProbeRecord(wall: 1))
    // Event 7 does not exist.
    bytes[24] |= 7
    RecordBytes.put(UInt64(Checksum.of(bytes[4...])), 4, at: 0, &bytes)
    #expect(RecordBytes.decode(bytes[...]) == nil)
  }
}
