import Foundation
import RequestStatistics
import SimulationKernel
import Testing

@testable import RequestLogs

/// Random lines cause no crash, and each is counted.
struct FuzzTests {
  /// `WIDGETFLEET_FUZZED_LINES=100000000` takes about 20 minutes.
  private static let lines =
    ProcessInfo.processInfo.environment["WIDGETFLEET_FUZZED_LINES"].flatMap { Int($0) } ?? 1_000_000

  /// SplitMix64 by Steele, Lea and Flood.
  private struct Random {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var word = state
      word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
      word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
      return word ^ word >> 31
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
  }

  private static let samples: [(head: String, line: String)] = [
    (
      "",
      #"""
      192.0.2.1 - - [18/Jan/2027:00:00:01 +0000] "GET /a/%41?install=abc&w=k.1.2.3.x HTTP/1.1" 200 10 \#
      "-" "W\x41%20/1 CFNetwork/1 Darwin/24.1"
      """#
    ),
    (
      "",
      #"""
      h2 2027-01-18T00:00:00.186641Z app/a/5 10.0.1.2:1 10.0.0.6:9000 0.001 0.048 0.037 200 200 5 257 \#
      "GET https://10.0.2.105:773/a?b=c HTTP/2.0" "curl/7" E T arn "Root=1-5" "-" "-" 1 \#
      2027-01-18T00:00:00.100000Z "r" "u" "-" "-" "-"
      """#
    ),
    (
      "#Fields: date time cs-uri-stem sc-status cs(User-Agent) cs-uri-query x-edge-result-type time-taken\n",
      "2027-01-18\t00:00:01\t/a\t200\tWeather%2520Widget/7\tinstall=1\tHit\t0.250"
    ),
    (
      "",
      #"""
      {"ts":1800230400.25,"request":{"uri":"/a?b=c","headers":{"User-Agent":["A\u00e9\/1"]}},\#
      "duration":"25ms","status":"200","x":[{"y":[1,true,null]}]}
      """#
    ),
    (
      "",
      #"""
      {"resourceSpans":[{"resource":{"attributes":[{"key":"host.name","value":{"stringValue":"w"}}]},\#
      "scopeSpans":[{"spans":[{"spanId":"E","startTimeUnixNano":"1800230400000000000","kind":2,\#
      "attributes":[{"key":"url.path","value":{"stringValue":"/a"}}]}]}]}]}
      """#
    ),
    ("timestamp,value,other\n", "2027-01-18 00:00:00,94.0,1e2"),
    ("time,path,status,user_agent\n", #"2027-01-18T00:00:00Z,/a,200,"A/1 (x, y)""#),
  ]

  private static let splices: [[UInt8]] = [
    Array("\"".utf8), Array("\\".utf8), Array("\\x".utf8), Array("%".utf8), [0], [0xFF], [0x0D], Array("{".utf8),
    Array("[".utf8),
    Array("}]".utf8), Array(String(repeating: "9", count: 400).utf8), Array(String(repeating: "[", count: 300).utf8),
    Array("\u{202E}".utf8), Array("-".utf8), Array(" ".utf8), Array("\t".utf8), Array("\\ud83d".utf8),
    Array("1e999".utf8),
    Array("://".utf8), Array("?&=#".utf8),
  ]

  private static func mutated(_ line: [UInt8], _ random: inout Random) -> [UInt8] {
    var line = line
    for _ in 0...random.below(3) {
      let place = random.below(line.count + 1)
      switch random.below(5) {
      case 0 where place < line.count: line[place] = UInt8(truncatingIfNeeded: random.next())
      case 1 where place < line.count: line.remove(at: place)
      case 2: line.removeSubrange(place..<min(place + random.below(20), line.count))
      case 3: line.insert(contentsOf: splices[random.below(splices.count)], at: place)
      default: line = Array(line[..<place] + line[random.below(line.count + 1)...])
      }
      if line.isEmpty { line = [0x20] }
    }
    return line.map { $0 == 0x0A ? 0x20 : $0 }
  }

  @Test(arguments: samples.indices)
  func randomLinesAreReadWithoutCrash(sample: Int) throws {
    let (head, line) = Self.samples[sample]
    var random = Random(state: UInt64(sample))
    var reader = Reader()
    reader.options.threads = 2
    try reader.options.identify(by: "query.install")
    try reader.options.map("kind=query.w")
    let (original, perSample) = (Array(line.utf8), Self.lines / Self.samples.count)
    for part in 0..<max(perSample / 50_000, 1) {
      let count = min(50_000, perSample)
      var text = Array(head.utf8)
      // The format is detected from whole lines.
      for index in 0..<count {
        text += index < 100 ? original : Self.mutated(original, &random)
        text.append(0x0A)
      }
      let read = try reader.read([("a\(part)", Data(text))])
      #expect(read.report.problem == nil && read.report.lines == read.report.parsed + read.report.rejected)
      let isOfCounts = !read.report.counts.isEmpty
      #expect(read.requests.count == (isOfCounts ? 0 : read.report.parsed) && read.report.parsed >= 100)
      #expect(read.requests.allSatisfy { StampReader.possible.contains($0.time + Int64(max($0.duration, 0))) })
      if head.isEmpty, !line.hasPrefix("{\"resource") {
        #expect(read.report.lines + read.report.comments >= count * 9 / 10)
      }
    }
  }

  /// Names contain neither terminal control characters nor active HTML.
  @Test func namesAreClean() throws {
    var random = Random(state: 99)
    let reader = Reader()
    let original = Array(Self.samples[0].line.utf8)
    var text: [UInt8] = []
    for index in 0..<20_000 { text += (index < 100 ? original : Self.mutated(original, &random)) + [0x0A] }
    _ = try reader.read([("a", Data(text))])
    for number in UInt16(1)..<4_096 {
      for table in [reader.names.paths, reader.names.agents] {
        guard let name = table[NameIndex(number)] else { continue }
        let isClean = name.unicodeScalars.allSatisfy { scalar in
          scalar.value >= 0x20 && scalar.value != 0x7F && !(0x80..<0xA0).contains(scalar.value)
            && !(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value)
        }
        #expect(isClean, "\(name.debugDescription)")
      }
    }
  }
}
