import Calibration
import Scenario
import SimulationKernel
import Testing

@testable import FleetReports

/// The contents of a calibration's page, and the absence of anything else.
struct CalibrationPageTests {
  private typealias Example = ExampleCalibration

  // MARK: The verdict

  @Test func contradictionsComeFirst() {
    var example = Example()
    example.findings.append(Example.contradiction)
    let answer = example.answer
    #expect(answer.word == "DOES NOT HOLD" && answer.tone == .bad)
    #expect(
      answer.reasons.first
        == "the log contradicts 1 value in your own code: kinds.weather.reload.after is 30\u{A0}min (29.7\u{A0}min to "
        + "30.3\u{A0}min), not 1h")
  }

  @Test func differentPolicyIsDescribedInWords() {
    var example = Example()
    example.findings = [
      Example.finding(
        "kinds.weather.reload.after", written: "1h", known: 3_600, 0, reason: .wallMarks, .span, isOtherPolicy: true)
    ]
    #expect(example.answer.line.contains("is 1h, but the log has runs at fixed clock times"))
  }

  /// With every kind of finding and a dirty log, each list names three and counts the rest.
  @Test func calibrationListsAreShort() {
    var example = Example()
    example.hole = 100_000_000..<110_000_000
    example.findings = (0..<9).flatMap { number in
      [
        Example.finding("kinds.k\(number).reload.after", written: "1h", known: 3_600, 1_800, .span),
        Example.finding("fleet.f\(number)", written: "9", known: 9, 40),
        Example.finding("os.o\(number)", written: "9", known: 9, 0, verdict: .notFromThisLog),
      ]
    }
    let answer = example.answer
    #expect(answer.reasons.count == 2 && answer.caveats.count == 3)
    #expect(answer.reasons.allSatisfy { $0.contains("and 6 others") } && answer.caveats[2].contains("(WF612)"))
  }

  /// The busiest hour of 1 000 phones, with about 4 % of chance: a deviation above 10 % is reported, and one above 25 %
  /// prevents the file from being written.
  @Test(arguments: [
    (1.0, false, false), (1.1, false, false), (1.2, true, false), (0.8, true, false), (1.6, true, true),
  ])
  func missedBusiestHourIsReported(level: Double, isSaid: Bool, isSevere: Bool) {
    var example = Example()
    (example.phones, example.days, example.level) = (1_000, 2, level)
    var report = example.report
    let table = String(decoding: calibrationTable(of: report), as: UTF8.self).split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    #expect(table.contains("WF640 In the busiest hour") == isSaid, "\(table)")
    #expect(CalibrationAnswer(report).answer.line.contains("busiest hour") == isSaid)
    if isSaid { #expect(table.contains(level > 1 ? "more requests" : "fewer requests")) }
    #expect(report.isWithheld == isSevere && report.files.contains(.calibrated) != isSevere)
    report.isForced = true
    #expect(!report.isWithheld && report.files.contains(.calibrated) && report.files.contains(.patch))
  }

  /// Forty phones make an hour of about 130 requests, with 25 % of chance: a deviation of 20 % is not reported.
  @Test func chanceDeviationIsNotAMisfit() {
    var example = Example()
    (example.days, example.level) = (2, 1.2)
    #expect(!String(decoding: calibrationTable(of: example.report), as: UTF8.self).contains("WF640"))
  }

  @Test func calibrationHoldsWithoutContradictions() {
    var example = Example()
    #expect(example.answer.word == "HOLDS IN PART" && example.answer.reasons[0] == "your own code was not checked")
    example.findings.append(Example.finding("kinds.weather.reload.after", written: "30min", known: 1_800, 1_800, .span))
    #expect(
      example.answer.reasons == [
        "nothing in the log contradicts your own code", "the simulated load follows the measured one",
      ])
    #expect(example.answer.word == "HOLDS" && example.answer.tone == .good)
  }

  @Test func distantLoadIsNotTrusted() {
    var example = Example()
    example.level = 1.6
    example.findings.append(Example.finding("kinds.weather.reload.after", written: "30min", known: 1_800, 1_800, .span))
    #expect(example.answer.line.hasPrefix("DOES NOT HOLD: the simulated load does not follow the measured one."))
    #expect(example.answer.caveats[0].contains("too far off for planning"))
  }

  @Test func uninformativeLogGivesNoVerdict() {
    var example = Example()
    example.findings = [Example.finding("os.idle.give_up", written: "4h", known: 14_400, 0, verdict: .notFromThisLog)]
    #expect(example.answer.line.hasPrefix("CANNOT TELL: no scenario value can be estimated from the log."))
  }

  @Test func otherWrongValuesAreNamed() {
    var example = Example()
    example.findings = [Example.finding("fleet.devices", written: "60", known: 60, 40)]
    #expect(
      example.answer.reasons == [
        "your own code was not checked", "1 other value wrong: fleet.devices is 40, not 60",
      ])
  }

  // MARK: The page

  @Test func sectionsStandInTheirOrder() throws {
    let structure = try #require(PageStructure(Example().page))
    let order = ["verdict", "load", "parameters", "apart", "wakes", "residuals", "next", "read", "privacy"]
    #expect(structure.ids.filter(order.contains) == order)
    #expect(Set(structure.ids).count == structure.ids.count)
    #expect(structure.references.allSatisfy(Set(structure.ids).contains))
  }

  @Test(arguments: ["</title><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "]]><svg onload=alert(1)>"])
  func hostileTextLeavesTheStructure(_ text: String) throws {
    func example(_ text: String) -> ExampleCalibration {
      var example = Example()
      example.kind = text
      example.findings = [
        Example.finding("kinds.\(text).reload.after", written: text, known: 3_600, 1_800, .span),
        Example.finding("os.\(text)", written: text, known: 9, 0, verdict: .notFromThisLog),
      ]
      return example
    }
    let harmless = try #require(PageStructure(example("harmless").page))
    let page = example(text).page
    let attacked = try #require(PageStructure(page))
    #expect(attacked.elements == harmless.elements)
    #expect(!page.contains("<img") && page.ranges(of: "<script").count == page.ranges(of: "</script>").count)
    #expect(!attacked.attributeNames.contains { $0.hasPrefix("on") })
  }

  /// Names of files and servers are not on the page, even if a server is at fault.
  @Test func pageContainsNoPersonalOrFileNames() {
    var example = Example()
    example.hole = 100_000_000..<110_000_000
    let page = example.page
    #expect(!page.contains("secret") && !page.contains("/home"))
    #expect(page.contains("kept only in memory and discarded"))
    var report = example.report
    report.keepsKey = true
    let kept = String(decoding: calibrationPage(of: report), as: UTF8.self)
    #expect(kept.contains("the pseudonyms are personal data") && !kept.contains("discarded"))
  }

  @Test func pageReportsMissingIDs() throws {
    var example = Example()
    (example.hasIDs, example.days) = (false, 6)
    let page = example.page
    #expect(PageStructure(page) != nil)
    #expect(page.contains("; no ids.") && page.contains("id=\"spectrum-wide-title\""))
    #expect(page.contains("No field that identifies senders was read."))
    #expect(ApartSentences(report: example.report).products.contains { $0.hasPrefix("User differences, the budget") })
  }

  // MARK: What the log lacks, and the advice

  @Test func keysWithTheSameReasonAreGrouped() {
    var example = Example()
    example.findings = ["a", "b", "c"].map {
      Example.finding(
        "os.\($0)", written: "1", known: 1, 2, verdict: $0 == "c" ? .weakly : .notFromThisLog,
        reason: $0 == "c" ? .wideInterval : .tooFewDays, .number)
    }
    #expect(
      ApartSentences(report: example.report).refused == [
        "os.a, os.b: too few days.", "os.c at about 2 (1.98 to 2.02): weakly known, the interval is too wide.",
      ])
  }

  @Test func jitterIsNamedOnlyIfSet() {
    var report = Example().report
    #expect(!ApartSentences(report: report).products.contains { $0.contains("jitter") })
    report.base.kinds[0].jitter = Jitter()
    #expect(ApartSentences(report: report).products[0].hasPrefix("kinds.weather.jitter and os.start_delay"))
  }

  /// The log's lines have no durations; every other piece of advice has its reason in this log.
  @Test(arguments: [
    (Estimate.Reason.noErrors, "A log that covers an outage, if there was one"),
    (.tooFewDays, "Seven days or more (this log has 3)"),
    (.onlyProduct, "The widget's own parameter on its requests, w=<kind>.<instance hash>.<seq>.<due minute>.<why>"),
  ])
  func onlyUsefulLogFieldsAreAdvised(_ reason: Estimate.Reason, _ advice: String) {
    var example = Example()
    let durations = "The duration of each response (nginx: $request_time)"
    #expect(LogAdvice(report: example.report).all.map(\.what) == [durations])
    example.findings = [Example.finding("os.a", written: "", known: nil, 0, verdict: .notFromThisLog, reason: reason)]
    #expect(Set(LogAdvice(report: example.report).all.map(\.what)) == [durations, advice])
  }

  @Test func missingIDIsAdvisedFirst() {
    var example = Example()
    example.hasIDs = false
    #expect(LogAdvice(report: example.report).all.first?.what == "An installation id")
  }
}
