import BackendModel
import Scenario
import SimulationKernel

/// What is the same in every unperturbed run of a widget on one interface, at hand in one place.
///
/// A widget is a member of a cohort; where things are counted is the thread's own.
struct UnperturbedPlan: BitwiseCopyable {
  let kind: Prepared<KindPlan>
  let radio: Prepared<RadioPlan>

  // From the start to the arrival of the request, the promotion among it; from there to the answer without the server.
  let promotion: TimeAmount
  let lead: TimeAmount
  let inbound: TimeAmount
  let timeout: TimeAmount
  let latency: SpanSampler
  let cpu: TimeAmount
  /// Processor energy of a run.
  let busy: Energy
  /// Transfer energy of a run's bytes.
  let transfer: Energy
  /// Energy of the radio and the waiting processor around the time on the air, and of the bytes; power on the air.
  let fixedEnergy: Energy
  let lonePower: Power
  let tailLength: TimeAmount
  let down: ByteCount
  let up: ByteCount
  /// Whether nothing but the budget and Low Power Mode withholds a run.
  let startsFreely: Bool
  /// Within which other tickets start with it.
  let coalescingWindow: TimeAmount
  /// What a charged run takes from the budget.
  let price: RunMillionths

  let route: Tally.Route
  private let group: UnsafeMutablePointer<GroupTally>

  /// The policy's date where it is after(...) at all times; nil: as the timeline says.
  let after: SpanSampler?
  let jitter: SpanSampler
  let startDelay: SpanSampler
  /// Both at any draw, where neither depends on it; nil: they are drawn.
  let fixedDelays: ScheduleDelays?
  let minSpacing: TimeAmount
  /// Whether views wait for the end of a run to be judged.
  let isViewed: Bool

  /// nil where no run is unperturbed: one that is not one request, or whose fate depends on others, or on chance.
  init?<Rules: SchedulerRules>(
    _ plan: FleetPlan, of member: MemberPlan, in place: (cohort: CohortIndex, interface: Int),
    tally: borrowing Tally, _ rules: Rules.Type
  ) {
    kind = plan.kind(member.kind)
    let cohort = plan.cohorts.element(at: place.cohort.place)
    radio = cohort.network.radios.element(at: place.interface)
    promotion = plan.keepsEnergy ? radio.promotion.length : .zero
    guard kind.sendsOneRequest, !plan.hasFeedback, let start = Rules.fastStart(kind, cohort) else { return nil }
    let request = kind.requests[0]
    let endpoint = plan.endpoint(request.endpoint)
    lead = promotion + radio.outbound
    // Time passes in every run: those that follow each other have an end.
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

    after = Rules.delayDependsOnSession(of: .policy, cohort) ? nil : Self.span(of: kind)
    jitter = kind.jitter
    startDelay = start.startDelay
    fixedDelays =
      jitter.isConstant && startDelay.isConstant
      ? ScheduleDelays(jitter: jitter.span(at: 0), start: startDelay.span(at: 0)) : nil
    minSpacing = start.minSpacing
    isViewed = cohort.hasPeople
  }

  /// nil where the ticket after a run depends on more than the run and its draws.
  private static func span(of kind: Prepared<KindPlan>) -> SpanSampler? {
    guard kind.phases.count == 1, kind.windows.isEmpty, kind.jitterScope == .run || kind.jitter.isConstant,
      case .after(let span) = kind.phases[0].reload
    else { return nil }
    return span
  }

  /// Counts how late a run starts.
  @inline(__always)
  func recordLateness(_ lateness: TimeAmount) { group.pointee.recordLateness(lateness) }
}

/// What lies between a policy's date and the planned start, but for the minimum spacing.
struct ScheduleDelays: BitwiseCopyable {
  var jitter: TimeAmount
  var start: TimeAmount
}

/// The plans of a widget's unperturbed runs, by its phone's interface.
struct UnperturbedChoice: BitwiseCopyable {
  fileprivate let first: UnsafePointer<UnperturbedPlan>

  /// On an interface by its index.
  @inline(__always)
  subscript(interface: UInt8) -> Prepared<UnperturbedPlan> { Prepared(at: first + Int(interface)) }

  /// What is the same on both.
  @inline(__always)
  var onAny: Prepared<UnperturbedPlan> { Prepared(at: first) }
}

/// The unperturbed runs of every widget of a fleet, as one thread sees them: whoever makes them frees them.
struct UnperturbedPlans: BitwiseCopyable {
  /// By cohort, member and interface.
  private let plans: UnsafeMutablePointer<UnperturbedPlan>
  /// By cohort and member; nil where no run is unperturbed.
  private let members: UnsafeMutablePointer<UnperturbedChoice?>
  /// By cohort: its first member.
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

  /// Makes the plans of a widget on its interfaces; nil where there are none.
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
