import Scenario
import Testing

@testable import ScenarioFiles

/// Pushes to some cohorts: limits and lints consider no other phones.
struct PushCohortTests {
  private static let text = """
    schema: widgetfleet/v1
    name: two
    clock: {start: 2027-01-18T00:00:00Z}
    kinds:
      film:
        reload: never
        requests: [{endpoint: api, count: 64}]
        attempts: {count: 16}
    fleet:
      devices: 1k
      cohorts:
        - {name: with, share: 50%, zones: {Europe/Berlin: 100%}, network: wifi, widgets: [{kind: film}]}
        - {name: without, share: 50%, zones: {Europe/Berlin: 100%}, network: wifi, widgets: []}
    os: {budget: {model: off}}

    """

  private func outcome(_ settings: String...) -> ScenarioReader.Outcome {
    ScenarioReader.read(
      text: Array(Self.text.utf8), fileName: "a.yaml", settings: settings.map { SetArgument($0) })
  }

  private func push(_ rest: String, to cohort: String) -> String {
    "events=[{name: a, push: {type: widget, per_device_per_day: 10000\(rest), cohorts: [\(cohort)]}}]"
  }

  /// 10 000 pushes a day with 1 024 attempts each exceed a phone's events; phones without the widget have none.
  @Test func limits() {
    #expect(outcome(push("", to: "with")).diagnostics.contains { $0.code == .beyondAccount })
    let spared = outcome(push("", to: "without"))
    #expect(!spared.diagnostics.contains { $0.code == .beyondAccount }, "\(spared.diagnostics.humanText)")
  }

  /// A push that reaches no phone with the widget does not restart its phases.
  @Test func unrelatedPushDoesNotRestartPhases() {
    func rules(_ cohort: String) -> [Code] {
      outcome(
        "kinds.film={phases: [{reload: never}, {reload: {after: 15min}}]}",
        "os.budget={capacity: 50/day}", "os.idle=none",
        "events=[{name: a, at: 2027-01-18T03:00:00Z, push: {type: silent, kinds: all, restarts: true, "
          + "cohorts: [\(cohort)]}}]"
      ).lints.map(\.rule).filter { $0 == .beyondBudget }
    }
    #expect(rules("with") == [])
    #expect(rules("without") == [.beyondBudget])
  }
}
