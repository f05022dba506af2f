import Testing

@testable import ScenarioFiles

/// Bytes that are not text, and texts that are not times.
@Suite struct TextAndTimeTests {
  /// UTF-8 (RFC 3629): no character begins with a continuation byte, with 0xC0 or 0xC1, or with a byte above 0xF4.
  ///
  /// 0xC0 and 0xC1 occur only in overlong forms. No character is shorter than its first byte requires, nor a surrogate.
  @Test(
    arguments: [
      [0x80], [0xA9], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE2, 0x82], [0xE0, 0x9F, 0xBF],
      [0xED, 0xA0, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
    ] as [[UInt8]])
  func invalidUTF8IsRefusedAtItsByte(_ bytes: [UInt8]) {
    let refusal = TextCheck.refusal(of: Array("name: a".utf8) + bytes + Array("\nb: 1\n".utf8))
    #expect(refusal?.code == .encoding && refusal?.offset == 7)
    #expect(refusal?.note == "byte 0x\(String(bytes[0], radix: 16)) does not belong here")
  }

  @Test(arguments: ["\u{A1}", "\u{E9}", "\u{7FF}", "\u{800}", "\u{65E5}", "\u{1F600}"])
  func validUTF8IsAccepted(_ text: String) {
    #expect(TextCheck.refusal(of: Array("name: a\(text)\nb: 1\n".utf8)) == nil)
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", Int64(0)), ("1970-01-01T23:59:59Z", 86_399_000), ("1970-01-02T00:00:00.5Z", 86_400_500),
    ("1970-01-01T01:00:00+01:00", 0), ("2000-02-29T00:00:00Z", 951_782_400_000),
  ])
  func instants(_ text: String, _ milliseconds: Int64) throws {
    #expect(try CalendarText.instant(text) == milliseconds)
  }

  /// Times range from 00:00:00 to 23:59:59; there are no leap seconds and no hour 24.
  @Test(arguments: [
    "2027-01-18T24:00:00Z", "2027-01-18T23:60:00Z", "2027-01-18T23:59:60Z", "2027-01-18T00:60:00Z",
    "2027-02-29T00:00:00Z", "2027-13-01T00:00:00Z", "2027-00-01T00:00:00Z", "2027-01-00T00:00:00Z",
    "2027-04-31T00:00:00Z",
  ])
  func invalidInstantsAreRefused(_ text: String) {
    let row = Sad(text, .badInstant)
    #expect(row.refusal { text throws(ValueProblem) in try CalendarText.instant(text) } == row.code)
  }
}
