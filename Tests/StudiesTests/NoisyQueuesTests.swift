import Scenario
import Testing

@testable import Studies
@testable import SyntheticResults

/// A sample that fills a queue through its own noise has no information about the fleet (MODEL.md 8.1.12).
struct NoisyQueuesTests {
  private static let labels = Labels().with(\.endpoint, "api").with(\.window, "1s")

  /// Returns servers that get 2 000 requests/s and serve 1 000, with a given offered load.
  private static func summary(
    _ offered: Double, half: Double?, load: Double = 2_000, prompt: (load: Double, offered: Double)? = nil
  ) -> Summary {
    let row = { (metric: Metric, value: Double, half: Double?, prompt: Double?, labels: Labels) in
      let bounds = half.map { [Interval?.some(Interval(low: value - $0, high: value + $0))] } ?? []
      var row = SummaryRow(metric, labels, .max, replications: [.real(value)], bounds: bounds)
      row.prompt = prompt.map { .real($0) }
      return row
    }
    let rows = ["", "api"].flatMap { name in
      let labels = labels.with(\.endpoint, name)
      return [
        row(.peakRPS, load, half.map { _ in 1 }, prompt?.load, labels),
        row(.offeredPeakRPS, offered, half, prompt?.offered, labels),
      ]
    }
    return Summary(rows: rows)
  }

  private static func scenario(_ change: (inout Scenario) -> Void = { _ in }) -> Scenario {
    var run = SyntheticRun()
    run.endpoints = ["api"]
    var scenario = run.scenario
    scenario.endpoints[0].capacity = 1_000
    change(&scenario)
    return scenario
  }

  private static func word(_ scenario: Scenario, _ summary: Summary) -> RunVerdict.Word {
    RunVerdict(scenario, summary, []).word
  }

  /// Below the capacity, and on both sides of it, the sample alone may be the cause; above it the fleet is a cause too.
  @Test(
    arguments: [
      (900, 50, .unknown), (980, 50, .unknown), (1_040, 50, .unknown), (1_060, 50, .fails), (1_060, 70, .unknown),
      // Every phone is simulated, so the counts are final.
      (900, nil, .fails),
    ] as [(Double, Double?, RunVerdict.Word)])
  func anOverloadWithoutDemandIsDoubtful(_ offered: Double, _ half: Double?, _ word: RunVerdict.Word) {
    #expect(Self.word(Self.scenario(), Self.summary(offered, half: half)) == word)
  }

  /// A preset has no interval of its own, so the scenario's, 5 % of 900, is used instead.
  @Test(arguments: [(950.0, RunVerdict.Word.unknown), (1_040, .unknown), (1_100, .depends)])
  func presetIsJudgedWithTheScenarioInterval(_ offered: Double, _ word: RunVerdict.Word) {
    let summary = Self.summary(900, half: 45, load: 900, prompt: (2_000, offered))
    #expect(Self.word(Self.scenario(), summary) == word)
  }

  /// If the scenario meets the goal with this queue, what an assumption changes is not due to the queue; if the
  /// scenario misses it, the queue may be the cause.
  @Test(arguments: [(950.0, 2_000.0, RunVerdict.Word.depends), (2_000, 950, .unknown)])
  func assumptionThatTurnsAMetGoalIsNotDoubtful(_ load: Double, _ assumed: Double, _ word: RunVerdict.Word) {
    var summary = Self.summary(900, half: 50, load: load)
    for index in summary.rows.indices where summary.rows[index].metric == .peakRPS {
      summary.rows[index].effects = [AssumedEffect(key: "os.start_delay.policy", end: 0, value: .real(assumed))]
    }
    let goal = Goal(
      id: "g", text: "", figure: FigureName(.peakRPS, .max, Self.labels), comparison: .atMost, limit: .value(1_000),
      severity: .error)
    let scenario = Self.scenario()
    #expect(NoisyQueues(scenario, summary).holds(endpoint: "api"))
    let result = GoalResult(goal, summary, nil).depending(in: scenario)
    #expect(RunVerdict(scenario, summary, [result]).checks[0].outcome == word)
  }

  /// After an outage, returning phones overload servers that can carry the usual load, which is not due to the sample.
  @Test func overloadAfterAnOutageIsNotDoubtful() {
    let doubt = { (scenario: Scenario) in
      NoisyQueues(scenario, Self.summary(900, half: 50)).holds(endpoint: "api")
    }
    #expect(doubt(Self.scenario()))
    #expect(!doubt(Self.scenario { $0.events = [.outage("crash", at: 3_600, lasting: 600)] }))
    #expect(!doubt(Self.scenario { $0.endpoints[0].autoscale = Autoscale() }))
    #expect(!doubt(Self.scenario { $0.endpoints[0].capacity = nil }))
  }

  /// A missed goal is then inconclusive; one that is met, or does not depend on it, is unchanged.
  @Test func doubtfulOverloadMakesAMissInconclusive() {
    let goal = { (comparison: Comparison) in
      Goal(
        id: "g", text: "", figure: FigureName(.peakRPS, .max, Self.labels), comparison: comparison,
        limit: .value(1_000), severity: .error)
    }
    let summary = Self.summary(900, half: 50)
    let verdict = { (comparison: Comparison) in
      GoalResult(goal(comparison), summary, nil).doubted(Self.scenario(), summary).verdict
    }
    #expect(verdict(.atMost) == .inconclusive)
    #expect(verdict(.atLeast) == .pass)
  }
}
