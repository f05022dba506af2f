package import FleetReports
import Scenario
import ScenarioFiles

@testable import FleetEngine
@testable package import Studies

/// A results folder as small as one can be that has something of everything, and what is drawn from it.
package struct SmallFolder {
  /// By name.
  package let files: [ReportFile: [UInt8]]

  package var texts: [ReportFile: String] { files.mapValues { String(decoding: $0, as: UTF8.self) } }

  private static let names: [ReportFile] = [
    .manifest, .summaryDocument, .load, .causes, .distribution, .hours, .asked,
  ]

  /// A sample, two replications, a queue, a CDN, goals.
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

  static func scenario() throws -> Scenario {
    let outcome = ScenarioReader.read(text: Array(text.utf8), fileName: "small.yaml")
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
    let report = Report(
      result: result, summary: summary,
      goals: scenario.goals.map { GoalResult($0, summary, Bracket(summaries: [:])) },
      provenance: Provenance(version: "1", resolvedScenario: scenario.resolvedText))
    files = Dictionary(
      uniqueKeysWithValues: Self.names.map { ($0, $0.bytes(of: report)) })
  }

  /// Each file with the byte before it that says which it is.
  var seeds: [[UInt8]] {
    Self.names.enumerated().map { number, name in [UInt8(number)] + (files[name] ?? []) }
  }

  /// Draws the folder with other bytes for one file.
  func broken(_ bytes: [UInt8]) -> String? {
    guard let first = bytes.first, Int(first) < Self.names.count else { return nil }
    var changed = files
    changed[Self.names[Int(first)]] = Array(bytes.dropFirst())
    do { _ = try Self.draw(changed) } catch { return error.sentence.isEmpty ? "an error without a sentence" : nil }
    return nil
  }

  /// What `report` and `compare --page` do with a folder.
  ///
  /// - Returns: the length of what was drawn.
  package static func draw(
    _ folder: [ReportFile: [UInt8]], isCompared: Bool = true
  ) throws(StoredFileError) -> Int {
    func bytes(_ file: ReportFile) -> [UInt8] { folder[file] ?? [] }
    let manifest = try StoredManifest(bytes(.manifest))
    guard let scenario = ScenarioReader.read(text: Array(manifest.resolvedScenario.utf8), fileName: "a").scenario else {
      return 0
    }
    let summary = try StoredSummary(bytes(.summaryDocument))
    let files = StoredRun.Files(
      load: bytes(.load), causes: bytes(.causes), distribution: bytes(.distribution), hours: bytes(.hours),
      asked: bytes(.asked))
    let run = try StoredRun(manifest, scenario, [], files)
    let content = ReportContent(
      run: run, summary: summary.summary, goals: try summary.goalResults(of: scenario),
      provenance: Provenance(version: manifest.version, resolvedScenario: manifest.resolvedScenario),
      precision: manifest.precision)
    let distributions = try StoredDistributions(bytes(.distribution), Scale(of: run))
    var length = reportPage(of: content).count
    guard isCompared else { return length }
    var side = ComparedRun(
      name: "a", version: manifest.version, scenario: scenario, resolvedScenario: manifest.resolvedScenario,
      devicesSimulated: manifest.devicesSimulated, summary: summary.summary, distributions: distributions)
    side.load = try StoredRun(loadOf: manifest, scenario, [], bytes(.load))
    length += comparisonPage(of: [try RunComparison(side, side, conditions: [], least: 0)], version: "1").count
    return length
  }
}
