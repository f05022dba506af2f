import Foundation
import Scenario
import Testing

@testable import ScenarioFiles

/// The suggestions in diagnostics are written into the text, which is then read again.
@Suite struct AdviceTests {
  /// Texts with common mistakes, for every kind of unit, shape and size.
  private static let badInput = [
    "5", "0", "0.5", "5000000", "5m", "15 m", "5Min", "2 Hours", "1 y", "5parsec", "5K", "5kb", "5 percent", "5 pct",
    "5mb",
    "5 rpss", "5RPS", "5k", "3 million", "5/y", "5/s/s", "-1", "-5min", "-5%", "-1/s", "''", "soon", "yes", "Off",
    "nonee",
    "99999d", "400%", "1e99", "9999999G", "99999999999999999999", "999999k/s", "999GB", "99999W", "010", "010min",
    "0x10",
    ".nan", "1:30", "1,5h", "1.0005s", "[1]", "{a: 1}", "'250'", "0s..10", "10min..0s", "5..", "0..1",
    "2027-01-18", "2027-13-18T00:00:00Z", "25:00", "9:30", "monday", "Europe/Berlln", "Atlantis", "iphone15", "My Name",
  ]

  private func problems(_ text: String, _ entry: KeyEntry) -> [Diagnostic] {
    var problems = ProblemList(file: SourceText(name: "a.yaml", bytes: Array(text.utf8)))
    guard let root = TreeReader.read(source: 0, problems: &problems), let node = root["value"] else {
      return problems.diagnostics
    }
    var check = TreeCheck(problems: problems)
    let place = TreeCheck.Place(key: entry.name, span: node.span, owner: entry.name)
    check.check(Shorthand.expand(node, at: entry.path), entry, place)
    return check.problems.diagnostics
  }

  /// Returns the mistakes for an entry; names of zones are searched among hundreds, which takes long.
  private func badInput(_ entry: KeyEntry) -> ArraySlice<String> {
    entry.scalarTypes.contains(.zone) || entry.type == .shares(of: .zone) ? Self.badInput.suffix(6) : Self.badInput[...]
  }

  /// For every key of the reference and every mistake, each suggestion is valid when used instead.
  ///
  /// A missing or wrong unit always has a suggestion.
  @Test func everySuggestionForAValueHolds() {
    var tried = 0
    for entry in KeyTable.standard.entries where entry.type != .anything {
      for mistake in badInput(entry) {
        for diagnostic in problems("value: \(mistake)", entry) {
          tried += expectToHold(diagnostic, mistake, entry)
        }
      }
    }
    #expect(tried > 3_000, "\(tried)")
  }

  /// Checks a diagnostic's suggestions.
  ///
  /// - Returns: the number of suggestions.
  private func expectToHold(_ diagnostic: Diagnostic, _ mistake: String, _ entry: KeyEntry) -> Int {
    expectPlainRemark(diagnostic)
    let repairs = diagnostic.advice?.repairs ?? []
    if [.unitMissing, .unitUnknown].contains(diagnostic.code) {
      #expect(!repairs.isEmpty, "\(entry.path): \(mistake): \(diagnostic.humanText)")
    }
    // Other parts of a list or mapping may be wrong too.
    let isWhole = !mistake.hasPrefix("[") && !mistake.hasPrefix("{")
    for repair in repairs {
      let text = Fixable.replaced("value: \(mistake)", diagnostic, by: repair.text)
      let left = text.map { problems($0, entry) }?.filter { isWhole || $0.isSame(as: diagnostic) }
      #expect(left?.map(\.humanText) == [], "\(entry.path): \(mistake), then \(repair)")
    }
    return repairs.count
  }

  /// The messages of this suite's golden tests, of the diagnostics' files and of the scenarios below.
  @Test func everySuggestionOfAFileHolds() throws {
    var tried = 0
    var files = GoldenTests.all.map { Fixable(text: String(decoding: $0.bytes, as: UTF8.self), settings: $0.settings) }
    files += try Self.diagnosticFiles + Self.more
    for file in files {
      for diagnostic in file.diagnostics {
        expectPlainRemark(diagnostic)
        for repair in diagnostic.advice?.repairs ?? [] {
          tried += 1
          let isRepaired = file.repaired(diagnostic, by: repair).contains { repaired in
            !repaired.diagnostics.contains { $0.isSame(as: diagnostic) }
          }
          #expect(isRepaired, "\(repair) does not mend this:\n\(diagnostic.humanText)")
        }
      }
    }
    #expect(tried > 100, "\(tried)")
  }

  /// Checks that only a suggestion follows `write`.
  private func expectPlainRemark(_ diagnostic: Diagnostic) {
    let remark = diagnostic.advice?.remark ?? ""
    #expect(!remark.contains("write ") && !remark.contains("did you mean"), "\(diagnostic.humanText)")
  }

  private static var diagnosticFiles: [Fixable] {
    get throws {
      let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      let folder = tests.appending(path: "ScenarioGoldenTests/Diagnostics")
      return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().filter { $0.hasSuffix(".yaml") }
        .map { name in
          let text = String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
          let settings = try? String(
            contentsOf: folder.appending(path: name.replacing(".yaml", with: ".set")), encoding: .utf8)
          return Fixable(text: text, settings: (settings ?? "").split(separator: "\n").map { String($0) })
        }
    }
  }

  /// Mistakes involving several keys, in assertions, settings and studies.
  private static var more: [Fixable] {
    let asserts = [
      "p95(lateness) <= 15", "p95(lateness) <= 15m", "p95(lateness) <= 7k/s", "stale_views < 0.02", "stale_views < 2",
      "peak_rps <= 7", "peak_rps <= 7k", "peak_rps <= 7 rpss", "peak_rps =< 7k/s", "peek_rps <= 7k/s",
      "requests <= 3mio", "bytes_down <= 20KB", "energy_per_day <= 5", "battery_percent_per_day <= 0.5",
      "p96(lateness) <= 15min", "peak_rps{endpont=api} <= 7/s", "peak_rps{window=11s} <= 7/s", "runs_per_day <= 40",
      "peak_rps <= 150 of mean_rps", "share(requests) < 5%", "budget_exhausted_hour >= 21", "lateness <= peak_rps",
    ]
    let goals = asserts.map { Fixable(text: Samples.minimal + "goals: [{id: a, assert: \"\($0)\"}]\n") }
    let settings = [
      "clock.stp=1s", "clock.step=1", "kinds.wether.cpu=1s", "kinds.weather.jitter=5", "kinds.weather.jitter=5m",
      "kinds.weather.jitter.upto=5min", "kinds.weather.taps=-3", "kinds.weather.cache=30", "kinds.weather.reload=30",
      "fleet.devices=3mio", "fleet.cohorts.al.share=100%", "clock.step", "run.seed=-1", "fleet.devices=2.5",
      "kinds.weather.reload=nevr", "kinds.weather.cache.scope=knd", "os.budget.cap=0", "os.min_spacing=2 hurs",
    ].map { Fixable(text: Samples.minimal, settings: [$0]) }
    let tails = [
      "backend: {endpoints: {api: {capacity: 7/s, queue: 6}}}",
      "backend: {endpoints: {api: {cdn: {keys: 1, ttl: 5s}}}}",
      "backend: {endpoints: {api: {capacity: 2/s, autoscale: {target: 60%, delay: 2min, step: 20%, min: 3/s, max: 9/s}}}}",
      "backend: {endpoints: {api: {capacity: 5/s, autoscale: {target: 60%, delay: 2min, step: 20%, min: 9/s, max: 3/s}}}}",
      "backend: {endpoints: {api: {autoscale: {target: 60%, delay: 2min, step: 20%, min: 3/s, max: 9/s}}}}",
      "backend: {endpoints: {api: {capacity: 2500rpss, base_load: 900, rate_limit: 9k}}}",
      "events: [{name: a, at: \"9:30\", zone: UTC, gallery: {}}]", "events: [{name: a, at: \"09:30\", gallery: {}}]",
      "events: [{name: a, at: 2027-01-18T01:00:00Z, push: {type: silent}}]",
      "events: [{name: a, at: \"00:00\", zone: local, outage: {endpoint: api, for: 1min}}]",
      "sweep: {vary: {kinds.weather.reload.after: 1h}}", "sweep: {vary: {kinds.weather.reload.aftr: [1h, 2h]}}",
      "tune: {minimize: peek_rps, search: {kinds.weather.reload.after: 1h..2h}}",
      "radios: {wifi: {promotion: {length: 1s, power: 1W}, active: 1W, down: 1nJ/bit, up: 1nJ/bit, tails: [], round_trip: 1s}}",
    ].map { Fixable(text: Samples.minimal + $0 + "\n") }
    let kinds = [
      "reload: {after: {at: \"0930\"}}", "reload: {after: {zone: UTC}}", "cpu: 1s", "reload: 1h\n    jitter: soon",
      "reload: 15minutess", "reload: {after: {uniform: 5min..1min}}",
      "reload: {after: {normal: {mean: 1h, sdd: 5min}}}",
    ].map { Fixable(text: Samples.minimal.replacing("reload: {after: 15min}", with: $0)) }
    return goals + settings + tails + kinds
  }

  /// No string literal in the sources suggests what to write, except through `Help`.
  @Test func suggestionsComeOnlyFromHelp() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources")
    let told = try Regex(#""[^"]*(\bwrite [^"]|did you mean)[^"]*""#)
    var seen = 0
    for folder in ["Files/ScenarioFiles", "Model/Scenario/Lints", "Studies/Studies/Pilot"] {
      let files = FileManager.default.enumerator(atPath: sources.appending(path: folder).path)
      for case let name as String in files ?? .init() where name.hasSuffix(".swift") {
        let isExempt = ["Help.swift", "Code.swift"].contains(name)
        let text = try String(contentsOf: sources.appending(path: folder).appending(path: name), encoding: .utf8)
        seen += 1
        guard !isExempt else { continue }
        for line in text.split(separator: "\n") where !line.contains("//") {
          #expect(line.firstMatch(of: told) == nil, "\(name): \(line)")
        }
      }
    }
    #expect(seen > 40)
  }
}
