import FleetEngine
import Scenario
import ScenarioFiles
import SimulationKernel
import Studies
import Testing

/// The advice of WF404 and WF414 in a trial: overloaded without it, but not for a single second with it.
@Suite struct ScheduleAdviceTests {
  /// Random fleets and servers, by seed.
  private struct Sample {
    private let seed: UInt64
    var text = ""

    init(seed: UInt64, every seconds: Double, policy: String, free percent: ClosedRange<Int>) {
      self.seed = seed
      let phones = 20_000 + draw(0, 20_000)
      let zones = [
        "Europe/Berlin: 100%", "Europe/Berlin: 60%, Asia/Kolkata: 40%", "Europe/London: 50%, America/New_York: 50%",
      ]
      let people = ["person: {unlocks_per_day: 0}, ", ""]
      // The requests per second without herds, a second's max by chance, and the rate left over at the base load's
      // peak.
      let mean = Double(phones) / seconds
      let share = Double(percent.lowerBound + draw(1, percent.count)) / 100
      let free = share * (mean + (share > 1 ? 6 * mean.squareRoot() : 0))
      // A mean is taken over five minutes, so the base load leaves a shortage larger than its error.
      let base = Double(draw(2, share > 1 ? 200 : 40))
      text = """
        schema: widgetfleet/v1
        name: sample
        clock: {start: 2027-01-18T16:00:00Z, settle: 0s, warmup: 12h, duration: 4h}
        kinds: {feed: {reload: {after: \(policy)}, requests: [{endpoint: api}]}}
        fleet:
          devices: \(phones)
          cohorts:
            - {name: all, \(people[draw(3, 2)])zones: {\(zones[draw(4, 3)])}, network: wifi, widgets: [{kind: feed}]}
        os: {idle: none, budget: {model: off}}
        backend:
          endpoints:
            api:
              capacity: \(Int((free + base * 2) * 60))/min
              base_load: {rate: \(Int(base))/s, zone: Europe/Berlin, hours: [\(Self.hours)]}
        """
    }

    private static let hours = (0..<24).map { $0 == 19 ? "2" : "0.95652" }.joined(separator: ", ")

    private func draw(_ index: UInt32, _ below: Int) -> Int {
      Int(Philox.block(counter: Philox.Block(index, 0, 0, 0), key: seed).word0 % UInt32(below))
    }

    func read(_ repairs: [Lint.Repair] = []) -> ScenarioReader.Outcome {
      ScenarioReader.read(
        text: Array(text.utf8), fileName: "sample.yaml",
        settings: repairs.map { SetArgument($0.path + "=" + $0.value) }
      ).withLoadLints
    }
  }

  private func overload(_ outcome: ScenarioReader.Outcome) throws -> Double {
    let scenario = try #require(outcome.scenario, "\(outcome.diagnostics.humanText)")
    let engine = try Engine(preparing: scenario, zones: zoneTables(for: scenario))
    let result = try #require(try engine.run(threads: 2, control: RunControl()))
    return try #require(Summary(of: result).value(.overloadSeconds, .total))
  }

  private func tries(_ sample: Sample, _ rule: Code) throws {
    let outcome = sample.read()
    try #require(outcome.scenario != nil, "\(outcome.diagnostics.humanText)")
    let lint = try #require(outcome.lints.first { $0.rule == rule }, "\(sample.text)")
    #expect(!lint.repairs.isEmpty, "\(lint.help)")
    #expect(try overload(outcome) > 0, "\(lint.sentence)")
    let repaired = sample.read(lint.repairs)
    #expect(try overload(repaired) == 0, "\(lint.help)\n\(sample.text)")
    let left = repaired.lints.map(\.rule).filter { $0 == .alignedDates || $0 == .meanBeyondCapacity }
    #expect(left == [], "\(repaired.warnings.humanText)")
  }

  @Test(arguments: 1...3) func theJitterFits(seed: UInt64) throws {
    try tries(Sample(seed: seed, every: 3_600, policy: "{every: 1h}", free: 105...140), .alignedDates)
  }

  /// A spread over a quarter of an hour does not fit, because some phones come too late for it: dates must be rarer.
  @Test(arguments: 11...12) func noJitterFits(seed: UInt64) throws {
    let sample = Sample(seed: seed, every: 900, policy: "{every: 15min}", free: 55...70)
    try tries(sample, .meanBeyondCapacity)
  }

  @Test(arguments: 21...22) func theIntervalFits(seed: UInt64) throws {
    try tries(Sample(seed: seed, every: 2_280, policy: "30min", free: 55...85), .meanBeyondCapacity)
  }
}
