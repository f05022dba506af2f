import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// A system that withholds nothing: every ticket starts when it is due, and no run starts otherwise.
///
/// These are all the rules needed for another operating system: the device itself does not change.
private enum ImmediateRules: SchedulerRules {
  /// The number of runs so far, which is not limited.
  struct Allowance: BitwiseCopyable { var charged: Int64 = 0 }

  static var noAllowance: Allowance { Allowance() }
  static func newAllowance(_ widget: NewWidget, at now: Instant, _ phone: inout PhoneCore) -> Allowance { Allowance() }
  static func eligible(due: Instant, after lastEnd: Instant, _ cohort: Prepared<CohortPlan>) -> Instant {
    max(due, lastEnd)
  }
  static func delayDependsOnSession(of cause: Cause, _ cohort: Prepared<CohortPlan>) -> Bool { false }
  static func startDelay(of cause: Cause, isInSession: Bool, _ cohort: Prepared<CohortPlan>) -> SpanSampler {
    .constant(.zero)
  }
  static func decide(
    _ pending: PendingTicket, _ allowance: inout Allowance, at now: Instant, _ phone: inout PhoneCore,
    _ power: PowerSupply
  ) -> StartDecision { .start }
  static func price(_ cohort: Prepared<CohortPlan>) -> RunMillionths { .one }
  static func charge(_ price: RunMillionths, to allowance: inout Allowance) { allowance.charged += price.count }
  static func coalescingWindow(_ cohort: Prepared<CohortPlan>) -> TimeAmount { .zero }
  static func ends(_ reason: WaitReason, with relief: Relief) -> Bool { false }
  static func mayReloadAtView(due: Instant, at now: Instant, _ cohort: Prepared<CohortPlan>) -> Bool { false }
  static func reloadsAtView(_ view: OverdueView, _ phone: inout PhoneCore) -> Bool { false }
  static func takesWidgetPushes(_ cohort: Prepared<CohortPlan>) -> Bool { false }
  static func takesSilentPush(_ delivered: PushLog, at now: Instant, _ phone: inout PhoneCore) -> Bool { false }
  static func silentPushDelivered(_ cohort: Prepared<CohortPlan>) -> Chance { Chance(.none) }
  static func foregroundGap(_ cohort: Prepared<CohortPlan>) -> TimeAmount { .zero }
  static func foregroundLatency(_ cohort: Prepared<CohortPlan>) -> SpanSampler { .constant(.zero) }
  static func atEndGap(_ cohort: Prepared<CohortPlan>) -> TimeAmount { .minutes(30) }
  static func crashRetry(_ cohort: Prepared<CohortPlan>) -> TimeAmount { .hour }
  static func passMidnight(
    _ allowance: inout Allowance, of slot: Slot, week: Int?, at now: Instant, _ phone: inout PhoneCore
  ) -> Bool { false }
  static func fastStart(_ kind: Prepared<KindPlan>, _ cohort: Prepared<CohortPlan>) -> FastStart? { nil }
  static func startsFreely(_ allowance: Allowance, at now: Instant, _ power: PowerSupply) -> Bool { true }
  static func brokenInvariant(_ allowance: Allowance, of slot: Slot, _ phone: borrowing PhoneCore) -> String? { nil }
}

/// The interface for operating systems: rules other than WidgetKit's drive the same device.
@Suite struct OtherRulesTests {
  /// Returns a reload every `minutes` on a phone that iOS would delay: min spacing 5 min, budget 10 a day, never used.
  private static func world(everyMinutes minutes: Int64) -> World {
    var world = World()
    world.capacity = .fixed(RunMillionths(count: 10_000_000))
    world.system.budget.model = .bucket
    world.system.idle = Idle(after: .hours(2), giveUp: .hours(4))
    var kind = KindSketch.after(minutes: minutes)
    kind.requests = 1
    world.add(kind)
    return world
  }

  /// Returns a day's runs and the charges of the allowance.
  private static func day<Rules: SchedulerRules>(_ world: World, _ rules: Rules.Type) -> (runs: Int64, Rules.Allowance)
  {
    var device = Device<Rules>(plan: world.plan(), shape: world.shape)
    device.begin(PhoneIdentity(number: 0, cohort: 0, replication: 0))
    while device.step() != nil {}
    let allowance = device.widgets.scheduler.allowance(of: 0)
    device.finish()
    return (device.widgets.phone.tally.runCount, allowance)
  }

  /// The placement's run, then one every minute of the day: 1 440 runs, all charged except the first.
  @Test func withoutDelaysTicketsStartWhenDue() {
    let (runs, allowance) = Self.day(Self.world(everyMinutes: 1), ImmediateRules.self)
    #expect(runs == 1_440)
    #expect(allowance.charged == 1_439 * RunMillionths.one.count)
  }

  /// iOS allows the same widget at most its budget, the initial balance (at most a day's worth) and the placement's
  /// run.
  @Test func iOSLimitsTheSameWidgetToItsBudget() {
    let (runs, _) = Self.day(Self.world(everyMinutes: 1), WidgetKitRules.self)
    #expect((2...21).contains(runs), "\(runs)")
  }
}
