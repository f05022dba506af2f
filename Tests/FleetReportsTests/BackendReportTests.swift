import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine
@testable import FleetReports
@testable import Studies
@testable import SyntheticResults

/// Capacity, origins, herds and outages in the files and on the page, from handmade results.
struct BackendReportTests {
  /// Two hours with 60 requests at minute 7 of every quarter hour, a tenth of which fail. The first endpoint has an
  /// outage from 01:00 to 01:10, and has recovered after 01:52, when the last of these requests have failed.
  private struct Example {
    var duration = TimeAmount.hours(2)
    var capacity: Double? = 50
    var baseLoad: BaseLoad?
    var cdn: CDN?
    var hasBackend = true
    var outage: (from: Int64, to: Int64)? = (3_600, 4_200)

    private var steps: Int { Int(duration.seconds) }

    private func arrivals(_ step: Int) -> Int64 { step % 900 == 420 ? 60 : 0 }

    private var causeMinutes: [CauseMinute] {
      (0..<steps / 60).flatMap { minute -> [CauseMinute] in
        guard minute % 15 == 7 else { return [] }
        let isAfter = minute >= 70
        return [Cause.policy, .retry].map { cause in
          var traffic = Traffic()
          traffic.requests = cause == .policy ? (isAfter ? 120 : 60) : (isAfter ? 60 : 0)
          traffic.retries = cause == .policy && isAfter ? 60 : 0
          return CauseMinute(minute: minute, endpoint: 0, cohort: 0, cause: cause, traffic: traffic)
        }
      }
    }

    var report: Report {
      var run = SyntheticRun()
      run.duration = duration
      let counts = (0..<steps).map(arrivals)
      var replication = SyntheticRun.replication(arrivals: [counts.map { UInt32($0) }, counts.map { _ in 0 }])
      replication.causeMinutes = causeMinutes
      if hasBackend {
        let api = counts.map {
          SyntheticStep(
            arrivals: $0, origin: Double($0) / 8, reached: Double($0), base: baseLoad?.rate ?? 0,
            capacity: capacity ?? .infinity, backlog: $0 > 50 ? 10.5 : 0)
        }
        replication = replication.with([api, api.map { _ in SyntheticStep(capacity: .infinity) }])
      }
      run.replications = [replication]
      var result = run.result
      result.scenario.endpoints[0].capacity = capacity
      result.scenario.endpoints[0].baseLoad = baseLoad
      result.scenario.endpoints[0].cdn = cdn
      if let outage {
        result.scenario.events = [.outage("blackout", at: outage.from, lasting: outage.to - outage.from)]
        result.eventSpans = [
          EventSpan(event: 0, from: .start + .seconds(outage.from), to: .start + .seconds(outage.to))
        ]
      }
      let provenance = Provenance(version: "1.2.3", resolvedScenario: "")
      return Report(result: result, summary: Summary(of: result), provenance: provenance)
    }

    func text(_ file: ReportFile) -> String { String(decoding: file.bytes(of: report), as: UTF8.self) }
    func lines(_ file: ReportFile) -> [String] { text(file).split(separator: "\n").map(String.init) }
  }

  // MARK: Files

  @Test func loadFileHasOriginAndBacklog() {
    var example = Example()
    #expect(example.lines(.load)[1 + 2 * 420] == "1,420,api,60,60,6,10.5,60,0,50,50,0")
    #expect(example.lines(.load)[2 + 2 * 420] == "1,420,images,0,0,0,,,,,,")
    example.cdn = CDN.with {
      $0.keys = 3
      $0.ttl = .minute
    }
    #expect(example.lines(.load)[1 + 2 * 420] == "1,420,api,60,7.5,6,10.5,60,0,50,50,0")
  }

  @Test func withoutABackendOriginAndBacklogAreBlank() {
    var example = Example()
    example.hasBackend = false
    #expect(example.lines(.load)[1 + 2 * 420] == "1,420,api,60,60,6,,,,,,")
    example.cdn = CDN.with {
      $0.keys = 3
      $0.ttl = .minute
    }
    #expect(example.lines(.load)[1 + 2 * 420] == "1,420,api,60,,6,,,,,,")
    #expect(!example.text(.page).contains("above its capacity for"))
  }

  @Test func causesFileEndsWithRetries() {
    let lines = Example().lines(.causes)
    #expect(lines[0].hasSuffix(",bytes_up,bytes_down,retries"))
    #expect(lines.contains("1,7,api,west,policy,60,0,0,0,0,0,0,0,0,0"))
    #expect(lines.contains("1,82,api,west,policy,120,0,0,0,0,0,0,0,0,60"))
  }

  // MARK: Load and capacity

  @Test func loadSectionReportsOverload() {
    let page = Example().text(.page)
    // Eight peaks of 60 exceed a capacity of 50.
    #expect(page.contains("api is above its capacity for 8\u{A0}s; the phones send 480 requests in that time."))
    #expect(page.contains("class=\"capacity\" d=\"M"))
    #expect(page.contains(">blackout</text>"))
    #expect(page.contains("class=\"spell\" x="))
    var example = Example()
    example.capacity = 60
    #expect(example.text(.page).contains("Endpoint api is never above its capacity."))
    example.capacity = nil
    #expect(!example.text(.page).contains("above its capacity"))
    #expect(!example.text(.page).contains("<path class=\"capacity\""))
  }

  /// 8 s above the capacity, and 20 s under prompt.
  @Test func overloadTimeShowsItsBracket() {
    var report = Example().report
    report.summary = Summary(
      rows: report.summary.rows.map { row in
        var row = row
        if row.metric == .overloadSeconds { row.prompt = .whole(20) }
        if row.metric == .recoveryTime { row.prompt = .whole(90) }
        return row
      })
    let text = loadSection(of: report.content).answer
    #expect(
      plain(text).contains("Endpoint api is above its capacity for 8 s (bracket 8 s to 20 s); the phones send 480"),
      "\(text)")
    let echo = echoSection(of: report.content)?.answer ?? ""
    #expect(plain(echo).contains("recovers 42 min after it ends (bracket 90 s to 42 min)."), "\(echo)")
  }

  /// A recovery that was simulated under prompt but is unknown there is shown as unknown.
  @Test func unknownRecoveryUnderAPresetIsShown() {
    var report = Example().report
    report.summary = Summary(
      rows: report.summary.rows.map { row in
        var row = row
        if row.metric == .overloadSeconds { row.prompt = .whole(20) }
        return row
      })
    let echo = echoSection(of: report.content)?.answer ?? ""
    #expect(plain(echo).contains("recovers 42 min after it ends (bracket 42 min to unknown)."), "\(echo)")
  }

  @Test func theBaseLoadIsPartOfTheLoad() throws {
    var example = Example()
    example.baseLoad = BaseLoad.with {
      $0.rate = 20
      $0.hours = .flat
      $0.zone = "UTC"
    }
    let source = LoadSource(example.report.content)
    #expect(source.course(endpoint: 0)?.room.allSatisfy { $0 == 50 } == true)
    #expect(source.figure(endpoint: 0)?.peak?.rate == 80)
    #expect(source.figure(endpoint: 0, place: .phones)?.peak?.rate == 60)
    #expect(source.course(endpoint: nil)?.room.isEmpty == true)
    #expect(source.course(endpoint: 1)?.room.isEmpty == true)
    #expect(example.text(.page).contains("Requests per second at the servers, base load included, endpoint api"))
    #expect(
      example.text(.page).contains(
        "At most 80 requests per second reach api (base load included), against a capacity of 50."))
  }

  @Test func zeroCapacityIsDrawnAsALine() {
    var example = Example()
    example.capacity = 0
    #expect(LoadSource(example.report.content).course(endpoint: 0)?.room.allSatisfy { $0 == 0 } == true)
    #expect(example.text(.page).contains("class=\"capacity\" d=\"M"))
    #expect(!example.text(.page).withoutScripts.contains("nan"))
  }

  @Test func originsHaveASeparateFigure() {
    var example = Example()
    example.cdn = CDN.with {
      $0.keys = 3
      $0.ttl = .minute
    }
    #expect(example.text(.page).contains("Requests per second at the servers, endpoint api"))
    #expect(example.text(.page).contains("Requests per second at the CDN, endpoint api"))
    #expect(!Example().text(.page).contains("at the CDN"))
  }

  // MARK: Herds

  @Test func synchronizedDevicesAreDetected() {
    let page = Example().text(.page)
    #expect(page.contains("Yes: 100\u{A0}% of the load&#39;s variance repeats every 15\u{A0}min"))
  }

  /// 90 requests at 09:15, on a day with otherwise one a minute, are a herd even though it repeats at no hour; 25 might
  /// be chance in a sample, and are not called one.
  @Test(arguments: [(90, "Yes, but only at certain times"), (25, "No: ")])
  func dailyHerdIsDetected(count: UInt32, opening: String) throws {
    let arrivals = (0..<86_400).map { UInt32($0 == 33_300 ? count : $0 % 60 == 0 ? 1 : 0) }
    var run = SyntheticRun()
    run.replications = [SyntheticRun.replication(arrivals: [arrivals, arrivals.map { _ in 0 }])]
    let provenance = Provenance(version: "1.2.3", resolvedScenario: "")
    let report = Report(result: run.result, summary: Summary(of: run.result), provenance: provenance)
    let section = try #require(herdSection(of: report.content))
    #expect(section.answer.hasPrefix(opening), "\(section.answer)")
  }

  @Test func heatMapShowsEveryMinuteOnce() {
    let figure = HeatPlot(hours: (0..<1_440).map { $0 < 60 ? nil : Double($0 % 9) })
    #expect(figure.cells[0].allSatisfy { $0 == nil })
    #expect(figure.cells[1].prefix(9).map { $0.map(figure.level) } == [6, 7, 8, 0, 1, 2, 3, 4, 5])
    #expect(HeatPlot(hours: Array(repeating: 0, count: 1_440)).level(0) == 0)
    // A tiny value gets a shade, unlike none at all.
    #expect(HeatPlot(hours: (0..<1_440).map { $0 == 0 ? 1_000 : 0.001 }).level(0.001) == 1)
  }

  @Test func stepsNotDividingAMinuteHaveNoHerdSection() {
    var report = Example().report.content
    report.run.scenario.clock.step = .seconds(7)
    #expect(herdSection(of: report) == nil)
  }

  // MARK: Outages

  /// The example's counterpart: the 60 requests at minute 7 of every quarter hour, without retries.
  private static let quiet = StoredTrials(withoutOutages: [
    EndpointTries(endpoint: 0, minutes: (0..<120).map { TryCounts(first: $0 % 15 == 7 ? 60 : 0) })
  ])

  @Test func echoOfAnOutageIsReported() throws {
    var report = Example().report
    report.trials = Self.quiet
    let section = try #require(echoSection(of: report.content))
    // At 01:22 there are 180 in a minute, 3 a second, compared with 60 without the outage; 120 of them are retries and
    // reloads after an error.
    #expect(
      plain(section.answer)
        == "Yes: at 01:22 UTC, api gets 3 requests/s sent by the phones after blackout, versus 1 "
        + "without it (same draws); retries and reloads after an error make up 100 % of the difference. The busiest minute of the 50 "
        + "min after it carries 3 "
        + "requests/s sent by the phones, versus 1 without it. The endpoint recovers 42 min after it ends.")
  }

  @Test func loadWithoutOutageIsNotAnEcho() throws {
    var report = Example().report
    report.result.replications[0].causeMinutes = (0..<120).filter { $0 % 15 == 7 }.map { minute in
      var traffic = Traffic()
      traffic.requests = 60
      return CauseMinute(minute: minute, endpoint: 0, cohort: 0, cause: .policy, traffic: traffic)
    }
    report.trials = Self.quiet
    #expect(
      plain(try #require(echoSection(of: report.content)).answer)
        == "No: retries and reloads after an error add nothing after blackout. The busiest minute of the 50 min after it carries 1 "
        + "requests/s sent by the phones, versus 1 without it. The endpoint recovers 42 min after it ends.")
  }

  @Test func missingTrialReportsNoEcho() throws {
    let section = try #require(echoSection(of: Example().report.content))
    #expect(section.answer.hasPrefix("Not tried: "))
    #expect(plain(section.answer).hasSuffix("The endpoint recovers 42 min after it ends."))
  }

  private func plain(_ text: String) -> String { text.replacing("\u{A0}", with: " ").replacing("\u{202F}", with: "") }

  /// The example's servers are full when the outage starts, so their recovery from it is unknown.
  @Test func alreadyOverloadedEndpointHasNoRecovery() throws {
    var report = Example().report
    for step in 0..<7_200 {
      report.result.replications[0].backend?.records[0][step].backlog = 1_000
    }
    report.summary = Summary(of: report.result)
    #expect(
      try #require(echoSection(of: report.content)).answer.hasSuffix(
        "Recovery is unknown: the endpoint was not healthy when the outage started."))
  }

  @Test func outageWithoutStartOrEndHasNoEchoSection() throws {
    var example = Example()
    example.outage = (3_600, 9_000)
    #expect(
      try #require(echoSection(of: example.report.content)).answer.hasSuffix("until the end of the measured period."))
    example.outage = (0, 7_200)
    var report = example.report
    report.trials = Self.quiet
    #expect(try #require(echoSection(of: report.content)).answer.hasPrefix("Unknown for blackout"))
    for outage in [(-900, -60), (7_200, 9_000)] as [(Int64, Int64)] {
      example.outage = outage
      #expect(echoSection(of: example.report.content) == nil)
    }
    example.outage = nil
    #expect(echoSection(of: example.report.content) == nil)
  }
}
