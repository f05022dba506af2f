import BackendModel
import Scenario
import SimulationKernel

/// What is the same in every unperturbed run of a widget on one interface, at hand in one place.
///
/// A widget is a member of a cohort; where things are counted is the thread's own.
struct UnperturbedPlan: BitwiseCopyable {
  let kind: UnsafePointer<KindPlan>
  let radio: UnsafePointer<RadioPlan>

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
  let group: UnsafeMutablePointer<GroupTally>
  /// Radio tally of the cohort's phones on this interface.
  let bursts: UnsafeMutablePointer<RadioTally>

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
  init?(_ plan: FleetPlan, cohort: Int, member: MemberPlan, interface: Int, tally: borrowing Tally) {
    kind = plan.kinds.pointer(at: member.kind)
    let owner = plan.cohorts.pointer(at: cohort)
    let system = owner.pointee.system
    radio = owner.pointee.network.radios.pointer(at: interface)
    promotion = plan.keepsEnergy ? radio.pointee.promotion.length : .zero
    guard kind.pointee.sendsOneRequest, !plan.hasFeedback else { return nil }
    let request = kind.pointee.requests[0]
    let endpoint = plan.endpoints[request.endpoint]
    lead = promotion + radio.pointee.outbound
    // Time passes in every run: those that follow each other have an end.
    guard endpoint.outages == nil, promotion > .zero || !plan.keepsEnergy, lead > .zero else { return nil }

    inbound = radio.pointee.inbound
    timeout = endpoint.timeout
    latency = endpoint.latency
    cpu = kind.pointee.cpu
    busy = plan.keepsEnergy ? ProcessorPower.busy * cpu : .zero
    down = request.down[member.family]
    up = request.up[member.family]
    transfer = radio.pointee.transfer(down: down, up: up)
    fixedEnergy = radio.pointee.aroundLone + transfer
    lonePower = radio.pointee.lonePower
    tailLength = radio.pointee.tailLength
    startsFreely = system.idle == nil && !kind.pointee.isProtected
    coalescingWindow = system.coalescingWindow
    price = BudgetAccount.price(plan: system.budget)

    route = tally.route(to: request.endpoint, fromCohort: cohort)
    group = tally.group(cohort: cohort, kind: member.kind)
    bursts = tally.radios + (2 * cohort + interface)

    after = Self.span(of: kind, system)
    jitter = kind.pointee.jitter
    startDelay = system.policyDelay
    fixedDelays =
      jitter.isConstant && startDelay.isConstant
      ? ScheduleDelays(jitter: jitter.span(at: 0), start: startDelay.span(at: 0)) : nil
    minSpacing = system.minSpacing
    isViewed = owner.pointee.hasPeople
  }

  /// nil where the ticket after a run depends on more than the run and its draws.
  private static func span(of kind: UnsafePointer<KindPlan>, _ system: SystemPlan) -> SpanSampler? {
    guard kind.pointee.phases.count == 1, kind.pointee.windows.isEmpty, !system.delayDependsOnSession,
      kind.pointee.jitterScope == .run || kind.pointee.jitter.isConstant,
      case .after(let span) = kind.pointee.phases[0].reload
    else { return nil }
    return span
  }
}

/// What lies between a policy's date and the planned start, but for the minimum spacing.
struct ScheduleDelays: BitwiseCopyable {
  var jitter: TimeAmount
  var start: TimeAmount
}

/// The unperturbed runs of every widget of a fleet, as one thread sees them: whoever makes them frees them.
struct UnperturbedPlans: BitwiseCopyable {
  /// By cohort, member and interface.
  private let plans: UnsafeMutablePointer<UnperturbedPlan>
  /// By cohort and member: the first of its plans; nil where no run is unperturbed.
  private let members: UnsafeMutablePointer<UnsafePointer<UnperturbedPlan>?>
  /// By cohort: its first member.
  private let cohorts: UnsafeMutablePointer<Int>

  init(_ plan: FleetPlan, tally: borrowing Tally) {
    let counts = plan.cohorts.indices.map { plan.cohorts[$0].members.count }
    plans = .allocate(capacity: 2 * counts.reduce(0, +))
    members = .allocate(capacity: counts.reduce(0, +))
    cohorts = .allocate(capacity: counts.count)
    var first = 0
    for cohort in plan.cohorts.indices {
      cohorts[cohort] = first
      for member in 0..<counts[cohort] {
        (members + (first + member)).initialize(
          to: Self.fill(plans + 2 * (first + member), plan, cohort: cohort, member: member, tally))
      }
      first += counts[cohort]
    }
  }

  /// Makes the plans of a widget on its interfaces; nil where there are none.
  private static func fill(
    _ place: UnsafeMutablePointer<UnperturbedPlan>, _ plan: FleetPlan, cohort: Int, member: Int,
    _ tally: borrowing Tally
  ) -> UnsafePointer<UnperturbedPlan>? {
    let owner = plan.cohorts.pointer(at: cohort)
    for interface in owner.pointee.network.radios.indices {
      let made = UnperturbedPlan(
        plan, cohort: cohort, member: owner.pointee.members[member], interface: interface, tally: tally)
      guard let made else { return nil }
      (place + interface).initialize(to: made)
    }
    return UnsafePointer(place)
  }

  func free() {
    plans.deallocate()
    members.deallocate()
    cohorts.deallocate()
  }

  func ofMember(_ member: Int, cohort: Int) -> UnsafePointer<UnperturbedPlan>? { members[cohorts[cohort] + member] }
}
