import BackendModel
import Scenario
import SimulationKernel

/// The constants that all unperturbed runs of a widget on one interface share.
///
/// The widget is a member of a cohort; each thread has separate counters.
struct UnperturbedPlan: BitwiseCopyable {
  let kind: Prepared<KindPlan>
  let radio: Prepared<RadioPlan>

  // `promotion` is the length of the radio's promotion. `lead` is the time from the start of a run to the arrival of
  // its request. `inbound` is the time from the arrival to the answer, excluding the server's latency.
  let promotion: TimeAmount
  let lead: TimeAmount
  let inbound: TimeAmount
  let timeout: TimeAmount
  let latency: SpanSampler
  let cpu: TimeAmount
  /// The processor energy of a run.
  let busy: Energy
  /// The transfer energy of a run's bytes.
  let transfer: Energy
  /// `fixedEnergy` is the energy of the bytes and of the radio and the waiting processor outside the time on the air.
  /// `lonePower` is the power of the radio and the waiting processor during the time on the air.
  let fixedEnergy: Energy
  let lonePower: Power
  let tailLength: TimeAmount
  let down: ByteCount
  let up: ByteCount
  /// Whether only the budget and Low Power Mode can withhold a run.
  let startsFreely: Bool
  /// The window within which other tickets start together with this run.
  let coalescingWindow: TimeAmount
  /// The cost of a charged run, which is subtracted from the budget.
  let price: RunMillionths

  let route: Tally.Route
  private let group: UnsafeMutablePointer<GroupTally>

  /// The span until the policy's date if the policy is always after(...); `nil` if the date comes from the timeline.
  let after: SpanSampler?
  /// Whether code returns the date in place of a policy, and the ticket depends on nothing else.
  let hasCode: Bool
  let jitter: SpanSampler
  let startDelay: SpanSampler
  /// The delays if they are not random; `nil` if they are drawn for each run.
  let fixedDelays: ScheduleDelays?
  let minSpacing: TimeAmount
  /// Whether views are evaluated only when a run ends.
  let isViewed: Bool

  /// Creates a plan; returns `nil` if a run sends several requests, or depends on other requests or on chance.
  init?<Rules: SchedulerRules>(
    _ plan: FleetPlan, of member: MemberPlan, in place: (cohort: CohortIndex, interface: Int),
    tally: borrowing Tally, _ rules: Rules.Type
  ) {
    kind = plan.kind(member.kind)
    let cohort = plan.cohorts.element(at: place.cohort.place)
    radio = cohort.network.radios.element(at: place.interface)
    promotion = plan.keepsEnergy ? radio.promotion.length : .zero
    guard kind.sendsOneRequest, !plan.hasFeedback, plan.windows == nil,
      !kind.onError.isBackoff, let start = Rules.fastStart(kind, cohort)
    else { return nil }
    let request = kind.requests[0]
    let endpoint = plan.endpoint(request.endpoint)
    lead = promotion + radio.outbound
    // Every run must take some time, because otherwise a sequence of runs might never end.
    guard endpoint.outages == nil, promotion > .zero || !plan.keepsEnergy, lead > .zero else { return nil }

    inbound = radio.inbound
    timeout = endpoint.timeout
    latency = endpoint.latency
    cpu = kind.cpu
    busy = plan.keepsEnergy ? ProcessorPower.busy * cpu : .zero
    down = request.down[member.family]
    up = request.up[member.family]
    transfer = radio.value.transfer(down: down, up: up)
    fixedEnergy = radio.aroundLone + transfer
    lonePower = radio.lonePower
    tailLength = radio.tailLength
    startsFreely = start.startsFreely
    coalescingWindow = Rules.coalescingWindow(cohort)
    price = Rules.price(cohort)

    route = tally.route(to: request.endpoint, from: place.cohort)
    group = tally.group(Tally.Group(cohort: place.cohort, kind: member.kind))

    let isSimple = kind.jitterScope == .run || kind.jitter.isConstant
    let isByRun = isSimple && !Rules.delayDependsOnSession(of: .policy, cohort)
    after = isByRun ? Self.span(of: kind) : nil
    hasCode = isByRun && kind.provider != nil
    jitter = kind.jitter
    startDelay = start.startDelay
    fixedDelays =
      jitter.isConstant && startDelay.isConstant
      ? ScheduleDelays(jitter: jitter.span(at: 0), start: startDelay.span(at: 0)) : nil
    minSpacing = start.minSpacing
    isViewed = cohort.hasPeople
  }

  /// Returns the sampler of after(...); `nil` if the date depends on anything other than the run and its draws.
  private static func span(of kind: Prepared<KindPlan>) -> SpanSampler? {
    guard kind.phases.count == 1, kind.windows.isEmpty,
      case .after(let span) = kind.phases[0].reload
    else { return nil }
    return span
  }

  /// Counts how late a run starts.
  @inline(__always)
  func recordLateness(_ lateness: TimeAmount, of cause: Cause) { group.pointee.recordLateness(lateness, of: cause) }
}

/// The delays between the date of a policy and the planned start, excluding the minimum spacing.
struct ScheduleDelays: BitwiseCopyable {
  var jitter: TimeAmount
  var start: TimeAmount
}

/// The plans of a widget's unperturbed runs, one for each interface of its phone.
struct UnperturbedChoice: BitwiseCopyable {
  fileprivate let first: UnsafePointer<UnperturbedPlan>

  /// Returns the plan for the interface with this index.
  @inline(__always)
  subscript(interface: UInt8) -> Prepared<UnperturbedPlan> { Prepared(at: first + Int(interface)) }

  /// The plan used to read values that are the same on both interfaces.
  @inline(__always)
  var onAny: Prepared<UnperturbedPlan> { Prepared(at: first) }
}

/// One thread's plans for the unperturbed runs of all widgets in a fleet. The creator of this value must free the
/// memory.
struct UnperturbedPlans: BitwiseCopyable {
  /// The plans, ordered by cohort, member and interface.
  private let plans: UnsafeMutablePointer<UnperturbedPlan>
  /// The choices, ordered by cohort and member; `nil` for a member whose runs cannot be unperturbed.
  private let members: UnsafeMutablePointer<UnperturbedChoice?>
  /// The index of each cohort's first member.
  private let cohorts: UnsafeMutablePointer<Int>

  init<Rules: SchedulerRules>(_ plan: FleetPlan, tally: borrowing Tally, _ rules: Rules.Type) {
    let counts = plan.cohorts.indices.map { plan.cohorts[$0].members.count }
    plans = .allocate(capacity: 2 * counts.reduce(0, +))
    members = .allocate(capacity: counts.reduce(0, +))
    cohorts = .allocate(capacity: counts.count)
    var first = 0
    for cohort in plan.cohorts.indices {
      cohorts[cohort] = first
      for member in 0..<counts[cohort] {
        let choice = Self.fill(
          plans + 2 * (first + member), plan, CohortIndex(cohort), plan.cohorts[cohort].members[member], tally, rules)
        (members + (first + member)).initialize(to: choice)
      }
      first += counts[cohort]
    }
  }

  /// Fills in the plans of a widget for all interfaces and returns them; `nil` if its runs cannot be unperturbed.
  private static func fill<Rules: SchedulerRules>(
    _ place: UnsafeMutablePointer<UnperturbedPlan>, _ plan: FleetPlan, _ cohort: CohortIndex, _ member: MemberPlan,
    _ tally: borrowing Tally, _ rules: Rules.Type
  ) -> UnperturbedChoice? {
    for interface in plan.cohorts[cohort.place].network.radios.indices {
      let made = UnperturbedPlan(plan, of: member, in: (cohort, interface), tally: tally, rules)
      guard let made else { return nil }
      (place + interface).initialize(to: made)
    }
    return UnperturbedChoice(first: UnsafePointer(place))
  }

  func free() {
    plans.deallocate()
    members.deallocate()
    cohorts.deallocate()
  }

  subscript(cohort: CohortIndex, member: MemberIndex) -> UnperturbedChoice? {
    members[cohorts[cohort.place] + member.place]
  }
}
