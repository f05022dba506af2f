import FleetEngine
import Scenario
import ScenarioFiles
import Studies
import Testing

/// Small runs that are simulated at once on several threads.
@Suite struct SeveralRunsTests {
  private static func variants(threads: Int, _ control: RunControl = RunControl()) throws -> (Scenario, VariantRuns) {
    let text = """
      schema: widgetfleet/v1
      name: several
      clock: {start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 1h, duration: 2h, step: 10s}
      kinds: {news: {reload: {after: 20min}, requests: [{endpoint: api}]}}
      fleet: {devices: 200, cohorts: [{name: all, zones: {UTC: 100%}, widgets: [{kind: news}]}]}
      backend: {endpoints: {api: {capacity: 5/s, queue: 100}}}
      """
    let scenario = try #require(ScenarioReader.read(text: Array(text.utf8), fileName: "case.yaml").scenario)
    let zones = zoneTables(for: scenario)
    let engine = try Engine(preparing: scenario, zones: zones)
    return (scenario, VariantRuns(of: engine, zones: zones, threads: threads, control: control))
  }

  private static func requests(threads: Int, _ control: RunControl = RunControl()) throws -> [Summary]? {
    let (scenario, variants) = try variants(threads: threads, control)
    return try variants.several(7, devices: 200) { index, variants throws(StudyError) -> Summary? in
      var scenario = scenario
      scenario.run.seed = UInt64(index)
      return try variants.result(of: scenario).map { Summary(of: $0) }
    }
  }

  /// Results come in order and are the same on one, two and more threads than runs.
  @Test func resultsDoNotDependOnThreads() throws {
    let alone = try #require(try Self.requests(threads: 1))
    #expect(alone.count == 7 && Set(alone).count == 7)
    #expect(try Self.requests(threads: 2) == alone)
    #expect(try Self.requests(threads: 9) == alone)
  }

  @Test(arguments: [1, 2]) func cancelledRunsHaveNoResults(_ threads: Int) throws {
    let control = RunControl()
    control.isCancelled.store(true, ordering: .relaxed)
    #expect(try Self.requests(threads: threads, control) == nil)
  }

  /// Of several errors, the first in order is thrown, whichever comes first.
  @Test(arguments: [1, 2]) func firstErrorInOrderIsThrown(_ threads: Int) throws {
    let (_, variants) = try Self.variants(threads: threads)
    let thrown = #expect(throws: StudyError.self) {
      try variants.several(4, devices: 1) { index, _ throws(StudyError) -> Int? in
        guard index > 0 else { return 0 }
        throw .preparation(PreparationError(message: "\(index)"))
      }
    }
    #expect(thrown == .preparation(PreparationError(message: "1")))
  }

  /// Large runs come one after another, each on all threads.
  @Test func largeRunsAreNotSimulatedAtOnce() {
    #expect(RunsAtOnce.count(devices: 1_000, cohorts: 16, threads: 2) == 2)
    #expect(RunsAtOnce.count(devices: 1_000_000, cohorts: 1, threads: 2) == 1)
    #expect(RunsAtOnce.count(devices: 1_000, cohorts: 17, threads: 2) == 1)
  }
}
