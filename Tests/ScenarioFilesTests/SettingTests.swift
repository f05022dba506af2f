import Scenario
import SimulationKernel
import Testing

@testable import ScenarioFiles

@Suite struct SettingTests {
  private func scenario(_ settings: String...) -> Scenario? {
    let outcome = ScenarioReader.read(
      text: Array(Samples.rich.utf8), fileName: "a.yaml", settings: settings.map { SetArgument($0) })
    #expect(outcome.diagnostics.humanText == "")
    return outcome.scenario
  }

  @Test func aValueIsReplaced() {
    var jitter = Jitter(upTo: .minutes(5), scope: .device)
    jitter.early = .minutes(5)
    #expect(scenario("kinds.a.jitter.up_to=5min")?.kinds[0].jitter == jitter)
  }

  @Test func missingKeyIsCreatedWithItsParents() {
    #expect(scenario("kinds.d.jitter.up_to=5min")?.kinds[3].jitter == Jitter(upTo: .minutes(5), scope: .run))
    #expect(scenario("os.budget.cap=40")?.os.budget.cap == 40)
  }

  @Test func plainValueIsReplacedByAMapping() {
    #expect(scenario("kinds.a.reload.after=30min")?.kinds[0].phases[0].reload == .after(.constant(.minutes(30))))
  }

  @Test func mappingMayBeSetInFlowStyle() {
    let delay = scenario("os.start_delay.policy={uniform: 0s..5min}")?.os.startDelay.policy
    #expect(delay == .uniform(from: .zero, to: .minutes(5)))
  }

  @Test func valuesInsideDistributionsMayBeSet() {
    let reload = scenario("kinds.e.reload.after.choice={15min: 100%}", "kinds.b.on_error.after.exponential=2h")
    #expect(reload?.kinds[1].onError == .reload(.after(.exponential(mean: .hours(2)))))
  }

  @Test func itemsMayBeSetByNumberOrName() {
    #expect(scenario("fleet.cohorts.west.zones={UTC: 100%}")?.fleet.cohorts[0].zones.map(\.value) == ["UTC"])
    #expect(scenario("fleet.cohorts.1.zones={UTC: 100%}")?.fleet.cohorts[1].zones.map(\.value) == ["UTC"])
    #expect(scenario("kinds.a.requests.1.count=2")?.kinds[0].requests[1].count == 2)
  }

  @Test func zonesMayBeSetByName() {
    let cohort = scenario(
      "fleet.cohorts.west.zones.Europe/Berlin=10%", "fleet.cohorts.west.zones.Europe/Paris=60%")?.fleet.cohorts[0]
    #expect(cohort?.zones.map(\.value) == ["Europe/Berlin", "Europe/London", "Europe/Paris"])
  }

  @Test func newKindMayBeSetAsAWhole() {
    #expect(scenario("kinds.new={reload: never}")?.kinds.last?.name == "new")
  }

  @Test func endpointNamedByRequestsMayBeSet() {
    let images = scenario("backend.endpoints.images.timeout=5s")?.endpoints.first { $0.name == "images" }
    #expect(images?.timeout == .seconds(5))
  }

  @Test func lastSettingWins() {
    #expect(scenario("run.seed=2", "run.seed=3")?.run.seed == 3)
  }

  @Test func noneRemovesAValue() {
    #expect(scenario("kinds.a.jitter=none")?.kinds[0].jitter == nil)
  }

  @Test(arguments: [
    ("kinds.wether.cpu=1s", Code.settingPath), ("clok.step=1s", .settingPath), ("=1", .settingSyntax),
    ("", .settingSyntax), ("a", .settingSyntax), ("clock.step", .settingSyntax), ("clock.step=", .missingValue),
    ("clock..step=1s", .settingSyntax), (".=1", .settingSyntax), ("clock.step.more=1s", .settingPath),
    ("fleet.cohorts.9.share=1%", .settingPath), ("fleet.cohorts.=1%", .settingSyntax), ("clock.step=[", .syntax),
    ("clock.step=&a 1s", .anchor), ("clock.step={a: 1}", .wrongShape), ("clock.step=\u{1B}", .controlCharacter),
    ("kinds.a.phases=[{reload: never}]", .conflictingKeys), ("clock={}", .missingKey),
    (String(repeating: "clock.", count: 10_000) + "a=1", .settingPath), ("kinds.a.cpu=[[[1]]]", .wrongShape),
    ("kinds.\u{202E}.cpu=1s", .controlCharacter), ("clock.step=1s\nb: 2", .syntax),
  ]) func invalidSettingsAreRefused(_ text: String, _ code: Code) {
    let outcome = Samples.read(Samples.rich, set: text)
    #expect(outcome.diagnostics.map(\.code).contains(code), "\(outcome.diagnostics.humanText)")
    #expect(outcome.diagnostics.allSatisfy { $0.file == "--set argument" || $0.code == .conflictingKeys })
    #expect(outcome.scenario == nil)
  }
}
