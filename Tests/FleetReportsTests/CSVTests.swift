import Studies
import Testing

@testable import FleetReports
@testable import SyntheticResults

/// Fields, headers and scaling in the CSV files.
struct CSVTests {
  @Test(arguments: [
    ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""),
    ("two\nlines", "\"two\nlines\""),
    ("=1+1", "'=1+1"), ("+49", "'+49"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"), ("\tx", "'\tx"),
    ("=HYPERLINK(\"x\",\"y\")", "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\""), (" x", "\" x\""),
    ("Zürich 天気 🌦", "Zürich 天気 🌦"),
  ])
  func textFields(_ value: String, _ expected: String) {
    #expect(String(decoding: CSVWriter.encoded(value), as: UTF8.self) == expected)
  }

  @Test func numberFields() {
    var csv = CSVWriter(header: ["a", "b", "c", "d", "e", "f"])
    csv.field(Int64.min)
    csv.field(64.0)
    csv.field(0.1)
    csv.field(.whole(170_141_183_460_469_231_731_687_303_715_884_105_727))
    csv.field(nil as Double?)
    csv.field(0)
    csv.endRow()
    #expect(
      String(decoding: csv.bytes, as: UTF8.self)
        == "a,b,c,d,e,f\n-9223372036854775808,64,0.1,170141183460469231731687303715884105727,,0\n")
  }

  @Test func summaryHasTheDocumentedColumns() {
    let lines = ExampleReport().lines(.summaryTable)
    #expect(
      lines.first
        == "metric,cohort,kind,endpoint,cause,charged,reason,component,event,window,period,during,statistic,unit,value,low,"
        + "high,prompt,lazy")
    #expect(lines.contains("requests,,,,,,,,,,,,total,requests,12000,12000,12000,,"))
    #expect(lines.allSatisfy { $0.split(separator: ",", omittingEmptySubsequences: false).count == 19 })
  }

  @Test func loadIsScaledPerStepAndEndpoint() {
    let lines = ExampleReport().lines(.load)
    #expect(
      lines.first
        == "replication,time_s,endpoint,arrivals,origin_requests,failures,backlog,reached,base_load,room,capacity_per_s,refused"
    )
    #expect(lines.count == 1 + 2 * 1_800 * 2)
    #expect(lines[1...2] == ["1,0,api,10,10,0,,,,,,", "1,0,images,10,10,0,,,,,,"])
    #expect(lines[15] == "1,7,api,200,200,20,,,,,,")
    #expect(lines.contains("2,7,api,210,210,20,,,,,,"))
  }

  @Test func fractionalStepsAndScalesAreWrittenToLoad() {
    var example = ExampleReport()
    example.run.step = .milliseconds(500)
    example.run.fleetDevices = 250
    #expect(example.lines(.load)[3] == "1,0.5,api,2.5,2.5,0,,,,,,")
  }

  @Test func causesDevicesAndDistributionAreWritten() {
    let example = ExampleReport()
    #expect(
      example.lines(.causes).prefix(2) == [
        "replication,minute,endpoint,cohort,cause,arrivals,failures_outage,failures_refused,failures_limited,"
          + "failures_timeout,failures_offline,failures_cached-error,bytes_up,bytes_down,retries",
        "1,0,api,west,policy,100,0,0,0,10,0,0,0,20000,0",
      ])
    let devices = example.lines(.devices)
    #expect(devices.count == 3)
    #expect(devices[0].hasPrefix("replication,device,cohort,kind,zone,phone,instances,runs,runs_policy,runs_retry,"))
    #expect(devices[1].hasPrefix("1,0,west,weather,Europe/Berlin,iphone-15,5,195,15,16,"))
    let header = devices[0].split(separator: ",").count
    #expect(devices[1].split(separator: ",", omittingEmptySubsequences: false).count == header)
    let distribution = example.lines(.distribution)
    #expect(distribution[0] == "replication,metric,cohort,kind,cause,charged,unit,from,to,count")
    #expect(distribution.contains("1,runs_per_day,west,weather,,,runs/day,2,3,400"))
    #expect(distribution.contains("2,budget_exhausted_hour,east,news,,,h,20,21,30"))
  }

  /// devices.csv is written in pieces of whole rows, the other files as a whole; the bytes are those of the whole file.
  @Test func devicesFileIsWrittenInPieces() {
    var example = ExampleReport()
    let row = example.run.replications[0].devices.rows[0]
    example.run.replications[0].devices.rows = Array(repeating: row, count: 100_000)
    let few = ExampleReport().lines(.devices)
    var pieces: [[UInt8]] = []
    ReportFile.devices.write(of: example.report) { pieces.append($0) }
    #expect(pieces.count > 2 && pieces.allSatisfy { $0.count < 5 << 20 && $0.last == UInt8(ascii: "\n") })
    let expected = ([few[0]] + Array(repeating: few[1], count: 100_000) + [few[2]]).map { $0 + "\n" }.joined()
    let isTheWhole = Array(pieces.joined()) == Array(expected.utf8)
    #expect(isTheWhole)
    let isTheFile = example.text(.devices) == expected
    #expect(isTheFile)
    pieces = []
    ReportFile.load.write(of: example.report) { pieces.append($0) }
    #expect(pieces == [ReportFile.load.bytes(of: example.report)])
  }

  @Test func latenessBinsCountEverySpanOnce() {
    var histogram = SyntheticRun.group(cohort: 0, kind: 0, instances: 1).lateness
    for span in [0, 1, 31, 32, 1_000, 1_023, 1_024, 5_000, 900_000, 86_400_000] {
      histogram.record(.milliseconds(Int64(span)))
    }
    let bins = SpanBins(histogram).inSeconds
    #expect(bins.reduce(0) { $0 + $1.count } == 10)
    #expect(zip(bins, bins.dropFirst()).allSatisfy { $0.to.approximate <= $1.from.approximate })
  }

  @Test func hostileNamesAreWrittenAsText() {
    var example = ExampleReport()
    example.run.kinds = ["=cmd|' /C calc'!A0", "a,\"b\"\nc"]
    #expect(example.text(.summaryTable).contains(",'=cmd|' /C calc'!A0,"))
    #expect(example.text(.summaryTable).contains(",\"a,\"\"b\"\"\nc\","))
    #expect(!example.text(.devices).contains(",=cmd"))
  }
}
