import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine
@testable import FleetReports
@testable import Studies
@testable import SyntheticResults

/// The names of loads if a CDN, a capacity or a base load makes several of them.
struct LoadNameTests {
  /// A feature of an endpoint.
  enum Part: CaseIterable {
    case capacity, baseLoad, cdn
  }

  /// Returns two hours in which 600 requests arrive in second 7 of each minute; a CDN answers half of them.
  private func report(_ parts: Set<Part>) -> Report {
    var run = SyntheticRun()
    run.endpoints = ["api"]
    run.duration = .hours(2)
    let counts = (0..<7_200).map { UInt32($0 % 60 == 7 ? 600 : 0) }
    var group = SyntheticRun.group(cohort: 0, kind: 0, instances: 50)
    group.lateness.record(.minute)
    group.traffic[0][Int(Cause.policy.rawValue)].requests = 72_000
    var replication = SyntheticRun.replication(arrivals: [counts], groups: [group])
    replication.causeMinutes = (0..<120).map { minute in
      var traffic = Traffic()
      traffic.requests = 600
      return CauseMinute(minute: minute, endpoint: 0, cohort: 0, cause: .policy, traffic: traffic)
    }
    let base = parts.contains(.baseLoad) ? 900.0 : 0
    let share = parts.contains(.cdn) ? 0.5 : 1
    replication = replication.with([
      counts.map {
        SyntheticStep(
          arrivals: Int64($0), origin: Double($0) * share, reached: Double($0) * share, base: base,
          capacity: parts.contains(.capacity) ? 2_500 : .infinity, backlog: 0)
      }
    ])
    run.replications = [replication]
    var result = run.result
    result.scenario.endpoints[0].capacity = parts.contains(.capacity) ? 2_500 : nil
    if parts.contains(.baseLoad) {
      result.scenario.endpoints[0].baseLoad = BaseLoad.with {
        $0.rate = 900
        $0.hours = .flat
        $0.zone = "UTC"
      }
    }
    if parts.contains(.cdn) {
      result.scenario.endpoints[0].cdn = CDN.with {
        $0.keys = 800
        $0.ttl = .minute
      }
    }
    return Report(
      result: result, summary: Summary(of: result), provenance: Provenance(version: "1", resolvedScenario: "{}"))
  }

  private func table(_ parts: Set<Part>) -> [String] {
    String(decoding: summaryTable(of: report(parts)), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private static let sets: [Set<Part>] = [
    [], [.capacity], [.baseLoad], [.cdn], [.capacity, .baseLoad], [.capacity, .cdn], [.capacity, .baseLoad, .cdn],
  ]

  // MARK: Terminal

  @Test(arguments: sets) func loadNamesFitTheTerminal(parts: Set<Part>) throws {
    let lines = table(parts)
    #expect(lines.allSatisfy { $0.count <= 80 && !$0.contains("...") }, "\(lines)")
    let lead = parts.isEmpty ? "peak load, " : "servers: peak, "
    let peaks = lines.filter { $0.contains("peak load, ") || $0.contains(": peak, ") }
    #expect(peaks.first?.hasPrefix(lead) == true, "\(peaks)")
    // With a CDN or a base load, the phones' requests differ from the servers' load.
    let second = parts.contains(.cdn) ? "CDN: peak, " : "phones: peak, "
    try #require(peaks.count == (parts.isDisjoint(with: [.cdn, .baseLoad]) ? 1 : 2))
    #expect(peaks.count == 1 || peaks[1].hasPrefix(second), "\(peaks)")
  }

  @Test func theNamesAreExplained() {
    #expect(
      table([.capacity, .baseLoad, .cdn]).contains(
        "servers: requests received, base load included, against a capacity of 2 500/s"))
    #expect(table([.capacity, .baseLoad, .cdn]).contains("CDN: requests sent by the phones"))
    #expect(table([.capacity]).contains("servers: requests received, against a capacity of 2 500/s"))
    #expect(!table([]).contains { $0.hasPrefix("servers:") || $0.contains("requests sent by") })
  }

  // MARK: Pages

  @Test(
    arguments: zip(
      sets,
      [
        "", " at the servers", " sent by the phones", " at the CDN", " sent by the phones", " at the CDN",
        " at the CDN",
      ]))
  func causesStateWhichRequestsAreCounted(parts: Set<Part>, words: String) throws {
    let section = causesSection(of: report(parts).content)
    #expect(section.answer.hasPrefix("Requests\(words) by cause: policy "), "\(section.answer)")
    let table = "\(section.details)"
    #expect(table.contains("Requests\(words) by cause"), "\(table)")
  }

  // MARK: Studies

  private static let peak = FigureName(.peakRPS, .max, Labels().with(\.endpoint, "api").with(\.window, "10s"))
  private static let servers = FigureName(.serverPeakRPS, .max, peak.labels)

  private func goal(_ figure: FigureName) -> Goal {
    Goal(
      id: "high", text: figure.text + " <= 2500/s", figure: figure, comparison: .atMost, limit: .value(2_500),
      severity: .error)
  }

  @Test func tuneNamesWhereLoadsAreCounted() throws {
    let report = report([.capacity, .baseLoad, .cdn])
    let problem = TuneProblem(
      objective: .figure(Self.peak), goals: [goal(Self.servers)], axes: [], seed: 1, replications: 1, maxRuns: 1)
    let request = TuneRequest(stage: .check, levels: [], seed: 1, replications: 1)
    let trial = TuneTrial(request, report.summary, nil, problem)
    let text = String(
      decoding: TuneReport(
        study: TuneStudy(problem: problem, trials: [trial], outcome: .found(trial)), keys: [], values: [[]],
        objective: "peak_rps", base: report.result.scenario, provenance: report.provenance, tunedText: nil, patch: []
      ).text(), as: UTF8.self)
    #expect(text.contains("\nat the CDN: peak_rps\nat the servers, base load included: server_peak_rps\n"), "\(text)")
  }

  @Test func sweepNamesWhereLoadsAreCounted() throws {
    let report = report([.capacity, .cdn])
    let axis = SweepAxis(path: "kinds.a", scale: .categorical, values: [SweepValue("x"), SweepValue("y")])
    let goals = [goal(Self.servers), goal(Self.peak)]
    let runs = axis.values.map { SweepRun(values: [$0], replications: 1, summary: report.summary, goals: goals) }
    let study = SweepStudy(axes: [axis], goals: goals, scenario: report.result.scenario, runs: runs)
    let table = String(decoding: study.text(), as: UTF8.self)
    #expect(table.contains("\nat the servers: server_peak_rps\nat the CDN: peak_rps\n"), "\(table)")
    let places = sentence(ofLines: study.placeLines(of: study.drawnFigures))
    #expect(places == " At the servers: server_peak_rps; at the CDN: peak_rps.", "\(places)")
  }

  private func compared(_ parts: Set<Part>, factor: UInt32) throws -> ComparedRun {
    var report = report(parts)
    for step in report.result.replications[0].load[0].arrivals.indices {
      report.result.replications[0].load[0].arrivals[step] *= factor
    }
    report.summary = Summary(of: report.result)
    return ComparedRun(
      name: "run", version: "1", scenario: report.result.scenario, resolvedScenario: "{}", devicesSimulated: 100,
      summary: report.summary,
      distributions: Distributions(of: report.result))
  }

  @Test(
    arguments: zip(
      [[.capacity, .cdn], [.capacity], []] as [Set<Part>], ["at the CDN", "sent by the phones", "sent by the phones"]))
  func compareNamesWhereLoadsAreCounted(base: Set<Part>, words: String) throws {
    let comparison = RunComparison(
      try compared(base, factor: 1), try compared([.capacity, .cdn], factor: 2), conditions: [], minimum: 0.01)
    let tables = ComparisonTables(comparison: comparison)
    let names = tables.figures(hasPlaces: true).rows.map { $0[0] }
    #expect(names.contains { $0.hasPrefix("peak_rps{window=1s} (\(words))") }, "\(names)")
    let terminal = String(decoding: comparisonTable(of: [comparison]), as: UTF8.self)
    #expect(terminal.contains("\n\(words): mean_rps, p999_rps, p99_rps, peak_rps"), "\(terminal)")
    let section = changeSection([tables], ComparedNames([comparison]))
    #expect(section.note.contains("\(words.prefix(1).uppercased() + words.dropFirst()): "), "\(section.note)")
  }
}
