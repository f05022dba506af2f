import Foundation
import Planning
import Scenario
import SchemaCheck
import Testing

@testable import ScenarioFiles

/// The reading of plan files.
struct PlanReaderTests {
  private func read(_ more: String) -> PlanReader.Outcome {
    let text = "schema: widgetfleet/plan/v1\nname: a\nfrom: a.yaml\nstart: \"2027-01-01\"\n" + more
    return PlanReader.read(text: Array(text.utf8), fileName: "plan.yaml")
  }

  private func problems(_ more: String) -> [Code] { read(more).diagnostics.map(\.code) }

  @Test func everyKeyOfTheStarterIsRead() throws {
    let plan = try #require(
      read(
        """
        days: 30
        growth: {devices: 2M, logistic: {ceiling: 7M, rate: 1%, midpoint: 90d}}
        keep: {1d: 90%, 7d: 75%, floor: 20%}
        calendar: {weekdays: [1, 1, 1, 1, 1, 2, 2], dates: {"2027-01-05": 1.5}}
        capacity: {api: {unit: 200/s, units: 40, target: 70%, lead: 21d}}
        prices:
          - {name: gateway, of: requests, per: 1M, price: [{up_to: 300M, at: 1.00}, {at: 0.90}]}
          - {name: egress, of: bytes-down, per: 1GB, free: 100GB, price: 0.085}
        """
      ).plan)
    #expect(plan.days == 30 && plan.day(0).text == "2027-01-01" && plan.growth.start == 2_000_000)
    #expect(plan.growth.law == .logistic(ceiling: 7e6, rate: 0.01, midpoint: 90))
    #expect(plan.keep == Retention([.init(day: 1, share: 0.9), .init(day: 7, share: 0.75)], floor: 0.2))
    #expect((plan.calendar.factor(on: plan.day(4)) - 7.0 / 9 * 1.5).magnitude < 1e-12)
    #expect(plan.capacity.first?.limit == 5_600 && plan.capacity.first?.lead == 21)
    #expect(plan.prices[0].cost(ofMonthly: 310_000_000) == 309_000_000)
    #expect(plan.prices[1].per == 1_000_000_000 && plan.prices[1].cost(ofMonthly: 101_000_000_000) == 85_000)
  }

  @Test func bothVersionsAndTheReleaseAreRead() throws {
    let text =
      "schema: widgetfleet/plan/v1\nname: a\nfrom: {old: a.yaml, new: b.yaml}\nstart: \"2027-01-01\"\n"
      + "rollout: {start: \"2027-01-11\", stages: {0d: 5%, 3d: 100%}, automatic: 100%}\n"
    let plan = try #require(PlanReader.read(text: Array(text.utf8), fileName: "plan.yaml").plan)
    #expect(plan.base == "a.yaml" && plan.next == "b.yaml")
    #expect((8..<15).map { plan.rollout.share(on: $0) } == [0, 0, 0.05, 0.05, 0.05, 1, 1])
  }

  /// Each mistake is reported once, at its place.
  @Test(arguments: [
    ("days: 0", Code.outOfRange), ("growht: {}", .unknownKey), ("growth: {linear: 5}", .unitMissing),
    ("growth: {linear: 5/day, exponential: 2%}", .conflictingKeys),
    ("growth: {table: {\"2026-01-01\": 5}}", .wrongOrder),
    ("growth: {table: {tomorrow: 5}}", .badInstant), ("keep: {1d: 50%, 7d: 60%}", .wrongOrder),
    ("keep: {12h: 50%}", .outOfRange), ("rollout: {stages: phased}", .missingKey),
    ("calendar: {weekdays: [1, 2]}", .wrongLength), ("capacity: {api: {units: 3}}", .conflictingKeys),
    ("capacity: {api: {load: 7k/s, target: 0%}}", .outOfRange),
    ("prices: [{name: a, of: requests, per: 1GB, price: 1}]", .unitUnknown),
    ("prices: [{name: a, of: requests, per: 1, price: 0.0000001}]", .notExact),
    ("prices: [{name: a, of: requests, per: 1, price: [{at: 1}, {at: 2}]}]", .wrongOrder),
    ("prices: [{name: a, of: unit-hours, per: 1, price: 1}]", .unknownName),
    ("prices: [{name: a, of: requests, per: 0, price: 1}]", .outOfRange),
    ("prices: [{name: a, of: pushes, endpoint: api, per: 1M, price: 1}]", .conflictingKeys),
  ])
  func mistakesAreReportedOnce(_ text: String, _ code: Code) {
    #expect(problems(text + "\n") == [code])
  }

  /// Returns the problems that a scenario with the endpoint `api` and 10 phones reveals, with their lines.
  private func problems(against more: String) throws -> [String] {
    var outcome = read(more)
    let scenario = try #require(
      Samples.read(
        Samples.minimal.replacing("{after: 15min}\n", with: "{after: 15min}\n    requests: [{endpoint: api}]\n")
      ).scenario)
    outcome.check(against: [scenario])
    #expect((outcome.plan == nil) == !outcome.diagnostics.isEmpty)
    return outcome.diagnostics.map { "\($0.code.rawValue) \($0.line ?? 0)" }
  }

  /// Names and limits are checked against the scenario, each at its place.
  @Test func scenariosRevealMistakes() throws {
    #expect(try problems(against: "capacity: {api: 5/s}\n") == [])
    #expect(try problems(against: "capacity:\n  api: 5/s\n  apo: 5/s\n") == ["WF303 7"])
    let prices = "prices:\n  - {name: a, of: requests, endpoint: web, per: 1M, price: 1}\n"
    #expect(try problems(against: prices) == ["WF303 6"])
    #expect(try problems(against: "growth: {devices: 5M, logistic: {ceiling: 4M, rate: 1%}}\n") == ["WF305 5"])
    #expect(try problems(against: "growth: {logistic: {ceiling: 5, rate: 1%}}\n") == ["WF305 5"])
  }

  @Test func scenariosAndPlansAreToldApart() throws {
    let (plan, scenario) = (Array("schema: widgetfleet/plan/v1\n".utf8), Array(Samples.minimal.utf8))
    #expect(PlanReader.isPlan(plan) && !PlanReader.isPlan(scenario))
    #expect(
      PlanReader.read(text: scenario, fileName: "a").diagnostics.map(\.sentence) == ["this is a scenario, not a plan"])
    let read = ScenarioReader.read(text: plan, fileName: "a")
    #expect(read.diagnostics.map(\.sentence) == ["'schema' is that of a plan, not of a scenario"])
  }

  /// The schema for editors accepts the starter and the shipped plan, and refuses unknown keys and words.
  @Test func schemaOfPlansAcceptsPlans() throws {
    let check = try SchemaCheck(planSchema)
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    for name in ["Sources/Words/CWords/starters/plan.yaml", "Scenarios/plans/news-year.yaml"] {
      let text = try String(contentsOf: root.appending(path: name), encoding: .utf8)
      var problems = ProblemList(file: SourceText(name: name, bytes: Array(text.utf8)))
      let json = try #require(TreeReader.read(source: 0, problems: &problems)).plain.json()
      #expect(try check.accepts(json), "\(name)")
      #expect(try !check.accepts(json.replacing("\"growth\"", with: "\"growht\"")))
      #expect(try !check.accepts(json.replacing("\"requests\"", with: "\"request\"")))
    }
  }
}
