import Foundation
import RequestStatistics
import Testing

@testable import RequestLogs

/// Lines as in the documentation of the programs that write them.
struct FormatTests {
  private static let midnight: Int64 = 1_800_230_400_000  // 2027-01-18T00:00:00Z

  @Test func midnightIsParsed() { #expect(milliseconds("2027-01-18T00:00:00Z") == Self.midnight) }

  @Test func nginxCombinedFormatIsRead() throws {
    var reader = Reader()
    try reader.options.identify(by: "query.install")
    let line =
      #"192.0.2.1 - anna [18/Jan/2027:01:00:00 +0100] "GET /v2/forecast?install=abc&x=1#f HTTP/2.0" 503 12 "-" "#
      + #""WeatherWidget/7 CFNetwork/1568 Darwin/24.1.0""#
    let read = try reader.read(line + "\n" + line.replacing("abc", with: "def") + "\n")
    let request = try #require(read.requests.first)
    #expect(read.report.format == .nginx && read.report.parsed == 2)
    #expect(request.time == Self.midnight && request.status == 503 && request.bytes == 12 && request.duration == -1)
    #expect(reader.path(request) == "/v2/forecast")
    #expect(reader.agent(request) == "WeatherWidget CFNetwork Darwin/24")
    #expect(request.requestClass == .widget && request.system == 18)
    #expect(Set(read.requests.map(\.sender)).count == 2 && !read.requests.contains { $0.sender == 0 })
    #expect(Set(read.requests.map(\.line)).count == 2)
  }

  /// Only stamps without an offset are local; those that the zone's clocks skip or repeat are left out.
  @Test func stampsWithoutAnOffsetAreReadInTheirZone() throws {
    var reader = Reader()
    let lines = ["2027-01-18T00:00:00Z", "2027-01-18 02:00:00", "2027-01-18T03:00:00+02:00", "2027-01-18 05:00:00"].map
    {
      "{\"ts\":\"\($0)\",\"path\":\"/a\",\"status\":200}\n"
    }.joined()
    let utc = try reader.read(lines)
    #expect(utc.requests.map { ($0.time - Self.midnight) / 3_600_000 } == [0, 1, 2, 5])
    let five = Self.midnight + 5 * 3_600_000
    reader.options.localTime = { $0 == five ? nil : $0 - 7_200_000 }
    let local = try reader.read(lines)
    #expect(local.requests.map { ($0.time - Self.midnight) / 3_600_000 } == [0, 0, 1])
    #expect(local.report.rejected(.impossibleTime) == 1)
    let unknown = try Reader().read("{\"ts\":\"2027-01-18 02:00:00\",\"path\":\"/a\"}\n")
    #expect(unknown.report.lacksOffset && !local.report.lacksOffset)
  }

  @Test func senderIDIsNeverGuessed() throws {
    let read = try Reader().read(Self.combined(40) { "/a?install=0123456789abcd\(10 + $0 % 20)" })
    #expect(read.requests.allSatisfy { $0.sender == 0 })
    let candidate = try #require(read.report.candidates.first)
    #expect(candidate == IdentityCandidate(field: "query.install", lines: 40, looked: 40, distinct: 20))
    // A field's name may itself identify a person if few lines have it.
    let rare = Self.combined(40) { "/a?install=0123456789abcd\(10 + $0 % 19)" }
    #expect(try Reader().read(rare).report.candidates.isEmpty)
  }

  private static func combined(_ count: Int, _ target: (Int) -> String) -> String {
    (0..<count).map { index in
      let second = index < 10 ? "0\(index)" : "\(index)"
      return #"192.0.2.1 - - [18/Jan/2027:00:00:\#(second) +0000] "GET \#(target(index)) HTTP/1.1" 200 1 "-" "A/1""#
        + "\n"
    }.joined()
  }

  @Test(arguments: [
    #"192.0.2.1 - - [18/Jan/2027:00:00:00 +0000] "GET /a HTTP/1.1" 200 5"#,
    #"192.0.2.1 - - [18/Jan/2027:00:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "A/1" "203.0.113.9, 10.0.0.1" 0.004"#,
    #"api.example.com:443 192.0.2.1 - - [18/Jan/2027:00:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "A/1""#,
    #"api.example.com 192.0.2.1 - - [18/Jan/2027:00:00:00 +0000] "GET /a HTTP/1.1" 200 5"#,
    #"2001:db8::1 ident a user [18/Jan/2027:00:00:00 +0000] "GET https://example.com/a?b=c HTTP/1.1" 200 5 "a\"b" "A""#,
  ])
  func variantsOfCombined(line: String) throws {
    let reader = Reader()
    let read = try reader.read(line)
    let request = try #require(read.requests.first)
    #expect(request.time == Self.midnight && request.status == 200 && request.bytes == 5)
    #expect(reader.path(request) == "/a")
  }

  @Test(arguments: [
    #"\x16\x03\x01"#, "-", "CONNECT example.com:443 HTTP/1.1", "OPTIONS * HTTP/1.1", "", "GET",
  ])
  func requestsWithoutAPath(request: String) throws {
    let read = try Reader().read(#"192.0.2.1 - - [18/Jan/2027:00:00:00 +0000] "\#(request)" 400 0 "-" "-""#)
    #expect(read.requests.first?.path == NameIndex.none && read.report.parsed == 1)
  }

  @Test func aGivenPatternHasDurations() throws {
    var reader = Reader()
    reader.options.pattern =
      #"""
      log_format a '$msec $request_time|$status "$request" $upstream_response_time $request_id ' \#
      '"$http_user_agent"';
      """#
    let line = #"1800230400.500 0.250|200 "GET /a HTTP/1.1" 0.100, 0.150 f00 "A/1""#
    let request = try #require(try reader.read(line).requests.first)
    #expect(request.time == Self.midnight + 250 && request.duration == 250)
  }

  @Test func jsonPatternIsParsed() throws {
    var reader = Reader()
    reader.options.pattern = #"{"when":"$time_iso8601","what":"$request_uri","took":$request_time,"s":"$status"}"#
    let line = #"{"when":"2027-01-18T00:00:01+00:00","what":"\/a?b=c","took":0.5,"s":"200"}"#
    let request = try #require(try reader.read(line).requests.first)
    #expect(request.time == Self.midnight + 500 && request.status == 200 && reader.path(request) == "/a")
  }

  @Test func apachePatternGivesArrivals() throws {
    var reader = Reader()
    reader.options.pattern = #"%h %l %u %t \"%r\" %>s %b %D"#
    let line = #"192.0.2.1 - - [18/Jan/2027:00:00:00 +0000] "GET /a HTTP/1.1" 200 5 250400"#
    let request = try #require(try reader.read(line).requests.first)
    #expect(request.time == Self.midnight && request.duration == 250)
  }

  @Test(arguments: ["", "no variable", "$status$request"])
  func invalidPatternsAreRefused(pattern: String) {
    var options = LogOptions()
    options.pattern = pattern
    #expect(throws: LogOptionProblem.self) { try LogReader(options) }
  }

  /// The example from the load balancer's user guide, with its times shifted.
  @Test func loadBalancers() throws {
    let line =
      "h2 2027-01-18T00:00:00.186641Z app/my-loadbalancer/50dc6c495c0c9188 10.0.1.252:48160 10.0.0.66:9000 0.001 "
      + #"0.048 0.037 200 200 5 257 "GET https://10.0.2.105:773/a?b=c HTTP/2.0" "curl/7.46.0" ECDHE-RSA-AES128-GCM "#
      + "TLSv1.2 arn:aws:elasticloadbalancing:us-east-2:123456789012:targetgroup/my-targets/73e2d6bc24d8a067 "
      + #""Root=1-58337327-72bd00b0343d75b906739c42" "-" "-" 1 2027-01-18T00:00:00.100000Z "redirect" "#
      + #""https://example.com:80/" "-" "10.0.0.66:9000" "200" "-" "-" TID_1234"#
    let reader = Reader()
    let read = try reader.read(line)
    let request = try #require(read.requests.first)
    #expect(read.report.format == .alb)
    #expect(request.time == Self.midnight + 100 && request.duration == 86)
    #expect(request.status == 200 && request.bytes == 257 && reader.path(request) == "/a")
    #expect(request.requestClass == .bot)
  }

  @Test func loadBalancerLinesWithoutTargetAreRead() throws {
    let line =
      "http 2027-01-18T00:00:00.186641Z app/a/5 10.0.1.252:48160 - -1 -1 -1 503 - 5 257 "
        + #"""
        "GET http://10.0.2.105:80/a HTTP/1.1" "A/1" - - - "Root=1-5" "-" "-" 0 \#
        2027-01-18T00:00:00.100000Z "forward" 
        """#
      + #""-" "-" "-" "-" "-" "-""#
    let request = try #require(try Reader().read(line).requests.first)
    #expect(request.time == Self.midnight + 100 && request.duration == -1 && request.status == 503)
  }

  @Test func cloudFront() throws {
    let text = """
      #Version: 1.0
      #Fields: date time sc-bytes c-ip cs-method cs-uri-stem sc-status cs(User-Agent) cs-uri-query x-edge-result-type \
      x-edge-request-id time-taken
      2027-01-18\t00:00:01\t257\t192.0.2.1\tGET\t/a\t200\tWeather%2520Widget/7%20CFNetwork/1%20Darwin/24.1\tinstall=1\t\
      RefreshHit\tabc==\t0.250
      #Version: 1.0
      #Fields: time date cs-uri-stem sc-status x-edge-result-type
      00:00:02\t2027-01-18\t/b\t304\tMiss

      """
    var reader = Reader()
    try reader.options.identify(by: "query.install")
    let read = try reader.read(text)
    #expect(read.report.format == .cloudfront && read.report.comments == 4)
    let (first, second) = (try #require(read.requests.first), try #require(read.requests.last))
    #expect(first.time == Self.midnight + 750 && first.duration == 250 && first.cache == .refresh)
    #expect(reader.agent(first) == "Weather Widget CFNetwork Darwin/24" && first.requestClass == .widget)
    #expect(first.sender != 0 && second.sender == 0)
    #expect(second.time == Self.midnight + 2_000 && second.cache == .miss && reader.path(second) == "/b")
  }

  @Test(arguments: [
    #"""
    {"ts":1800230400.25,"request":{"method":"GET","uri":"/a?b=c","headers":{"User-Agent":["A/1"]}},\#
    "duration":0.25,"status":200}
    """#,
    #"""
    {"time":1800230400250,"req":{"method":"GET","url":"/a","headers":{"user-agent":"A/1"}},\#
    "res":{"statusCode":200},"responseTime":250}
    """#,
    #"""
    {"@timestamp":"2027-01-18T00:00:00.250Z","http":{"request":{"method":"GET"},\#
    "response":{"status_code":200}},"url":{"path":"/a"},"event":{"duration":250000000},\#
    "user_agent":{"original":"A/1"}}
    """#,
    #"""
    {"@timestamp":"2027-01-18T00:00:00.250Z","http.response.status_code":"200","url.path":"\/a",\#
    "event.duration":"250000000","user_agent.original":"A\/1"}
    """#,
    #"""
    {"arrival":"2027-01-18T00:00:00Z","path":"/a","status":200,"duration":"250ms",\#
    "user_agent":"A/1","x":[{"y":["]"]}]}
    """#,
    #"""
     { "time_local" : "18/Jan/2027:00:00:00 +0000" , "request" : "GET /a HTTP/1.1" , "status" : \#
    "200" , "ua" : "A/1" , "duration": 250, "time":null, "msec": "1800230400.250"} 
    """#,
  ])
  func objects(line: String) throws {
    let reader = Reader()
    let read = try reader.read(line)
    let request = try #require(read.requests.first)
    #expect(read.report.format == .jsonl)
    #expect(request.time == Self.midnight && request.duration == 250 && request.status == 200)
    #expect(reader.path(request) == "/a" && reader.agent(request) == "A")
  }

  /// CloudFront's JSON logs in version 2 use its columns as keys.
  @Test func cloudFrontInJSON() throws {
    let line = #"""
      {"date":"2027-01-18","time":"00:00:00","timestamp(ms)":"1800230400250","cs-uri-stem":"/a","sc-status":"200",\#
      "cs(User-Agent)":"A/1%20x","x-edge-result-type":"Hit","time-taken":"0.250","cs-uri-query":"-"}
      """#
    let reader = Reader()
    let request = try #require(try reader.read(line).requests.first)
    #expect(request.time == Self.midnight && request.duration == 250 && request.cache == .hit)
    #expect(reader.path(request) == "/a" && reader.agent(request) == "A")
  }

  /// Concatenated files may name different columns in the middle, however they are cut into blocks and whichever thread
  /// reads them.
  @Test(arguments: [1, 3])
  func columnsChangeWithinAFile(threads: Int) throws {
    let heads = [
      "date time cs-uri-stem x-edge-result-type time-taken", "time-taken x-edge-result-type cs-uri-stem time date",
    ]
    let lines = ["2027-01-18\t00:00:01\t/first\tHit\t0.250\n", "0.250\tHit\t/second\t00:00:01\t2027-01-18\n"]
    let text = (0..<6).map { part in
      "#Version: 1.0\n#Fields: \(heads[part % 2])\n" + String(repeating: lines[part % 2], count: 9_000)
    }
    var reader = Reader()
    reader.options.threads = threads
    let read = try reader.read(text.joined())
    #expect(read.report.rejected == 0 && read.report.comments == 12 && read.requests.count == 54_000)
    #expect(read.requests.allSatisfy { $0.time == Self.midnight + 750 && $0.cache == .hit })
    #expect(read.requests.count { reader.path($0) == "/first" } == 27_000)
  }

  @Test func userMapsTakePrecedence() throws {
    var reader = Reader()
    try reader.options.map("time=meta.at")
    try reader.options.map("duration=took:us")
    try reader.options.map("path=where")
    try reader.options.map("kind=query.w")
    try reader.options.identify(by: "cookie.sid")
    let line =
      #"{"meta":{"at":1800230400},"time":"2026-01-01T00:00:00Z","took":250000,"path":"/x","#
      + #""where":"/a?w=com.example.Weather.1a2b.17.29999999.policy","cookie":"a=b; sid=42"}"#
    let request = try #require(try reader.read(line).requests.first)
    #expect(request.time == Self.midnight - 250 && reader.path(request) == "/a" && request.sender != 0)
    #expect(reader.names.kinds[request.kind] == "com.example.Weather")
  }

  @Test func documentsOfObjects() throws {
    let text = """
      [
        {
          "time": "2027-01-18T00:00:00Z",
          "path": "/a", "note": "a } \\" ] b"
        },
        {"time": "2027-01-18T00:00:01Z", "path": "/b"}
      ]
      """
    let reader = Reader()
    let read = try reader.read(text)
    #expect(read.requests.map(\.time) == [Self.midnight, Self.midnight + 1_000])
    #expect(read.requests.map(reader.path) == ["/a", "/b"])
  }

  /// The structure of examples/trace.json in opentelemetry-proto.
  @Test(arguments: [false, true])
  func spans(isOneLine: Bool) throws {
    let text = """
      {"resourceSpans": [{"resource": {"attributes": [{"key": "host.name", "value": {"stringValue": "web-1"}}]},
        "scopeSpans": [{"scope": {"name": "s", "attributes": []}, "spans": [
          {"traceId": "5B", "spanId": "EE1", "name": "GET", "startTimeUnixNano": "1800230400000000000",
           "endTimeUnixNano": "1800230400250000000", "kind": 2, "attributes": [
             {"key": "url.path", "value": {"stringValue": "/a"}}, {"key": "other", "value": {}},
             {"key": "http.response.status_code", "value": {"intValue": "200"}},
             {"key": "user_agent.original", "value": {"stringValue": "A/1"}},
             {"key": "list", "value": {"arrayValue": {"values": [{"stringValue": "x"}]}}}], "status": {}},
          {"spanId": "EE2", "startTimeUnixNano": "1800230400000000000", "kind": 3, "attributes": [
             {"key": "url.full", "value": {"stringValue": "https://example.com/b"}}]}]}]}]}
      """
    let reader = Reader()
    let read = try reader.read(isOneLine ? text.replacing("\n", with: "") : text)
    #expect(read.report.format == .otlp && read.report.rejected(.noRequest) == 1)
    let request = try #require(read.requests.first)
    #expect(read.requests.count == 1 && request.time == Self.midnight && request.duration == 250)
    #expect(reader.path(request) == "/a" && request.status == 200 && reader.agent(request) == "A")
    #expect(reader.names.nodes[request.node] == "web-1")
  }

  @Test func logRecords() throws {
    let text =
      #"{"resourceLogs":[{"resource":{},"scopeLogs":[{"logRecords":[{"timeUnixNano":"1800230400000000000","body":"#
      + #"{"stringValue":"x"},"attributes":[{"key":"http.target","value":{"stringValue":"/a?b"}},"#
      + #"{"key":"http.status_code","value":{"intValue":204}}]}]}]}]}"#
    let reader = Reader()
    let request = try #require(try reader.read(text + "\n" + text).requests.first)
    #expect(request.time == Self.midnight && request.status == 204 && reader.path(request) == "/a")
  }

  @Test func counts() throws {
    let text = "timestamp,value\n2027-01-18 00:00:00,94.0\n2027-01-18 00:05:00,56\n2027-01-18 00:15:00,1e2\n"
    let read = try Reader().read(text)
    let series = try #require(read.report.counts.first)
    #expect(read.report.format == .csv && read.report.parsed == 3 && read.requests.isEmpty)
    #expect(series.column == "value" && series.step == 300_000 && series.stamp == .begin)
    #expect(series.bins.map(\.count) == [94, 56, 100])
    #expect(series.bins.map(\.time) == [0, 300_000, 900_000].map { Self.midnight + $0 })
  }

  @Test func countsWithoutNamesMayBeStampedAtTheirEnds() throws {
    var reader = Reader()
    reader.options.stamp = .end
    let read = try reader.read("1800230460;5;7\n1800230520;6;8\n")
    #expect(read.report.counts.map(\.column) == ["column 2", "column 3"])
    #expect(read.report.counts.map { $0.bins.map(\.count) } == [[5, 6], [7, 8]])
    #expect(read.report.counts.first?.bins.first?.time == Self.midnight)
  }

  @Test func tablesOfRequests() throws {
    let reader = Reader()
    let text = "time,path,status,user_agent\n2027-01-18T00:00:00Z,/a,200,\"A/1 (x, y)\"\n"
    let request = try #require(try reader.read(text).requests.first)
    #expect(request.time == Self.midnight && reader.path(request) == "/a" && reader.agent(request) == "A")
  }

  @Test func unknownFormatIsDescribedWithAMask() throws {
    let read = try Reader().read("Dear Anna,\nyour 4711 is here.\n")
    #expect(read.report.problem == .unknownFormat(looksLike: "Aaaa Aaaa,", tried: nil, advice: nil))
    let text = read.report.problem?.description ?? ""
    #expect(text.contains("--log-format") && text.contains("tried: nginx") && !text.contains("Anna"))
  }

  @Test func addressIsRefusedAsID() throws {
    var options = LogOptions()
    try options.identify(by: "remote_addr")
    #expect(throws: LogOptionProblem.self) { try LogReader(options) }
    options.allowsAddresses = true
    _ = try LogReader(options)
  }
}
