import Testing

@testable import RequestLogs

/// The meaning of single bytes and words.
struct BytesTests {
  /// The first outputs with the key 00 01 ... 0f, for the messages that are empty, 00, 00 01 and so on.
  ///
  /// Source: the reference implementation by Aumasson and Bernstein, vectors.h.
  @Test func hashesMatchTheReference() {
    let vectors: [[UInt8]] = [
      [0x31, 0x0e, 0x0e, 0xdd, 0x47, 0xdb, 0x6f, 0x72], [0xfd, 0x67, 0xdc, 0x93, 0xc5, 0x39, 0xf8, 0x74],
      [0x5a, 0x4f, 0xa9, 0xd9, 0x09, 0x80, 0x6c, 0x0d], [0x2d, 0x7e, 0xfb, 0xd7, 0x96, 0x66, 0x67, 0x85],
      [0xb7, 0x87, 0x71, 0x27, 0xe0, 0x94, 0x27, 0xcf], [0x8d, 0xa6, 0x99, 0xcd, 0x64, 0x55, 0x76, 0x18],
      [0xce, 0xe3, 0xfe, 0x58, 0x6e, 0x46, 0xc9, 0xcb], [0x37, 0xd1, 0x01, 0x8b, 0xf5, 0x00, 0x02, 0xab],
      [0x62, 0x24, 0x93, 0x9a, 0x79, 0xf5, 0xf5, 0x93],
    ]
    let hash = SipHash(key0: 0x0706_0504_0302_0100, key1: 0x0f0e_0d0c_0b0a_0908)
    for (length, vector) in vectors.enumerated() {
      let expected = vector.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      #expect(hash((0..<UInt8(length)).map { $0 }) == expected)
    }
    // The paper's own example, 15 bytes long.
    #expect(hash((0..<15).map { $0 }) == 0xa129_ca61_49be_45e5)
  }

  @Test func aKeyIsBytesOrDigits() throws {
    let bytes = [UInt8](0..<16)
    let digits = Array("000102030405060708090a0b0c0d0e0f\n".utf8)
    let one = try #require(Pseudonyms(key: bytes))
    let other = try #require(Pseudonyms(key: digits))
    #expect(one.hash([1]) == other.hash([1]))
    #expect(Pseudonyms(key: Array("00".utf8)) == nil)
    #expect(Pseudonyms(key: Array("zz0102030405060708090a0b0c0d0e0f".utf8)) == nil)
  }

  @Test func randomKeysDiffer() { #expect(Pseudonyms.random().hash([1]) != Pseudonyms.random().hash([1])) }

  @Test(
    arguments: [
      ("27/Nov/2026:02:30:00 +0100", "2026-11-27T01:30:00Z"), ("29/Feb/2028:23:59:59 -0330", "2028-03-01T03:29:59Z"),
      ("2026-11-27T02:30:00+01:00", "2026-11-27T01:30:00Z"), ("2026-11-27 02:30:00", "2026-11-27T02:30:00Z"),
      ("2026-11-27T02:30:00Z", "2026-11-27T02:30:00Z"), ("2026-11-27T02:30+0100", "2026-11-27T01:30:00Z"),
      ("2026-11-27", "2026-11-27T00:00:00Z"), ("1795741800", "2026-11-27T01:10:00Z"),
      ("1795741800000", "2026-11-27T01:10:00Z"), ("1795741800000000", "2026-11-27T01:10:00Z"),
      ("1795741800000000000", "2026-11-27T01:10:00Z"), ("1.7957418e9", "2026-11-27T01:10:00Z"),
      ("[27/Nov/2026:02:30:00 +0100]", "2026-11-27T01:30:00Z"), ("1999-12-31T24:00:00Z", nil),
    ] as [(String, String?)])
  func timesAreRead(text: String, instant: String?) {
    var reader = StampReader()
    let stamp = Array(text.utf8).withText { reader.read($0) }
    guard case .at(let time) = stamp else {
      #expect(instant == nil)
      return
    }
    #expect(time == instant.flatMap(milliseconds))
  }

  @Test func fractionalSecondsAreParsed() {
    var reader = StampReader()
    for text in ["2026-11-27T01:10:00.1239Z", "2026-11-27 01:10:00,123", "1795741800.123", "1795741800123999"] {
      guard case .at(let time) = Array(text.utf8).withText({ reader.read($0) }) else {
        Issue.record("\(text) is a time")
        continue
      }
      #expect(time == 1_795_741_800_123, "\(text)")
    }
  }

  @Test(arguments: [
    "31/Nov/2026:02:30:00 +0100", "29/Feb/2027:00:00:00 +0000", "2026-13-01T00:00:00Z", "1989-12-31T23:59:59Z",
    "2100-01-01T00:00:00Z", "12", "-5", "99999999999999999999999999999",
  ])
  func impossibleTimesAreRecognized(text: String) {
    var reader = StampReader()
    guard case .impossible = Array(text.utf8).withText({ reader.read($0) }) else {
      Issue.record("\(text) is impossible")
      return
    }
  }

  @Test(
    arguments: [
      ("12", 0, 12), ("0.005", 3, 5), ("-1", 0, -1), ("1.5", 0, 2), ("0.0005", 3, 1), ("1e3", 0, 1_000),
      ("123456789012345678901234567890", 0, nil), ("1e400", 0, nil), ("", 0, nil), (".", 0, nil), ("1x", 0, nil),
      ("0.000000000000000000000000001", 3, 0),
    ] as [(String, Int, Int64?)])
  func numbersAreRead(text: String, power: Int, value: Int64?) {
    #expect(Array(text.utf8).withText { Digits.decimal($0)?.scaled(power) } == value)
  }

  @Test func textsOfJSONAreUnescaped() {
    let text = #"a\/b\u00e9\ud83d\ude00\n\"\ud83dx"#
    let output = UnsafeMutablePointer<UInt8>.allocate(capacity: text.utf8.count)
    defer { output.deallocate() }
    let count = Array(text.utf8).withText { Escapes.json($0, to: output) }
    let bytes = UnsafeBufferPointer(start: output, count: count)
    #expect(String(decoding: bytes, as: UTF8.self) == "a/b\u{e9}\u{1F600}\n\"\u{FFFD}x")
  }

  @Test(arguments: [
    ("/v2/forecast", "/v2/forecast"), ("/users/12345/widgets", "/users/{number}/widgets"), ("/", "/"), ("/a/", "/a/"),
    ("/d/550e8400-e29b-41d4-a716-446655440000", "/d/{id}"), ("/t/deadbeef01", "/t/{id}"), ("/feedback", "/feedback"),
    ("/f1a2312", "/{id}"), ("/1acabede", "/{id}"), ("/facade", "/facade"), ("/v2beta1", "/v2beta1"),
    ("/m/anna@example.com/x", "/m/{id}/x"), ("/m/anna%40example.com", "/m/{id}"),
    ("/1/2/3/4/5/6/7/8", "/{number}/{number}/{number}/{number}/{number}/{number}/..."),
    ("/x/\u{202E}gpj", "/x/\u{FFFD}gpj"),
    ("/x/%0A", "/x/\u{FFFD}"), ("/a_very_long_segment_of_more_than_32_bytes", "/{id}"),
  ])
  func personalPartsOfPathsAreRemoved(path: String, name: String) {
    let found = Array(path.utf8).withText { text in NameCleaner.withPath(text) { $0.string } }
    #expect(found == name)
    #expect(Array(path.utf8).withText { String(decoding: NameCleaner.path($0), as: UTF8.self) } == name)
  }

  @Test func expressionsFollowPOSIX() throws {
    let expression = try Expression("^/v[0-9]+/(forecast|alerts)$")
    #expect(Array("/v2/forecast".utf8).withText { expression.matches($0) })
    #expect(!Array("/v2/forecasts".utf8).withText { expression.matches($0) })
    #expect(throws: ExpressionProblem.self) { try Expression("(") }
  }

  @Test func maskedLinesContainNoContent() {
    #expect(Array("Anna 192.0.2.1 \u{1B}[1m\u{e9}".utf8).withText { Mask.line($0) } == "Aaaa 999.9.9.9 ?[9a??")
  }
}
