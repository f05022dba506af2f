import Foundation
import SimulationKernel
import Testing

@testable import Scenario

/// The ranges of all that is assumed (MODEL.md 4.8).
struct AssumedRangeTests {
  /// A phone with two widgets, one of them on the lock screen, that feels every assumption but those of energy.
  private var scenario: Scenario {
    let widget = { (place: Placement.Place) in
      Placement(
        members: [.init(kind: 0, family: .small, weight: 1)], isStack: false, otherWeight: 0, place: place, share: .all)
    }
    let cohort = Cohort.with { $0.widgets = [widget(.homePage(1)), widget(.lockScreen)] }
    let kind = Kind.with {
      $0.phases = [Phase.with { $0.reload = .atEnd }]
      $0.crash = Share(fraction: 0.1)
    }
    return Scenario.with {
      $0.kinds = [kind]
      $0.fleet.cohorts = [cohort]
      $0.app.reloads = [AppReload()]
      $0.events = [push(.silent), push(.widget)]
    }
  }

  private func push(_ kind: Push.Kind) -> Event {
    Event(name: kind.rawValue, timing: .once(.start), action: .push(Push.with { $0.kind = kind }))
  }

  private func keys(_ scenario: Scenario) -> [String] { AssumedRange.varied(in: scenario).map(\.key) }

  @Test func everyAssumptionAffectsABusyPhone() {
    #expect(keys(scenario) == AssumedRange.all.map(\.key).filter { $0 != "network.wifi" })
    #expect(Set(AssumedRange.all.map(\.key)).count == AssumedRange.all.count)
    var goal = scenario
    goal.goals = [
      Goal(
        id: "a", text: "", figure: FigureName(.energyPerDay, .mean, Labels()), comparison: .atMost, limit: .value(1),
        severity: .error)
    ]
    #expect(keys(goal) == AssumedRange.all.map(\.key))
  }

  /// Both ends differ from the default and from each other, and every key of the system is one of the file format.
  @Test func endsDiffer() {
    for range in AssumedRange.all where range.key != "network.wifi" {
      let ends = range.ends.indices.map { range.applied(to: scenario, end: $0) }
      #expect(Set(ends + [scenario]).count == ends.count + 1, "\(range.key)")
      #expect(!range.source.isEmpty && !range.reason.isEmpty && range.ends.allSatisfy { !$0.text.isEmpty })
      if !range.isOfUsers { #expect(KeyTable.standard[range.key] != nil, "\(range.key)") }
    }
  }

  @Test(
    arguments: [
      (
        "events",
        [
          "os.start_delay.background", "os.start_delay.widget_push", "os.silent_push.delivered",
          "os.silent_push.per_hour",
        ]
      ),
      ("app", ["os.foreground_latency", "os.foreground_gap"]),
      ("views", ["os.budget.capacity", "os.budget.cap"]),
      ("idle", ["os.idle.after", "os.idle.give_up"]),
      ("mains", ["os.low_power_wait", "power.overnight", "power.low_power_mode"]),
      ("saving", ["os.low_power_wait", "power.low_power_mode"]), ("crash", ["os.crash_retry"]),
      ("unlocks", ["person.unlocks_per_day"]),
    ] as [(String, [String])])
  func assumptionThatCannotBeFeltIsNotVaried(_ part: String, _ gone: [String]) {
    var changed = scenario
    switch part {
    case "events": changed.events = []
    case "app": changed.app.reloads = []
    case "views": changed.os.budget.capacity = .perDay(RunMillionths(count: 50_000_000))
    case "idle": changed.os.idle = nil
    case "mains": changed.fleet.cohorts[0].power = .mains
    case "saving": changed.fleet.cohorts[0].power = .battery(BatteryHabits.with { $0.lowPowerMode = .none })
    case "crash": changed.kinds[0].crash = .none
    default: changed.fleet.cohorts[0].person.unlocksPerDay = .constant(50)
    }
    #expect(keys(scenario).filter { !keys(changed).contains($0) } == gone)
  }

  @Test func neverUnlockedPhoneHasNoViewsOrSessions() {
    var unused = scenario
    unused.fleet.cohorts[0].person.unlocksPerDay = .constant(0)
    let gone: Set = ["os.start_delay.in_use", "os.stale_view_reload.frequent", "os.budget.cap", "person.home_visits"]
    #expect(gone.isDisjoint(with: keys(unused)))
  }

  /// A key or a profile gives a constant; the others remain.
  @Test func givenConstantIsNotVaried() {
    var given = scenario
    given.givenConstants = [.policyDelay]
    #expect(keys(given) == keys(scenario).filter { $0 != "os.start_delay.policy" })
  }

  /// A cohort with a system of its own is varied too; one that does not feel a range is left alone.
  @Test func ownSystemsAreVaried() throws {
    var mixed = scenario
    mixed.fleet.cohorts.append(mixed.fleet.cohorts[0])
    mixed.fleet.cohorts[1].os = OperatingSystem(preset: .lazy)
    mixed.fleet.cohorts[1].person.unlocksPerDay = .constant(0)
    let cap = try #require(AssumedRange.named("os.budget.cap"))
    let changed = cap.applied(to: mixed, end: 1)
    #expect(changed.os.budget.cap == 75 && changed.fleet.cohorts[1].os?.budget.cap == 40)
    let model = try #require(AssumedRange.named("os.budget.model"))
    let other = model.applied(to: mixed, end: 0)
    #expect(other.os.budget.model == .fixed && other.fleet.cohorts[1].os?.budget.model == .fixed)
  }

  /// Apple's five minutes are about the entries of a timeline, so that the spacing of refreshes is an assumption.
  @Test func spacingIsNotDocumented() throws {
    let spacing = try #require(AssumedRange.named("os.min_spacing"))
    #expect(spacing.evidence == .assumed && spacing.source.contains("timeline entries"))
    let push = try #require(AssumedRange.named("os.silent_push.delivered"))
    #expect(push.evidence == .inWords && push.ends.map(\.text) == ["50 %"])
  }

  /// MODEL.md names every range.
  @Test func modelNamesThemAll() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let text = try String(contentsOf: root.appending(path: "Docs/MODEL.md"), encoding: .utf8)
    let section = try #require(text.components(separatedBy: "**Assumed.**").last?.components(separatedBy: "4.9").first)
    for range in AssumedRange.all {
      let name = range.key.split(separator: ".").last ?? ""
      #expect(section.contains(name), "\(range.key)")
    }
  }
}
