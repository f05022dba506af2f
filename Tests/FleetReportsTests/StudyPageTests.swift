import Scenario
import SimulationKernel
import Testing

@testable import FleetReports
@testable import Studies
@testable import SyntheticResults

/// The pages of studies as seen by a browser and an attacker.
struct StudyPageTests {
  private static let hostile = [
    "</title><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "]]><svg onload=alert(1)>",
    "&lt;b&gt; &#x3C;script&#x3E;", "</style><base href=//evil.test/>", "\u{202E}gnp.exe", "\u{0}\u{1B}[31m", "天気🌦",
  ]

  // MARK: Comparisons

  /// Returns two runs compared with a base, with a text from the user everywhere.
  private func comparisons(
    _ text: String, replications: Int = 2, hasLoad: Bool = true, isWhole: Bool = false
  ) throws -> [RunComparison] {
    let runs = [1, 2, 3].map { number -> ComparedRun in
      var example = ExampleReport()
      (example.run.name, example.run.description) = (text, text)
      example.run.kinds = [text, "x" + text]
      if isWhole { example.run.fleetDevices = example.run.simulated }
      example.run.endpoints = [text, text + "y"]
      example.run.cohorts = ["c" + text, text]
      example.run.replications = Array(example.run.replications.prefix(replications))
      for index in example.run.replications.indices {
        example.run.replications[index].load[0].arrivals[77] += UInt32(5 * number + index)
        example.run.replications[index].groups[0].dataAge.record(.hours(Int64(number)))
      }
      let report = example.report
      var run = ComparedRun(
        name: text, version: "1", scenario: report.result.scenario,
        resolvedScenario: text, devicesSimulated: 100, summary: report.summary,
        distributions: Distributions(of: report.result))
      run.load = hasLoad ? StoredRun(of: report.result) : nil
      return run
    }
    let condition = ChangeCondition(
      text: "requests > +1% " + text, figure: FigureName(.requests, .total), comparison: .more,
      change: .relative(0.01))
    return runs.dropFirst().enumerated().map { index, new in
      let difference = ScenarioDifference(path: "key", base: text + "0", new: text + "\(index + 1)")
      return RunComparison(runs[0], new, differences: [difference], conditions: [condition], minimum: 0.0001)
    }
  }

  private func page(_ comparisons: [RunComparison]) -> String {
    String(decoding: comparisonPage(of: comparisons, version: "1"), as: UTF8.self)
  }

  @Test(arguments: hostile) func hostileTextKeepsComparisonStructure(_ text: String) throws {
    let harmless = try #require(PageStructure(page(try comparisons("harmless"))))
    let page = page(try comparisons(text))
    let attacked = try #require(PageStructure(page))
    #expect(attacked.elements == harmless.elements)
    #expect(!page.contains("<img") && page.ranges(of: "<script").count == page.ranges(of: "</script>").count)
    #expect(!attacked.attributeNames.contains { $0.hasPrefix("on") })
  }

  /// Conditions come first, then differences; every name that is referenced exists once.
  @Test func comparisonSectionsAreInOrder() throws {
    let structure = try #require(PageStructure(page(try comparisons("a"))))
    let order = ["conditions", "differences", "load", "figures", "distributions", "runs"]
    #expect(structure.ids.filter(order.contains) == order)
    #expect(Set(structure.ids).count == structure.ids.count)
    #expect(structure.references.allSatisfy(Set(structure.ids).contains))
  }

  /// There is one drawing for all endpoints and one for each, with every run in it.
  @Test func everyLoadChartShowsEveryRun() throws {
    let page = page(try comparisons("a"))
    #expect(page.ranges(of: "data-zoom=").count == 3)
    #expect(page.ranges(of: "class=\"overlay tint-2\"").count == 6)
    #expect(page.contains("new 2: a"))
  }

  @Test func withoutLoadsThereIsNoScript() throws {
    let page = page(try comparisons("a", hasLoad: false))
    #expect(PageStructure(page) != nil)
    #expect(!page.contains("<script") && !page.contains("script-src") && !page.contains("id=\"load\""))
  }

  /// With one replication of a whole fleet, dots have no invented intervals; a sample's peaks have their own.
  @Test func oneReplicationHasNoIntervals() throws {
    let page = page(try comparisons("a", replications: 1, isWhole: true))
    #expect(PageStructure(page) != nil)
    #expect(self.page(try comparisons("a", replications: 1)).contains("class=\"whisker"))
    #expect(!page.contains("class=\"whisker") && page.contains("class=\"dot"))
    let columns = page.split(separator: "<th").dropFirst().compactMap { $0.split(separator: "</th>").first }
    #expect(!columns.contains { $0.contains("interval") }, "\(columns)")
    #expect(page.ranges(of: "One pair of replications gives no interval").count == 1)
  }

  // MARK: Sweeps

  private func study(_ text: String, axes count: Int = 2, goals: Bool = true) -> SweepStudy {
    let keys = (0..<count).map { "kinds.\(text).\($0)" }
    let axes = keys.map {
      SweepAxis(path: $0, scale: .categorical, values: [SweepValue(text), SweepValue("b" + text)])
    }
    let peak = FigureName(.peakRPS, .max, Labels().with(\.endpoint, text).with(\.window, "1s"))
    let goal = Goal(
      id: text, text: text, figure: peak, comparison: .atMost, limit: .value(15), severity: .error)
    let runs = (0..<(1 << count)).map { number -> SweepRun in
      let peakRow = SummaryRow(
        peak.metric, peak.labels, .max, replications: [10.9, 11.1].map { .real($0 + Double(5 * number)) })
      let stale = SummaryRow(
        .staleViews, Labels(), .share, replications: [0.5, 0.52].map { .real($0 / Double(number + 1)) })
      let summary = Summary(rows: [peakRow, stale])
      return SweepRun(
        values: (0..<count).map { axes[$0].values[number >> $0 & 1] }, replications: 2, summary: summary,
        goals: goals ? [goal] : [])
    }
    return SweepStudy(axes: axes, goals: goals ? [goal] : [], runs: runs)
  }

  private func manifest(_ text: String) -> SweepManifest {
    SweepManifest(
      provenance: Provenance(version: "1", resolvedScenario: text), method: "grid", scenario: text, seed: 1)
  }

  private func sweepPage(_ study: SweepStudy, _ text: String) -> String {
    let bytes = SweepFile.page.bytes(of: study, SweepEffects(of: study), manifest(text)) ?? []
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: hostile, [false, true]) func hostileTextKeepsStudyPageStructure(_ text: String, goals: Bool) throws {
    let pages = ["harmless", text].map { sweepPage(study($0, goals: goals), $0) }
    let structures = try pages.map { try #require(PageStructure($0)) }
    // The position of a label depends on its length.
    #expect(structures[0].elements.filter { $0 != "text" } == structures[1].elements.filter { $0 != "text" })
    #expect(!pages[1].contains("<img") && !pages[1].contains("<script"))
    #expect(!structures[1].attributeNames.contains { $0.hasPrefix("on") })
  }

  @Test func sweepSectionsAreInOrder() throws {
    let structure = try #require(PageStructure(sweepPage(study("a", goals: false), "a")))
    let order = ["verdict", "maps", "settings", "front", "effects", "varied"]
    #expect(structure.ids.filter(order.contains) == order)
    #expect(Set(structure.ids).count == structure.ids.count)
    #expect(structure.references.allSatisfy(Set(structure.ids).contains))
  }

  /// One map per pair of keys and figure; with one key, a curve instead; three keys make three pairs.
  @Test(arguments: [(1, 0, 2), (2, 2, 0), (3, 6, 0)]) func mapsComeInPairs(_ keys: Int, _ maps: Int, _ courses: Int) {
    let page = sweepPage(study("a", axes: keys, goals: false), "a")
    #expect(page.ranges(of: /id="map-[0-9]-[0-9]-wide-title"/).count == maps)
    #expect(page.ranges(of: /id="course-[0-9]-wide-title"/).count == courses)
  }

  /// The report contains both the required and the achieved precision.
  @Test func reportShowsRequestedPrecision() {
    let example = ExampleReport()
    var report = example.report
    #expect(!String(decoding: ReportFile.page.bytes(of: report), as: UTF8.self).contains("Requested: every"))
    for (share, says) in [(0.5, "at most 40 replications: 2 were enough."), (0.0001, "mean_rps{window=1min} within")] {
      report.precision = RequiredPrecision(share: share, maxReplications: 40)
      let page = String(decoding: ReportFile.page.bytes(of: report), as: UTF8.self)
      #expect(page.contains(says))
      #expect(PageStructure(page) != nil)
    }
  }
}
