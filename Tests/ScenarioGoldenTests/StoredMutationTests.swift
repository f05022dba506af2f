import FleetReports
import Foundation
import Scenario
import ScenarioFiles
import Testing

@testable import FleetEngine
@testable import Studies

/// Every field of every file of a results folder, changed in turn into what it should not hold: the page and a comparison
/// are drawn from it, or it is refused with its place; nothing traps.
struct StoredMutationTests {
  private static let values = [
    "0", "-1", "1", "\(Int64.max)", "\(Int64.min)", "\(Int64(1) << 53)", "9223372036854775808", "\(Int64.max / 2)",
    "1e300", "-1e300", "1e-9", "nan", "inf", "", "x", "null", "{}", String(repeating: "9", count: 38),
    String(repeating: "9", count: 400),
  ]

  /// In the long form every value for every field; else every eighth, from another one on at each place.
  private static func values(at place: Int) -> [String] {
    StudySample.isLong ? values : stride(from: place % 8, to: values.count, by: 8).map { values[$0] }
  }

  /// As small as a folder can be that has something of everything: a sample, two replications, a queue, a CDN, goals.
  private static let text = """
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

  /// The files of a folder by name, as text.
  private static let folder: Result<[ReportFile: String], any Error> = Result {
    let outcome = ScenarioReader.read(text: Array(text.utf8), fileName: "small.yaml")
    let scenario = try #require(outcome.scenario, "\(outcome.diagnostics.humanText)")
    let engine = try Engine(preparing: scenario, zones: zoneTables(for: scenario))
    let result = try #require(try engine.run(threads: 2, control: RunControl()))
    let summary = Summary(of: result)
    let report = Report(
      result: result, summary: summary,
      goals: scenario.goals.map { GoalResult($0, summary, Bracket(summaries: [:])) },
      provenance: Provenance(version: "1", resolvedScenario: scenario.resolvedText))
    let files: [ReportFile] = [.manifest, .summaryDocument, .load, .causes, .distribution, .radios]
    return Dictionary(uniqueKeysWithValues: files.map { ($0, String(decoding: $0.bytes(of: report), as: UTF8.self)) })
  }

  /// What `report` and `compare --page` do with a folder.
  ///
  /// - Returns: the length of what was drawn.
  private static func draw(
    _ folder: [ReportFile: String], isCompared: Bool = true
  ) throws(StoredFileError) -> Int {
    func bytes(_ file: ReportFile) -> [UInt8] { Array((folder[file] ?? "").utf8) }
    let manifest = try StoredManifest(bytes(.manifest))
    guard let scenario = ScenarioReader.read(text: Array(manifest.resolvedScenario.utf8), fileName: "a").scenario else {
      return 0
    }
    let summary = try StoredSummary(bytes(.summaryDocument))
    let files = StoredRun.Files(
      load: bytes(.load), causes: bytes(.causes), distribution: bytes(.distribution), radios: bytes(.radios))
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

  private static func check(_ folder: [ReportFile: String], _ file: ReportFile, _ what: String) {
    // Causes and radios are not compared.
    let isCompared = file != .causes && file != .radios
    do { #expect(try draw(folder, isCompared: isCompared) > 0, "\(what)") } catch {
      guard case .damaged(let line, let column, _) = error.fault else { return }
      #expect(line != nil || column != nil || error.file == "causes.csv", "\(what): \(error.sentence)")
    }
  }

  @Test func theFolderItselfIsDrawn() throws {
    let folder = try Self.folder.get()
    #expect(try Self.draw(folder) > 10_000)
    for (file, text) in folder { #expect(text.split(separator: "\n").count > 3, "\(file.rawValue) has hardly a row") }
  }

  @Test(arguments: [ReportFile.load, .causes, .distribution, .radios])
  func everyFieldOfATable(_ file: ReportFile) throws {
    let folder = try Self.folder.get()
    let lines = try #require(folder[file]).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for row in Self.rows(of: lines, file) {
      let fields = lines[row].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      for column in fields.indices {
        for value in Self.values(at: row + column) where value != fields[column] {
          var (changed, spoiled) = (lines, fields)
          spoiled[column] = value
          changed[row] = spoiled.joined(separator: ",")
          var other = folder
          other[file] = changed.joined(separator: "\n")
          Self.check(other, file, "\(file.rawValue), line \(row + 1), column \(column + 1): \(value.prefix(40))")
        }
      }
    }
  }

  /// One row of each sort, as the word in it tells: the endpoint, the metric or the quantity.
  private static func rows(of lines: [String], _ file: ReportFile) -> [Int] {
    let column: [ReportFile: Int] = [.load: 2, .causes: 2, .distribution: 1, .radios: 3]
    let read = ["api", "edge", "runs_per_day", "data_age", "budget_exhausted_hour", "lateness"]
    var seen: Set<String> = []
    return lines.indices.dropFirst().filter { row in
      let fields = lines[row].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard let word = column[file].flatMap({ fields.indices.contains($0) ? fields[$0] : nil }) else { return false }
      return (file == .radios || read.contains(word)) && seen.insert(word).inserted
    }
  }

  @Test(arguments: [ReportFile.manifest, .summaryDocument])
  func everyKeyOfADocument(_ file: ReportFile) throws {
    let folder = try Self.folder.get()
    let text = try #require(folder[file])
    var seen: [String: Int] = [:]
    for match in text.matches(of: #/"([a-z_0-9]+)": (-?[0-9][^,\s\]}]*|null|true|false|"[^"\\]*"|\[[^\]{]*\])/#) {
      seen[String(match.1), default: 0] += 1
      // Rows are alike: the first few of each key tell.
      guard let count = seen[String(match.1)], count <= 2 else { continue }
      let fraction = count == 1 ? "[\(Int64.max), 1e300]" : "[\(String(repeating: "9", count: 38)), 1]"
      for value in Self.values(at: seen.count + count) + [fraction] {
        var other = folder
        other[file] = text.replacingCharacters(in: match.2.startIndex..<match.2.endIndex, with: value)
        Self.check(other, file, "\(file.rawValue), \(match.1): \(value.prefix(40))")
      }
    }
    #expect(seen.count > 8)
  }
}
