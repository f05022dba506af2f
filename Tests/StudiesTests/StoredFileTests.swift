import SimulationKernel
import Testing

@testable import Studies

/// The readers of stored results: what was written is read, and anything else is told with its line.
struct StoredFileTests {
  private let columns = ["name", "count"]

  @Test(arguments: [
    "plain", "", "with, comma", "\"quoted\"", "two\nlines", "=1+1", "'=1+1", "''=x", "'plain", " space ", "@", "\r",
    "日本",
  ])
  func textComesBack(_ text: String) throws {
    let rows = Array("name,count\n".utf8) + CSVText.field(text) + Array(",3\nlast,4\n".utf8)
    var csv = try CSVReader(rows, file: "t.csv", columns: columns)
    #expect(try csv.next())
    #expect(try csv.text(0) == text)
    #expect(try csv.integer(1) == 3)
    #expect(try csv.next())
    #expect(csv.line == (text.contains("\n") ? 4 : 3))
    #expect(try csv.integer(1) == 4)
    #expect(try !csv.next())
  }

  @Test func guardedTextsStayDifferent() {
    let texts = ["=a", "'=a", "''=a", "a", "'a", "''a"]
    #expect(Set(texts.map(CSVText.guarded)).count == texts.count)
    for text in texts { #expect(CSVText.guarded(text).first != "=") }
  }

  @Test(arguments: [
    ("name,count\na,1\nb\n", 3), ("name,count\na,1\nb,2", 3), ("name,count\na,1\n\"b,2\n", 3), ("nom,count\n", 1),
    ("", 1), ("name,count\na,x\n", 2), ("name,count\na,\n", 2), ("name,count\na,99999999999999999999\n", 2),
  ])
  func damageHasItsLine(_ text: String, _ line: Int) {
    let error = #expect(throws: StoredFileError.self) {
      var csv = try CSVReader(Array(text.utf8), file: "t.csv", columns: columns)
      while try csv.next() { _ = try csv.integer(1) }
    }
    guard case .damaged(let found, _, _)? = error?.fault else { return #expect(Bool(false), "not told as damage") }
    #expect(found == line)
  }

  /// Fleet counts are counts of the simulated devices times a fraction; anything else is damage.
  @Test(arguments: [Scale(fleet: 1_000, simulated: 90), Scale(fleet: 10, simulated: 10), Scale(fleet: 7, simulated: 3)])
  func fleetCountsAreTakenBack(_ scale: Scale) throws {
    for count in [Int64(0), 1, 2, 3, 89, 1_234_567, 40_000_000_000, 4_000_000_000_000_011] {
      let quantity = try #require(scale.fleetCount(Int128(count)))
      let text: String
      switch quantity {
      case .whole(let whole): text = "\(whole)"
      case .real(let real): text = "\(real)"
      }
      var csv = try CSVReader(Array("name,count\na,\(text)\nb,\(text)7\n".utf8), file: "t.csv", columns: columns)
      _ = try csv.next()
      #expect(try csv.count(1, scale) == count)
    }
  }

  /// Bytes of a scaled fleet leave 64 bits and the digits of a binary fraction: they are taken back to 15 digits.
  @Test(arguments: [Scale(fleet: 1_000_000_000, simulated: 3), Scale(fleet: 900_000_000, simulated: 1)])
  func largeCountsAreTakenBack(_ scale: Scale) throws {
    for count in [Int64(2_207_142_857_145), 7_900_000_000_696_667, 4_000_000_000_000_000_001] {
      let text: String
      switch try #require(scale.fleetCount(Int128(count))) {
      case .whole(let whole): text = "\(whole)"
      case .real(let real): text = "\(real)"
      }
      var csv = try CSVReader(Array("name,count\na,\(text)\n".utf8), file: "t.csv", columns: columns)
      _ = try csv.next()
      let read = try csv.count(1, scale)
      #expect((read - count).magnitude <= UInt64(count) / 1_000_000_000_000_000)
      if scale.simulated == 1 { #expect(read == count) }
    }
  }

  @Test func jsonIsRead() throws {
    let text = "{\"a\": [1, -2.5, null, true], \"b\": \"x\\n\\u0041\\\"\",\n \"c\": {\"d\": 12345678901234567890123}}"
    let node = try JSONReader.read(Array(text.utf8), file: "t.json")
    guard case .object(let fields, let line) = node, case .array(let array)? = fields["a"] else {
      return #expect(Bool(false))
    }
    #expect(line == 1 && array.count == 4)
    guard case .string("x\nA\"")? = fields["b"] else { return #expect(Bool(false)) }
    guard case .object(let inner, 2)? = fields["c"], case .number(.whole(let whole))? = inner["d"] else {
      return #expect(Bool(false))
    }
    #expect(whole == 12_345_678_901_234_567_890_123)
  }

  /// Fifteen levels around a value are read, one more is not, of either kind.
  @Test(arguments: [("{\"a\":", "}"), ("[", "]")]) func nestingHasItsLimit(_ opening: String, _ closing: String) throws
  {
    func nested(_ levels: Int) -> [UInt8] {
      Array((String(repeating: opening, count: levels) + "1" + String(repeating: closing, count: levels)).utf8)
    }
    _ = try JSONReader.read(nested(15), file: "t.json")
    #expect(throws: StoredFileError.self) { try JSONReader.read(nested(16), file: "t.json") }
  }

  /// Blanks, tabs and line ends may stand on either side of every bracket, colon and comma (RFC 8259, 2).
  @Test(arguments: [
    ("{}", "{ }"), ("[]", "[\t]"), ("[[],{}]", " [ [ ] , { } ] "), ("[1,2]", "[1 ,2]"), ("[1,2]", "[ 1\n,\r\n2\n]\n"),
    ("{\"a\":1,\"b\":[true]}", "{ \"a\" : 1 , \"b\" : [ true ] }"),
    ("{\"a\":\" \",\"b\":null}", "{\n\"a\"\n:\n\" \"\n,\n\"b\"\n:\nnull\n}"),
  ])
  func spaceMeansNothing(_ dense: String, _ spacious: String) throws {
    let expected = try JSONReader.read(Array(dense.utf8), file: "t.json").withoutLines
    #expect(try JSONReader.read(Array(spacious.utf8), file: "t.json").withoutLines == expected)
  }

  @Test(arguments: [
    "", "{", "[1,]", "{\"a\" 1}", "nan", "1e999", "\"\\q\"", "\"\\ud800\"", "{} x", "\"open",
    String(repeating: "[", count: 100_000), "tru", "[1 2]",
  ])
  func badJSONIsDamage(_ text: String) {
    #expect(throws: StoredFileError.self) { try JSONReader.read(Array(text.utf8), file: "t.json") }
  }

  @Test func spanBinsFollowTheHistogram() {
    var histogram = SpanHistogram()
    for second in 1...1_000 { histogram.record(.seconds(Int64(second))) }
    let bins = SpanBins(histogram)
    #expect(bins.total == 1_000 && bins.bins.allSatisfy { $0.count > 0 })
    for probability in [0.01, 0.25, 0.5, 0.99] {
      let exact = histogram.quantileSeconds(probability) ?? 0
      let coarse = bins.quantileSeconds(probability) ?? 0
      // A bin is at most 1/32 of its lower edge wide.
      #expect((coarse - exact).magnitude <= exact / 32 + 1)
    }
    let shares = bins.shares(upTo: [0.5, 500, 2_000])
    #expect(shares[0] == 0 && shares[2] == 1 && (shares[1] - 0.5).magnitude < 0.02)
    var twice = bins
    twice += bins
    #expect(twice.total == 2_000 && twice.bins.map(\.from) == bins.bins.map(\.from))
  }
}

extension JSONNode {
  /// As a text to be compared.
  fileprivate var withoutLines: String {
    switch self {
    case .object(let fields, _):
      "{" + fields.map { "\($0.key):\($0.value.withoutLines)" }.sorted().joined(separator: ",") + "}"
    case .array(let elements): "[" + elements.map(\.withoutLines).joined(separator: ",") + "]"
    case .string(let text): "'\(text)'"
    case .number(let number): "\(number.approximate)"
    case .boolean(let flag): "\(flag)"
    case .null: "null"
    }
  }
}
