import FleetEngine
import Scenario
import ScenarioFiles
import Studies
import Testing

/// The smallest jitter that keeps the plateau under its goal, found by simulation.
@Suite struct MinJitterStudyTests {
  /// 20 000 widgets due at 09:30 make a plateau of 20 000 / J; the ten minutes after that are measured. The smallest J
  /// with 16/s is 1 250 s. The later a widget reloads, the more views are stale, so the smallest jitter has the fewest.
  private static func text(limit: String) -> String {
    """
    schema: widgetfleet/v1
    name: least-jitter
    clock: {start: 2027-01-18T09:30:00Z, settle: 0s, warmup: 1h, duration: 10min, step: 10s}
    kinds:
      quotes:
        reload: {after: {at: "09:30", zone: UTC}}
        jitter: {up_to: 50min}
        requests: [{endpoint: api}]
        stale_after: 1h
    fleet:
      devices: 20k
      cohorts:
        - name: all
          zones: {UTC: 100%}
          person: {unlocks_per_day: 24, hours: flat, day_variation: none}
          network: wifi
          power: mains
          widgets: [{kind: quotes}]
    os: {idle: none, budget: {model: off}, start_delay: {policy: 0s, in_use: 0s}}
    goals: [{id: plateau, assert: "mean_rps{endpoint=api} <= \(limit)"}]
    tune: {minimize: stale_views, search: {kinds.quotes.jitter.up_to: 10min..60min}}
    """
  }

  private func study(limit: String, maxRuns: Int) throws -> (TuneStudy, [String]) {
    let outcome = TuneReader.read(text: Array(Self.text(limit: limit).utf8), fileName: "study.yaml", settings: [])
    let plan = try #require(outcome.plan, "\(outcome.diagnostics.humanText)")
    var tuner = try Tuner(
      TuneProblem(
        objective: plan.objective, goals: plan.goals,
        axes: plan.keys.map { TuneAxis(levels: $0.levels, isOrdered: $0.isOrdered) }, seed: 1, replications: 1,
        maxRuns: maxRuns))
    while let request = try tuner.next() {
      var scenario = try #require(plan.scenario(at: request.levels).scenario)
      (scenario.run.seed, scenario.run.replications) = (request.seed, request.replications)
      let engine = try Engine(preparing: scenario, zones: zoneTables(for: scenario))
      tuner.add(Summary(of: try #require(try engine.run(threads: 2, control: RunControl()))))
    }
    let study = tuner.study
    return (study, plan.values(at: try #require(study.final).levels))
  }

  /// The result is within 3 % of 20 min 50 s after at most 60 runs.
  @Test(.enabled(if: StudySample.isLong)) func minimumJitterIsFound() throws {
    let (study, values) = try study(limit: "16/s", maxRuns: 60)
    #expect(study.isFeasible && study.runs <= 60)
    let level = try #require(study.final).levels[0]
    let jitter = 600 + Double(level)
    #expect(jitter > 1_250 * 0.99 && jitter < 1_250 * 1.03, "\(values)")
    print("least jitter: \(values) in \(study.runs) runs; 20min50s is the truth")
  }

  /// An hour of jitter gives 5.6/s, which is the min.
  @Test(.enabled(if: StudySample.isLong)) func theImpossibleIsRecognised() throws {
    let (study, values) = try study(limit: "5/s", maxRuns: 30)
    #expect(!study.isFeasible)
    #expect(values == ["60min"])
    let miss = try #require(study.final?.margins[0].miss)
    #expect(abs(miss - (20_000 / 3_600.0 / 5 - 1)) < 0.02, "\(miss)")
  }
}
