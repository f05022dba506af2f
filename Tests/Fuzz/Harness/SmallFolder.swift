package import FleetReports
import Scenario
import ScenarioFiles

@testable import FleetEngine
@testable package import Studies

/// The smallest results that contain all parts, and their drawings.
package struct SmallFolder {
  package let results: RunFile

  private static let version = "1"

  /// A scenario with a sample, two replications, a queue, a CDN and goals.
  static let text = """
    schema: widgetfleet/v1
    name: small
    clock: {start: 2027-01-18T08:00:00Z, duration: 10min, settle: 0s, warmup: 1h, step: 10s}
    run: {simulate: 8, replications: 2}
    app: {reloads: [{when: open, kinds: all}]}
    kinds:
      weather:
        reload: {after: 5min}
        requests: [{endpoint: api, up: 1kB, down: 20kB}, {endpoint: edge}]
        cache: {ttl: 2min}
        stale_after: 1min
    fleet:
      devices: 20
      cohorts:
        - name: all
          zones: {Europe/Berlin: 100%}
          person: {unlocks_per_day: 400}
          network: {wifi: 40%}
          widgets: [{kind: weather}]
    os: {min_spacing: 1min, budget: {capacity: 20/day}}
    backend:
      endpoints:
        api: {capacity: 1/s, queue: 20}
        edge: {cdn: {keys: 3, ttl: 2min}}
    goals: [{id: enough, assert: peak_rps <= 7/s}]
    """

  /// - Parameter change: changes the text.
  static func scenario(_ change: (String) -> String = { $0 }) throws -> Scenario {
    let outcome = ScenarioReader.read(text: Array(change(text).utf8), fileName: "small.yaml")
    guard let scenario = outcome.scenario else { throw Unprepared(reason: outcome.diagnostics.humanText) }
    return scenario
  }

  package init() throws {
    let scenario = try Self.scenario()
    let engine = try Engine(preparing: scenario, zones: zoneTables(for: scenario))
    guard let result = try engine.run(threads: 2, control: RunControl()) else {
      throw Unprepared(reason: "the run was stopped")
    }
    let summary = Summary(of: result)
    var report = Report(
      result: result, summary: summary,
      goals: scenario.goals.map { GoalResult($0, summary, Bracket(summaries: [:])) },
      provenance: Provenance(version: Self.version, resolvedScenario: scenario.resolvedText))
    report.phones = try TypicalPhone.all(result, engine)
    results = RunFile(content: report.content, distributions: Distributions(of: result))
  }

  /// Draws results with different bytes, under a matching checksum.
  static func broken(_ bytes: [UInt8]) -> String? {
    do { _ = try draw(bytes) } catch { return error.sentence.isEmpty ? "an error without a sentence" : nil }
    return nil
  }

  /// Draws a folder as `report` and `compare --page` do.
  ///
  /// - Parameter fields: the fields of its file, without header and checksum.
  /// - Returns: the length of the drawing.
  package static func draw(_ fields: [UInt8], isCompared: Bool = true) throws(StoredFileError) -> Int {
    let results = try RunFile(RunFile.sealed(fields, version: version), version: version) { text in
      ScenarioReader.read(text: Array(text.utf8), fileName: "a").scenario
    }
    let (run, provenance) = (results.content.run, results.content.provenance)
    let length = reportPage(of: results.content).count
    guard isCompared else { return length }
    let side = ComparedRun(
      name: "a", version: version, scenario: run.scenario, resolvedScenario: provenance.resolvedScenario,
      devicesSimulated: run.devicesSimulated, summary: results.content.summary, distributions: results.distributions,
      load: run)
    let comparison = RunComparison(side, side, conditions: [], minimum: 0)
    return length + comparisonPage(of: [comparison], version: version).count
  }
}
