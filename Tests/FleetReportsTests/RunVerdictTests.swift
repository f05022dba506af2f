import Scenario
import SimulationKernel
import Studies
import Testing

@testable import FleetReports
@testable import SyntheticResults

/// The conclusion from a run: one sentence for the page and the terminal.
struct RunVerdictTests {
  /// Returns one endpoint with 10 requests per second, and `peak` in second 3 600 of the day.
  private static func report(
    peak: UInt32, capacity: Double? = nil, goals: [Goal] = [], prompt: Double? = nil, isSample: Bool = false,
    zones: [String: ZoneTable] = [:], window: String = "1s"
  ) -> Report {
    var run = SyntheticRun()
    run.endpoints = ["api"]
    run.step = .second
    var arrivals = Array(repeating: UInt32(10), count: 86_400)
    arrivals[3_600] = peak
    run.replications = [SyntheticRun.replication(arrivals: [arrivals])]
    if isSample { run.fleetDevices = 1_000 }
    var result = run.result
    result.scenario.endpoints[0].capacity = capacity
    result.scenario.goals = goals
    var rows: [SummaryRow] = []
    for endpoint in ["", "api"] {
      let labels = Labels().with(\.endpoint, endpoint).with(\.window, window)
      var row =
        isSample
        ? SummaryRow(
          .peakRPS, labels, .max, replications: [.real(Double(peak))],
          bounds: [Interval(low: Double(peak) - 4, high: Double(peak) + 4)])
        : SummaryRow(.peakRPS, labels, .max, replications: [.whole(Int128(peak))])
      row.prompt = prompt.map { .real($0) }
      row.busiest = [(.start + .seconds(3_600))..<(.start + .seconds(3_601))]
      rows.append(row)
    }
    let summary = Summary(rows: rows)
    let provenance = Provenance(version: "1", resolvedScenario: "")
    let results = goals.map { goal in
      GoalResult(
        goal, summary,
        prompt.map { value in
          Bracket(summaries: [
            .prompt: Summary(
              rows: rows.map { row in
                SummaryRow(row.metric, row.labels, row.statistic, replications: [.real(value)])
              })
          ])
        })
    }
    var report = Report(result: result, summary: summary, goals: results, provenance: provenance)
    report.zones = zones
    return report
  }

  private static func goal(_ limit: Double, _ severity: Goal.Severity = .error, id: String = "peak") -> Goal {
    Goal(
      id: id, text: "peak_rps <= \(limit)/s",
      figure: FigureName(.peakRPS, .max, Labels().with(\.window, "1s")), comparison: .atMost, limit: .value(limit),
      severity: severity)
  }

  /// The last sentence of a sample's verdict.
  private static let size = " 100 of 1 000 phones were simulated (--full: all)."

  /// Returns the verdict, whose sentences have at most 25 words each, not counting numbers.
  private func line(_ report: Report) -> String {
    let line = RunVerdictText(report.content).line.replacing("\u{202F}", with: " ").replacing("\u{A0}", with: " ")
    for sentence in line.split(separator: /[.!?] (?=[A-Z0-9])/) {
      let words = sentence.split(separator: " ").filter { $0.contains(where: \.isLetter) }
      #expect(words.count <= 25, "\(sentence)")
    }
    return line
  }

  /// 80 of 100 is 80 %, 90 of 100 is 90 %; second 3 600 of a day that starts at 0:00 UTC is 1:00.
  @Test func peakBelowCapacityHolds() {
    #expect(
      line(Self.report(peak: 80, capacity: 100, prompt: 90))
        == "HOLDS: your servers peak at 80 of 100 requests/s (80 %). The peak comes at 01:00 UTC. "
        + "The bracket reaches 90 (90 %) under prompt."
    )
    // A preset that changes it by less than 1 % is not mentioned.
    #expect(
      line(Self.report(peak: 80, capacity: 100, prompt: 80.5))
        == "HOLDS: your servers peak at 80 of 100 requests/s (80 %). The peak comes at 01:00 UTC.")
  }

  /// Servers that never exceed their capacity or, under prompt, do so for only a small part of the allowed time.
  @Test(arguments: [(0.5, "."), (7, ". The bracket reaches 7 s under prompt.")]) func tinyShareOfALimitIsNotWorse(
    prompt: Double, ending: String
  ) {
    let labels = Labels().with(\.endpoint, "api")
    let goal = Goal(
      id: "overload", text: "overload_seconds{endpoint=api} <= 60s",
      figure: FigureName(.overloadSeconds, .total, labels), comparison: .atMost, limit: .value(60), severity: .error)
    var report = Self.report(peak: 80)
    var row = SummaryRow(.overloadSeconds, labels, .total, replications: [.whole(0)])
    row.prompt = .real(prompt)
    report.summary = Summary(rows: report.summary.rows + [row])
    report.goals = [
      GoalResult(
        goal, report.summary,
        Bracket(summaries: [
          .prompt: Summary(rows: [SummaryRow(.overloadSeconds, labels, .total, replications: [.real(prompt)])])
        ]))
    ]
    #expect(
      line(report)
        == "HOLDS: the servers of api are never above their capacity (goal overload allows at most 60 s)" + ending)
  }

  /// Requests per second in a longer window are a mean, and must not be compared with single seconds.
  @Test(arguments: [("1s", ""), ("10s", " over 10 s"), ("5min", " over 5 min")])
  func longerPeakWindowIsNamed(window: String, words: String) {
    let limited = line(Self.report(peak: 80, capacity: 100, window: window))
    #expect(limited == "HOLDS: your servers peak at 80 of 100 requests/s (80 %)\(words). The peak comes at 01:00 UTC.")
    let unlimited = line(Self.report(peak: 80, window: window))
    #expect(
      unlimited.hasPrefix("NO LIMIT SET: your servers peak at 80 requests/s\(words). The peak comes at 01:00 UTC."),
      "\(unlimited)")
  }

  @Test func peakAtCapacityHoldsButAboveFails() {
    #expect(line(Self.report(peak: 100, capacity: 100)).hasPrefix("HOLDS: "))
    #expect(
      line(Self.report(peak: 101, capacity: 100))
        == "DOES NOT HOLD: your servers get up to 101 requests/s, 101 % of 100. The peak comes at 01:00 UTC.")
  }

  @Test func presetThatChangesTheVerdictMakesItDepend() {
    let line = line(Self.report(peak: 80, capacity: 100, prompt: 130))
    #expect(line.hasPrefix("DEPENDS on "), "\(line)")
    #expect(
      line.hasSuffix("(80 %). The peak comes at 01:00 UTC. The bracket reaches 130 (130 %) under prompt."), "\(line)")
  }

  /// Under one preset it holds; the other, which makes it worse, is shown too.
  @Test func worsePresetIsNamedBesideTheDecisiveOne() {
    var report = Self.report(peak: 101, capacity: 100, prompt: 117)
    report.summary = Summary(
      rows: report.summary.rows.map { row in
        var row = row
        row.lazy = .real(90)
        return row
      })
    let line = line(report)
    #expect(line.hasPrefix("DEPENDS on "), "\(line)")
    #expect(line.hasSuffix(" The bracket reaches 117 (117 %) under prompt and 90 (90 %) under lazy."), "\(line)")
  }

  /// 1 % of the requests to the servers fail, and 93 % under `prompt`; 1.9 % is less than one percentage point more.
  /// The duration is shown from one minute on.
  @Test(
    arguments: [
      (0.01, 0.93, 0, 59, ", where 93 % of the requests fail instead of 1 %"), (0.01, 0.019, 0, 9_000, ""),
      (0, 0.93, 0, 9_000, ", where 93 % of the requests fail and the servers are above their capacity for 2.5 h"),
      // This is less than 10 % longer than in the scenario itself.
      (0, 0.93, 8_200, 9_000, ", where 93 % of the requests fail"),
    ] as [(Double, Double, Int128, Double, String)])
  func failuresUnderAPresetAreShownBesideItsLoad(
    own: Double, share: Double, before: Int128, seconds: Double, text: String
  ) throws {
    var report = Self.report(peak: 80, capacity: 100, prompt: 130)
    let labels = Labels().with(\.endpoint, "api")
    var failures = SummaryRow(.failures, labels, .share, replications: [.real(own)])
    failures.prompt = .real(share)
    var overload = SummaryRow(.overloadSeconds, labels, .total, replications: [.whole(before)])
    overload.prompt = .real(seconds)
    report.summary = Summary(rows: report.summary.rows + [failures, overload])
    #expect(
      line(report).hasSuffix("01:00 UTC. The bracket reaches 130 (130 %\(text)) under prompt."), "\(line(report))")
  }

  @Test func limitWithinTheIntervalIsInconclusive() {
    let line = line(Self.report(peak: 98, capacity: 100, isSample: true))
    #expect(line.hasPrefix("CANNOT TELL: your servers peak at 98 of 100 requests/s (98 %)"), "\(line)")
    #expect(line.contains("but the 95 % interval, 94/s to 102/s, includes the limit"), "\(line)")
  }

  /// The offered load is shown next to the servers' load, and is the load to plan for.
  @Test(arguments: [
    (
      250.0,
      " The servers would get up to 250 (250 %) if every request were answered. Plan for at least 250 requests/s."
    ),
    // Only retries cause the overload: the capacity is enough.
    (90, " The servers would get up to 90 (90 %) if every request were answered."),
    // Nothing fails.
    (500, " Plan for at least 500 requests/s."),
  ]) func overloadNamesTheOfferedLoad(_ offered: Double, _ words: String) {
    var report = Self.report(peak: 500, capacity: 100)
    let rows = report.summary.rows.map {
      SummaryRow(.offeredPeakRPS, $0.labels, .max, replications: [.whole(Int128(offered))])
    }
    report.summary = Summary(rows: report.summary.rows + rows)
    #expect(line(report).hasPrefix("DOES NOT HOLD: your servers get up to 500 requests/s, 500 % of 100"))
    #expect(line(report).hasSuffix(words), "\(line(report))")
  }

  /// If an assumption decides, its clause gives the only load to plan for.
  @Test func decidingAssumptionGivesTheOnlyLoadToPlanFor() {
    var report = Self.report(peak: 500, capacity: 100)
    let offered = report.summary.rows.map {
      SummaryRow(.offeredPeakRPS, $0.labels, .max, replications: [.whole(500)])
    }
    let peak = FigureName(.peakRPS, .max, Labels().with(\.endpoint, "api").with(\.window, "1s"))
    let late = AssumedEffect(key: "os.start_delay.policy", end: 1, value: .real(60))
    report.summary = Summary(rows: report.summary.rows + offered).assuming([peak: [late]])
    let line = line(report)
    #expect(line.hasPrefix("DEPENDS on how late iOS starts a scheduled refresh"), "\(line)")
    #expect(line.contains("That alone gives 60/s to 500/s: measure it, or plan for 500/s."), "\(line)")
    #expect(!line.contains("Plan for at least"), "\(line)")
  }

  /// The limit, 100, is in the middle of a bar of 240 pixels, so 50 is at 60 and 175 at 210.
  @Test func chipReachesTheEndsOfAssumptions() {
    var result = GoalResult(
      Goal(
        id: "g", text: "", figure: FigureName(.peakRPS, .max, Labels()), comparison: .atMost, limit: .value(100),
        severity: .error),
      Summary(rows: [SummaryRow(.peakRPS, Labels(), .max, replications: [.whole(50)])]), nil)
    result.effects = [AssumedEffect(key: "os.start_delay.policy", end: 0, value: .real(175))]
    var text = TextBuffer()
    Claim(result).chip.write(to: &text)
    let chip = String(decoding: text.bytes, as: UTF8.self)
    #expect(chip.contains("50/s to 175/s") && chip.contains("x1=\"60\"") && chip.contains("x2=\"210\""), "\(chip)")
  }

  @Test func verdictWithoutLimitsNamesTheRequiredCapacity() {
    #expect(
      line(Self.report(peak: 80, prompt: 120))
        == "NO LIMIT SET: your servers peak at 80 requests/s. The peak comes at 01:00 UTC. "
        + "Plan for at least 80 requests/s, 120 under prompt.")
    #expect(
      line(Self.report(peak: 80, isSample: true)).contains(
        "Plan for at least 84 requests/s (the upper end of the 95 % interval)."))
  }

  /// Returns a sample that resolves only minutes.
  private static func minutes(capacity: Double? = nil, second: Double) -> Report {
    var report = report(peak: 80, capacity: capacity, isSample: true, window: "5min")
    let finest = ["", "api"].map { endpoint in
      var row = SummaryRow(
        .peakRPS, Labels().with(\.endpoint, endpoint).with(\.window, "1s"), .max, replications: [.real(70)],
        bounds: [Interval(low: 50, high: second)])
      row.isResolved = false
      return row
    }
    report.summary = Summary(rows: report.summary.rows + finest)
    return report
  }

  /// A capacity that is enough for the mean over minutes may not be enough for each of their seconds.
  @Test(arguments: [(90.0, ""), (93, " The busiest second carries up to 93.")])
  func minuteMeanDoesNotProveSecondPeaksFit(second: Double, end: String) {
    let line = line(Self.minutes(second: second))
    let end = "Plan for at least 84 requests/s (the upper end of the 95 % interval)." + end + Self.size
    #expect(line.hasSuffix(end), "\(line)")
  }

  /// A capacity that single seconds may exceed does not hold either.
  @Test(
    arguments: [
      (100.0, "HOLDS", "01:00 UTC."), (101, "CANNOT TELL", "01:00 UTC. The busiest second carries up to 101."),
    ])
  func secondsAboveCapacityPreventHolding(second: Double, word: String, end: String) {
    let line = line(Self.minutes(capacity: 100, second: second))
    #expect(line.hasPrefix("\(word): your servers peak at 80 of 100 requests/s (80 %) over 5 min"), "\(line)")
    #expect(line.hasSuffix(end + Self.size), "\(line)")
  }

  /// A capacity that single seconds may exceed under a preset does not hold either.
  @Test func secondsAboveCapacityUnderAPresetPreventHolding() {
    var report = Self.minutes(capacity: 100, second: 90)
    report.summary = Summary(
      rows: report.summary.rows.map { row in
        var row = row
        let isFinest = row.labels.window == "1s"
        (row.lazy, row.lazyInterval) = (.real(80), Interval(low: 60, high: isFinest ? 130 : 84))
        return row
      })
    let line = line(report)
    #expect(line.hasPrefix("CANNOT TELL: your servers peak at 80 of 100 requests/s (80 %) over 5 min"), "\(line)")
    #expect(line.hasSuffix(" The busiest second carries up to 130 under lazy." + Self.size), "\(line)")
  }

  /// 80 of 100 holds, and lazy is inconclusive: no page shows HOLDS next to 107 %.
  @Test func inconclusivePresetIsNamedWithItsInterval() {
    var report = Self.report(peak: 80, capacity: 100, isSample: true)
    report.summary = Summary(
      rows: report.summary.rows.map { row in
        var row = row
        (row.lazy, row.lazyInterval) = (.real(107), Interval(low: 99, high: 115))
        return row
      })
    #expect(
      line(report)
        == "CANNOT TELL: your servers peak at 80 of 100 requests/s (80 %). The peak comes at 01:00 UTC. "
        + "The bracket reaches 107 (107 %), 95 % interval 99/s to 115/s, under lazy." + Self.size)
  }

  /// 93 % of the requests fail, 60 of 100 of them by timeout; without a `queue`, all requests wait. With one, they do
  /// not. If 45 of 100 time out and 5 were offline, timeouts are not the reason.
  @Test(
    arguments: [
      (nil, 60, true), (50, 60, false), (nil, 45, false), (nil, 48, true),
    ] as [(Int?, Int128, Bool)])
  func missingQueueIsNamedAsTheReason(queue: Int?, timeouts: Int128, isNamed: Bool) {
    var report = Self.report(peak: 130, capacity: 100)
    report.result.scenario.endpoints[0].queue = queue
    let labels = Labels().with(\.endpoint, "api")
    let counts = [("", 100), ("timeout", timeouts), ("offline", 5)] as [(String, Int128)]
    report.summary = Summary(
      rows: report.summary.rows + [SummaryRow(.failures, labels, .share, replications: [.real(0.93)])]
        + counts.map { reason, count in
          SummaryRow(.failures, labels.with(\.reason, reason), .total, replications: [.whole(count)])
        })
    let clause =
      "93 % of the requests fail, and most of them time out, because no queue is set (backend.endpoints.api.queue): "
      + "all requests wait, however long it takes."
    #expect(line(report).hasSuffix(clause) == isNamed, "\(line(report))")
  }

  /// A sample's verdict shows its size, even if the file sets it; that of all phones does not.
  @Test(arguments: [(SimulatedPhones.count(100), true), (.all, false)])
  func sampledVerdictStatesTheSimulatedPhones(phones: SimulatedPhones, isNamed: Bool) {
    var report = Self.report(peak: 80, capacity: 100, isSample: true)
    report.result.scenario.run.simulate = phones
    #expect(line(report).hasSuffix(Self.size) == isNamed, "\(line(report))")
  }

  /// A span of at most one minute is shown as a single time; a longer one has a start and an end.
  @Test(
    arguments: [
      ([(3_600, 3_660)], ". The peak comes at 01:00 UTC."),
      ([(3_600, 14_400)], ". The peak comes between 01:00 and 04:00 UTC."),
      ([(3_600, 14_400), (60, 61)], ". The peak comes between 01:00 and 04:00 UTC, though another time is possible."),
      ([(0, 86_400)], ". The peak comes at no particular time."),
      (
        (0..<10).map { ($0 * 3_600, $0 * 3_600 + 60) },
        ". The peak comes at 00:00 UTC, though 9 other times are possible."
      ),
      (
        (0..<11).map { ($0 * 3_600, $0 * 3_600 + 60) },
        ". The peak comes at 00:00 UTC, though many other times are possible."
      ),
    ] as [([(Int64, Int64)], String)])
  func peakTimeIsShownAsASpan(spans: [(Int64, Int64)], words: String) {
    var report = Self.report(peak: 80, capacity: 100)
    report.summary = Summary(
      rows: report.summary.rows.map { row in
        var row = row
        row.busiest = spans.map { (.start + .seconds($0.0))..<(.start + .seconds($0.1)) }
        return row
      })
    #expect(line(report) == "HOLDS: your servers peak at 80 of 100 requests/s (80 %)" + words)
  }

  /// Above 3 h a span is no particular time; the busiest minutes are added. Phones in a zone an hour ahead of UTC.
  @Test func widePeakHasNoParticularTime() throws {
    var report = Self.report(peak: 80, capacity: 100)
    let span = { (from: Int64, to: Int64) in
      (Instant.start + .hours(from))..<(Instant.start + .hours(to))
    }
    func words(_ spans: [Range<Instant>]) -> String {
      report.summary = Summary(
        rows: report.summary.rows.map { row in
          var row = row
          row.busiest = spans
          return row
        })
      return line(report)
    }
    #expect(
      words([span(1, 5), span(6, 7)]).contains("The peak comes some time between 01:00 and 05:00 UTC"))
    #expect(!words([span(1, 5), span(6, 7)]).contains("other time"))
    let crest = try #require(Crest(0, of: report.content.run)).minute / 60
    #expect(words([span(Int64(crest), Int64(crest) + 4)]).contains("; the busiest"))
    #expect(!words([span(Int64(crest) + 1, Int64(crest) + 5)]).contains("; the busiest"))
    let zone = FleetZone(
      table: ZoneTable(name: "Europe/Madrid", segments: [.init(from: .longAgo, offset: .hour)]), share: 1)
    let madrid = FleetZone.inProse([span(21, 24)], [zone], .with { $0.duration = .day })
    #expect(madrid == "between 22:00 and 01:00 the next day in Madrid")
    #expect(
      FleetZone.inProse([span(20, 23)], [zone], .with { $0.duration = .day }) == "between 21:00 and 00:00 in Madrid")
  }

  /// 80 % of a capacity of 100/s is 80/s.
  @Test func shareOfTheCapacityIsNamed() {
    var goal = Self.goal(80)
    goal.limit = .share(0.8, ofCapacity: 100)
    let report = Self.report(peak: 60, goals: [goal])
    #expect(line(report).contains("peak at 60 of 80 requests/s (75 %) (80 % of the capacity 100/s)"), "\(line(report))")
    #expect(GoalText.limit(report.goals[0]).replacing("\u{A0}", with: " ") == "80/s (80 % of the capacity 100/s)")
  }

  /// A value just above a limit is not shown as equal to it.
  @Test(
    arguments: [(501, "100.2 % of 500"), (5_002, "just over 100 % of 5 000"), (503, "101 % of 500")]
      as [(UInt32, String)])
  func valueJustAboveLimitIsNotShownAsEqual(peak: UInt32, words: String) {
    let told = line(Self.report(peak: peak, capacity: peak > 1_000 ? 5_000 : 500))
    #expect(told.contains(words), "\(told)")
  }

  @Test func goalsAreLimitsAndWarningsAreNamed() {
    #expect(
      line(Self.report(peak: 80, goals: [Self.goal(60)])).hasPrefix(
        "DOES NOT HOLD: your servers get up to 80 requests/s, 133 % of 60"))
    let warned = Self.report(peak: 80, goals: [Self.goal(100), Self.goal(60, .warning, id: "soon")])
    #expect(
      line(warned)
        == "HOLDS: your servers peak at 80 of 100 requests/s (80 %), goal peak. The peak comes at 01:00 UTC. "
        + "Missed (warnings only): soon."
    )
    let limits = ["a", "b", "c"].map { Self.goal(100, id: $0) }
    #expect(line(Self.report(peak: 80, goals: Array(limits.prefix(2)))).hasSuffix(" Both limits are met: a, b."))
    #expect(line(Self.report(peak: 80, goals: limits)).hasSuffix(" All 3 limits are met: a, b, c."))
    // Missed goals come before met ones, worst first.
    let two = Self.report(
      peak: 80, goals: [Self.goal(70, id: "near"), Self.goal(20, id: "far"), Self.goal(500, id: "ok")])
    #expect(line(two).hasPrefix("DOES NOT HOLD: your servers get up to 80 requests/s, 400 % of 20"))
    #expect(line(two).hasSuffix(" Also missed: near."))
  }

  @Test func goalOnOverloadReplacesTheCapacity() {
    let figure = FigureName(.overloadSeconds, .total, Labels().with(\.endpoint, "api"))
    let goal = Goal(
      id: "brief", text: "overload_seconds{endpoint=api} <= 60s", figure: figure, comparison: .atMost,
      limit: .value(60),
      severity: .error)
    var report = Self.report(peak: 101, capacity: 100)
    report.result.scenario.goals = [goal]
    let row = SummaryRow(.overloadSeconds, figure.labels, .total, replications: [.whole(1)])
    report.summary = Summary(rows: report.summary.rows + [row])
    report.goals = [GoalResult(goal, report.summary, nil)]
    #expect(
      line(report)
        == "HOLDS: the servers of api are above their capacity for 1 s (goal brief allows at most 60 s).")
  }

  @Test func timesUseTheLargestZone() {
    let table = ZoneTable(name: "Europe/Berlin", segments: [.init(from: .longAgo, offset: .hours(1))])
    #expect(
      line(Self.report(peak: 80, capacity: 100, zones: ["Europe/Berlin": table]))
        == "HOLDS: your servers peak at 80 of 100 requests/s (80 %). The peak comes at 02:00 in Berlin.")
  }

  @Test func verdictEndsTheTerminalAndStartsThePage() throws {
    let report = Self.report(peak: 101, capacity: 100)
    let lines = String(decoding: summaryTable(of: report), as: UTF8.self).split(separator: "\n")
    #expect(
      lines.suffix(2).joined(separator: " ").contains(
        "DOES NOT HOLD: your servers get up to 101 requests/s, 101 % of 100"))
    let page = ExampleReport().text(.page)
    #expect(page.contains("<span class=\"word\">DOES NOT HOLD</span>"))
    #expect(page.ranges(of: "<li class=\"chip ").count == ExampleReport().goals.count)
  }

  /// The range drawn on a chip's bar is also given in words.
  @Test func chipsDescribeTheirBracket() {
    let content = Self.report(peak: 80, goals: [Self.goal(100)], prompt: 90).content
    let chips = verdictStrip(of: content).flatMap { $0.elements(named: "li") }.map { $0.plainText }
    #expect(chips.count == 1 && chips[0].hasSuffix("80/s, at most 100/s; bracket 80/s to 90/s"), "\(chips)")
  }
}
