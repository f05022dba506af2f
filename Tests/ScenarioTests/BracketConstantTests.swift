import SimulationKernel
import Testing

@testable import Scenario

/// What the presets prompt and lazy change in a scenario (MODEL.md 4.8).
struct BracketConstantTests {
  private func scenario(unlocks: Double, os: OperatingSystem = OperatingSystem(), own: OperatingSystem? = nil)
    -> Scenario
  {
    let widget = Placement(
      members: [.init(kind: 0, family: .small, weight: 1)], isStack: false, otherWeight: 0, place: .homePage(1),
      share: .all)
    let cohort = Cohort.with {
      $0.name = "all"
      $0.person.unlocksPerDay = .constant(unlocks)
      $0.network = .fixed(.wifi)
      $0.power = .mains
      $0.os = own
      $0.widgets = [widget]
    }
    return Scenario.with {
      $0.name = "a"
      $0.clock = Clock(startUnixMilliseconds: 0, warmup: .zero, duration: .day, step: .second)
      $0.fleet.cohorts = [cohort]
      $0.os = os
    }
  }

  @Test func defaultsLieBetweenThePresets() {
    let scenario = scenario(unlocks: 60)
    #expect(scenario.constants(of: .prompt) == [.policyDelay])
    #expect(scenario.constants(of: .lazy) == [.inUseDelay, .budgetCap, .frequentStaleViews])
    let prompt = scenario.under(.prompt)
    #expect(prompt.os.startDelay.policy == .uniform(from: .zero, to: .minutes(1)))
    #expect(prompt.os.preset == .ios26)
    let lazy = scenario.under(.lazy)
    #expect(lazy.os.startDelay.inUse == .uniform(from: .zero, to: .minutes(15)))
    #expect(lazy.os.budget.cap == 40)
    #expect(lazy.os.staleViewReloadFrequent == .none)
  }

  @Test func givenConstantsHoldInEveryPreset() {
    var scenario = scenario(unlocks: 60)
    scenario.givenConstants = [.policyDelay, .budgetCap]
    #expect(scenario.constants(of: .prompt) == [])
    #expect(scenario.constants(of: .lazy) == [.inUseDelay, .frequentStaleViews])
    scenario.givenConstants = Set(BracketConstant.undocumented)
    #expect(scenario.under(.lazy) == scenario)
  }

  @Test func unusedPhonesHaveNoSessionOrViewConstants() {
    #expect(scenario(unlocks: 0).constants(of: .lazy) == [])
    #expect(scenario(unlocks: 0).constants(of: .prompt) == [.policyDelay])
  }

  @Test(arguments: [Preset.developerMode, .watchFace])
  func unusedBudgetCapMakesNoDifference(_ preset: Preset) {
    let own = OperatingSystem(preset: preset)
    for scenario in [scenario(unlocks: 60, os: own), scenario(unlocks: 60, own: own)] {
      #expect(scenario.constants(of: .lazy) == [.inUseDelay, .frequentStaleViews])
    }
  }

  @Test func cohortsWithAPresetOfTheirOwnAreBracketedToo() {
    let scenario = scenario(unlocks: 60, own: OperatingSystem(preset: .lazy))
    #expect(scenario.constants(of: .lazy) == [])
    #expect(scenario.constants(of: .prompt) == [.policyDelay, .inUseDelay, .budgetCap, .frequentStaleViews])
    #expect(scenario.under(.prompt).os == scenario.os)
  }
}
