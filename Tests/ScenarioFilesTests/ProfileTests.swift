import Scenario
import SimulationKernel
import Testing

@testable import ScenarioFiles

/// Profiles of measured constants (MODEL.md 4.9).
struct ProfileTests {
  private static let profile = """
    schema: widgetfleet.os-profile/v1
    name: lab
    os:
      start_delay.policy: {value: {uniform: 0s..10min}, low: 2min, high: {uniform: 0s..20min}, method: lab, n: 1_900, phones: 5}
      min_spacing: {value: 6min, low: 5min, high: 7min, method: telemetry, n: 610}
      idle.give_up: {value: 3h, low: 2h, high: 5h, method: log, n: 12}
    """

  private func read(_ os: String, _ profile: String = profile) -> ScenarioReader.Outcome {
    let bytes = Array(profile.utf8)
    let files = NamedFiles { path in
      path == "lab.yaml" ? .success(bytes) : .failure(NamedFiles.Refusal(reason: "No such file"))
    }
    let text = Samples.minimal + "\n"
    return ScenarioReader.read(
      text: Array(text.utf8), fileName: "a.yaml", settings: [SetArgument("os=" + os)], files: files)
  }

  private func scenario(_ os: String) throws -> Scenario {
    let outcome = read(os)
    return try #require(outcome.scenario, "\(outcome.diagnostics.humanText)")
  }

  @Test func profileOverridesThePresetButNotTheFile() throws {
    let measured = try scenario("{preset: lazy, profile: lab.yaml}")
    #expect(measured.os.minSpacing == .minutes(6))
    #expect(measured.os.startDelay.policy == .uniform(from: .zero, to: .minutes(10)))
    #expect(measured.os.startDelay.inUse == OperatingSystem(preset: .lazy).startDelay.inUse)
    #expect(measured.os.idle == Idle(after: Idle().after, giveUp: .hours(3)))
    let given = try scenario("{profile: lab.yaml, min_spacing: 1min, idle: {after: 1h}}")
    #expect(given.os.minSpacing == .minutes(1))
    #expect(given.os.idle == Idle(after: .hours(1), giveUp: .hours(3)))
    #expect(try scenario("{profile: lab.yaml, idle: none}").os.idle == nil)
  }

  /// `prompt` uses the low end of delays and durations, `lazy` the high end, for all constants that no key sets.
  @Test func bracketUsesTheBoundsOfTheProfile() throws {
    let measured = try scenario("{profile: lab.yaml, idle: {give_up: 4h}}")
    let (prompt, lazy) = (measured.under(.prompt).os, measured.under(.lazy).os)
    #expect(prompt.startDelay.policy == .constant(.minutes(2)))
    #expect(lazy.startDelay.policy == .uniform(from: .zero, to: .minutes(20)))
    #expect(prompt.minSpacing == .minutes(5) && lazy.minSpacing == .minutes(7))
    #expect(prompt.idle?.giveUp == .hours(4) && lazy.idle?.giveUp == .hours(4))
    let given = try scenario("{profile: lab.yaml, min_spacing: 1min}")
    #expect(given.under(.prompt).os.minSpacing == .minutes(1))
    #expect(given.under(.lazy).os.idle?.giveUp == .hours(5))
  }

  /// A prompt system has more budget, more reloads at views and becomes idle later: for these, `prompt` uses the high
  /// end.
  @Test func promptUsesTheBoundThatReloadsMore() throws {
    let ends = ["budget.cap": (45, 60), "budget.carry_over": (1, 2), "silent_push.per_hour": (2, 4)]
    let numbers = ends.map { "  \($0): {value: \($1.0 + 1), low: \($1.0), high: \($1.1), method: lab, n: 9}" }
    let others = [
      "  idle.after: {value: 2h, low: 1h, high: 3h, method: lab, n: 9}",
      "  stale_view_reload.rare: {value: 80%, low: 70%, high: 90%, method: lab, n: 9}",
      "  stale_view_reload.frequent: {value: 20%, low: 10%, high: 30%, method: lab, n: 9}",
      "  silent_push.delivered: {value: 80%, low: 70%, high: 90%, method: lab, n: 9}",
    ]
    let head = ["schema: widgetfleet.os-profile/v1", "name: lab", "os:"]
    let outcome = read("{profile: lab.yaml}", (head + numbers.sorted() + others).joined(separator: "\n"))
    var measured = try #require(outcome.scenario, "\(outcome.diagnostics.humanText)")
    // Views and caps have no effect without unlocks.
    measured.fleet.cohorts[0].person.unlocksPerDay = .constant(60)
    let (prompt, lazy) = (measured.under(.prompt).os, measured.under(.lazy).os)
    #expect(prompt.budget.cap == 60 && lazy.budget.cap == 45)
    #expect(prompt.budget.carryOver == 2 && lazy.budget.carryOver == 1)
    #expect(prompt.idle?.after == .hours(3) && lazy.idle?.after == .hours(1))
    #expect(prompt.staleViewReloadRare.fraction == 0.9 && lazy.staleViewReloadRare.fraction == 0.7)
    #expect(prompt.staleViewReloadFrequent.fraction == 0.3 && lazy.staleViewReloadFrequent.fraction == 0.1)
    for (path, ends) in [("silent_push.delivered", (0.7, 0.9)), ("silent_push.per_hour", (2, 4))] {
      let constant = try #require(BracketConstant(rawValue: path))
      #expect(prompt.amount(of: constant) == ends.1 && lazy.amount(of: constant) == ends.0, "\(path)")
    }
  }

  /// The profile also applies to cohorts with a preset of their own.
  @Test func profileAppliesToEveryPreset() throws {
    var other = try scenario("{profile: lab.yaml}")
    other.fleet.cohorts[0].os = SystemBuilder(os: Section(node: nil, pattern: "os")).operatingSystem(preset: .lazy)
    #expect(other.under(.lazy).fleet.cohorts[0].os?.minSpacing == .minutes(7))
  }

  /// The resolved text needs no second file.
  @Test(arguments: [
    "{profile: lab.yaml}", "{profile: lab.yaml, min_spacing: 1min}", "{profile: lab.yaml, idle: none}",
    "{profile: lab.yaml, preset: prompt, idle: {after: 1h}, start_delay: {policy: 0s}}",
  ])
  func resolvedTextNeedsNoProfileFile(os: String) throws {
    let written = try scenario(os)
    #expect(Samples.read(written.resolvedText).scenario == written)
  }

  @Test(arguments: [
    ("low: 5min", "low: 8min", "WF305"), ("high: 7min", "high: 5min", "WF305"), ("low: 2min", "low: 9min", "WF305"),
    ("min_spacing", "min_spacin", "WF102"), ("min_spacing", "budget.model", "WF102"), ("n: 610", "n: 0", "WF205"),
    ("low: 5min", "low: 5", "WF203"), ("low: 5min, ", "", "WF101"), ("name: lab", "nam: lab", "WF102"),
    ("profile/v1", "profile/v2", "WF206"), ("method: log", "method: guess", "WF206"),
    ("value: 6min", "value: [6min]", "WF201"), ("value: 6min", "value: 2d", "WF205"), ("os:", "os", "WF004"),
  ])
  func mistakesAreLocatedInTheProfile(old: String, new: String, code: String) {
    let problems = read("{profile: lab.yaml}", Self.profile.replacing(old, with: new)).diagnostics
    #expect(problems.contains { $0.code.rawValue == code && $0.file == "lab.yaml" && $0.line != nil }, "\(problems)")
  }

  /// The known parts of both system versions must agree; a cohort's preset overrides the scenario's version.
  @Test(arguments: [
    ("{profile: lab.yaml}", "26.1 (23B85)", false), ("{profile: lab.yaml}", "27.0", true),
    ("{profile: lab.yaml, preset: ios-17}", "iOS 26.1", true), ("{profile: lab.yaml, preset: prompt}", "27.0", false),
    ("{profile: lab.yaml, version: 26.1}", "26.1 (23B85)", false), ("{profile: lab.yaml, version: 26}", "26.1", false),
    ("{profile: lab.yaml, version: 26.2}", "26.1 (23B85)", true), ("{profile: lab.yaml, version: 27}", "27.0", false),
    ("{profile: lab.yaml, version: 26.2}", "build-a", false),
    ("{profile: lab.yaml, version: 27, min_spacing: 1min, start_delay: {policy: 0s}}", "26.1", true),
    (
      "{profile: lab.yaml, version: 27, min_spacing: 1min, start_delay: {policy: 0s}, idle: {give_up: 1h}}", "26.1",
      false
    ),
  ])
  func profileOfAnotherSystemGivesAWarning(os: String, measured: String, warns: Bool) {
    let text = Self.profile.replacing("name: lab", with: "name: lab\nmeasured: {os: \"\(measured)\"}")
    let outcome = read(os, text)
    #expect(outcome.scenario != nil, "\(outcome.diagnostics.humanText)")
    #expect(outcome.lints.contains { $0.rule == .profileOfOtherSystem } == warns, "\(outcome.warnings.humanText)")
  }

  @Test func cohortOfAnotherSystemGivesAWarning() {
    let text = Self.profile.replacing("name: lab", with: "name: lab\nmeasured: {os: \"26.1\"}")
    let files = NamedFiles { _ in .success(Array(text.utf8)) }
    let settings = ["os={profile: lab.yaml, version: 26.1}", "fleet.cohorts.0.os=ios-17"]
    let outcome = ScenarioReader.read(
      text: Array(Samples.minimal.utf8), fileName: "a.yaml", settings: settings.map { SetArgument($0) }, files: files)
    #expect(outcome.lints.contains { $0.rule == .profileOfOtherSystem }, "\(outcome.diagnostics.humanText)")
  }

  @Test func unreadableProfileIsReportedWhereItIsNamed() {
    let missing = read("{profile: nowhere.yaml}").diagnostics
    #expect(missing.map(\.code) == [.unreadable] && missing[0].file == "--set argument")
    #expect(missing[0].sentence.contains("No such file"))
    #expect(!read("{profile: lab.yaml}", "").diagnostics.isEmpty)
    #expect(read("{profile: lab.yaml}", "- 1").diagnostics.map(\.code) == [.wrongShape])
    let large = String(repeating: "# \n", count: ScenarioReader.maxBytes / 3 + 1)
    #expect(read("{profile: lab.yaml}", large).diagnostics.contains { $0.code == .tooLarge })
  }
}
