import Planning
import Scenario
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
  ])
  func mistakesAreReportedOnce(_ text: String, _ code: Code) {
    #expect(problems(text + "\n") == [code])
  }
}
