import RequestStatistics
import Testing

@testable import RequestLogs

/// Formats of proxies and shippers, the ends of requests that stamps mean, and refusals that name the options to use.
struct WrappedLogTests {
  /// 2027-01-18T00:00:03Z.
  private static let time: Int64 = 1_800_230_403_000
  private static let agent = "WeatherWidgetExtension/231 CFNetwork/3860.100.1 Darwin/25.0.0"
  private static let combined =
    #"192.0.2.1 - - [18/Jan/2027:00:00:03 +0000] "GET /forecast?install=8705f00d HTTP/2.0" 200 8000 "-" "\#(agent)""#

  /// Each line is as its writer's documentation has it, with a request that arrived at 00:00:03.
  @Test(arguments: [
    combined,
    #"{"log":"\#(combined.replacing("\"", with: "\\\""))\n","stream":"stdout","time":"2027-01-18T00:00:09.1Z"}"#,
    "2027-01-18T00:00:09.123456789Z stdout F " + combined,
    #"[2027-01-18T00:00:03.000Z] "GET /forecast?install=8 HTTP/2" 200 - 0 8000 25 24 "-" "\#(agent)" "c7-1" "h" "10.0.0.1:80""#,
    #"[2027-01-18T00:00:03.000Z] "GET /forecast HTTP/2" 200 - via_upstream - "-" 0 8000 25 24 "-" "\#(agent)" "c" "h" "u""#,
    #"Jan 18 00:00:03 lb haproxy[143]: 10.0.1.2:33317 [18/Jan/2027:00:00:03.000] http-in api/srv1 10/0/30/69/109 200 2750"#
      + #" - - ---- 1/1/1/1/0 0/0 {\#(agent)} {} "GET /forecast HTTP/1.1""#,
    #"10.0.1.2:33317 [18/Jan/2027:00:00:03.000] http-in api/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 "#
      + #""GET /forecast HTTP/1.1""#,
    #"{"timestamp":"2027-01-18T00:00:03Z","httpRequest":{"requestUrl":"https://a.example/forecast","status":200,"#
      + #""latency":"0.25s","userAgent":"\#(agent)"}}"#,
    #"{"StartUTC":"2027-01-18T00:00:03Z","time":"2027-01-18T00:00:04Z","RequestPath":"/forecast","#
      + #""DownstreamStatus":200,"Duration":250000000}"#,
    #"{"call_start":"2027-01-18T00:00:03Z","path":"/forecast","status":200,"duration_ms":250}"#,
    "#Fields: date\ttime\tcs-uri-stem\tsc-status\n2027-01-18\t00:00:03\t/forecast\t200",
  ])
  func eachFormatGivesTheArrival(_ line: String) throws {
    let reader = Reader()
    let read = try reader.read(line + "\n")
    let request = try #require(read.requests.first, "\(read.report.problem.map(\.description) ?? read.report.reason)")
    #expect(request.time == Self.time && request.status == 200 && read.requests.count == 1)
    #expect(reader.path(request) == "/forecast")
  }

  /// Lines that no known format reads, each with the options that do.
  @Test(arguments: [
    (#"192.0.2.1 [18/Jan/2027:00:00:03 +0000] rt=0.060 "GET /forecast HTTP/1.1" 200 8000"#, "rt=$request_time"),
    ("host:192.0.2.1\ttime:[18/Jan/2027:00:00:03 +0000]\treq:GET /forecast HTTP/1.1\tstatus:200", "req:$request"),
    (#"[18/Jan/2027:00:00:03 +0000] 192.0.2.1 TLSv1.3 TLS_AES_128 "GET /forecast HTTP/1.1" 8000"#, "[$time_local]"),
    ("INFO|2027-01-18 00:00:03|main|GET|/forecast|200|Widget/1", "|$time_iso8601|"),
    ("time:[18/Jan/2027:00:00:03 +0000]\treq:GET /forecast HTTP/1.1\tua:Widget/1", "ua:$http_user_agent"),
  ])
  func aRefusalNamesThePattern(_ line: String, _ part: String) throws {
    let problem = try #require(try Reader().read(line + "\n").report.problem)
    guard case .unknownFormat(_, _, let advice?) = problem else {
      Issue.record("\(problem)")
      return
    }
    #expect(advice.contains(part) && !advice.contains("192"), "\(advice)")
    var reader = Reader()
    reader.options.pattern = String(advice.dropFirst("--log-format '".count).dropLast())
    let request = try #require(try reader.read(line + "\n").requests.first, "\(advice)")
    #expect(reader.path(request) == "/forecast" && abs(request.time - Self.time) < 1_000)
  }

  /// JSON with other names is read, but shows no request until its fields are named.
  @Test func jsonWithOtherNamesGetsAMap() throws {
    let line = #"{"ts":"2027-01-18T00:00:03Z","resource":"/forecast","code":200,"client":"\#(Self.agent)"}"#
    let report = try Reader().read(line + "\n").report
    let advice = try #require(report.advice)
    #expect(advice.contains("--map path=resource") && advice.contains("--map status=code"), "\(advice)")
    var reader = Reader()
    for map in advice.split(separator: " ") where map != "--map" { try reader.options.map(String(map)) }
    #expect(try reader.read(line + "\n").requests.count == 1)
  }

  @Test func iisWithoutFieldsIsNamed() throws {
    let line = "2027-01-18 00:00:03 10.0.0.1 GET /forecast install=8 443 - 192.0.2.1 Widget/1 - 200 0 0 15\n"
    let problem = try #require(try Reader().read(line).report.problem)
    #expect(problem.description.contains("#Fields:"), "\(problem)")
  }

  /// Stamps and ids of requests are never offered; ids that come again come before those that do not.
  @Test func onlyRepeatedIDsAreOffered() throws {
    let lines = (0..<60).map { line in
      let time = "2027-01-18T00:\(line < 10 ? "0" : "")\(line):03.1Z"
      return "{\"ts\":\"\(time)\",\"path\":\"/a\",\"insertId\":\"abc\(100_000 + line)ef\",\"receive\":\"\(time)\","
        + "\"spanId\":\"\(10_000_000 + line)\",\"install\":\"ab\(line % 5)45678def01\"}\n"
    }
    var reader = Reader()
    reader.options.showsRare = true
    #expect(try reader.read(lines.joined()).report.candidates.map(\.field) == ["install"])
  }

  /// 0.4 requests per second in steps of a minute are 24 requests.
  @Test func ratesBecomeCounts() throws {
    let read = try Reader().read("time,rate\n2027-01-18T00:00:00Z,0.4\n2027-01-18T00:01:00Z,0.5\n")
    #expect(read.report.counts.first?.bins.map(\.count) == [24, 30])
    #expect(read.report.counts.first?.isRate == true)
  }

  /// CloudFront encodes the space between cookies.
  @Test func encodedSpacesSeparateCookies() throws {
    var reader = Reader()
    try reader.options.identify(by: "cookie.id")
    let text = "#Fields: date time cs-uri-stem sc-status cs(Cookie) x-edge-result-type\n"
    let row = "2027-01-18\t00:00:03\t/forecast\t200\ta=b;%20id=8705f00d\tMiss\n"
    #expect(try #require(try reader.read(text + row).requests.first).sender != 0)
  }

  /// A user's rule for widgets replaces the built-in one, so that one build can be singled out.
  @Test func aRuleSinglesOutABuild() throws {
    var reader = Reader()
    try reader.options.map("widget=ua ~ Extension/232 ")
    let other = Self.combined.replacing("231", with: "232")
    let read = try reader.read(Self.combined + "\n" + other + "\n")
    #expect(read.requests.map(\.requestClass).filter { $0 == .widget }.count == 1)
  }
}
