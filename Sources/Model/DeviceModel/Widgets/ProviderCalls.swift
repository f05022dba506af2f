import Scenario
import SimulationKernel

/// The calls to code that returns a widget's timeline in place of the scenario's policies (MODEL.md 5.8).
enum ProviderCalls {
  /// Returns the date that a provider requests at the end of a run; `nil` if there is none.
  ///
  /// An unusable timeline ends the phone's simulation.
  @inline(never)
  static func date<Rules: SchedulerRules>(
    _ slot: Slot, after run: Provider.Outcome, at now: Instant, _ host: inout WidgetHost<Rules>
  ) -> Instant? {
    guard let code = host.phone.kind(of: slot).provider else { return nil }
    return date(slot, code, after: run, at: now, &host)
  }

  @inline(__always)
  private static func date<Rules: SchedulerRules>(
    _ slot: Slot, _ code: ProviderPlan, after run: Provider.Outcome, at now: Instant, _ host: inout WidgetHost<Rules>
  ) -> Instant? {
    let context = context(of: slot, code.hints, after: run, at: now, host.provider, &host.phone)
    let timeline = code.timeline(in: context, memory: host.phone.memory.providerMemory(of: slot))
    switch timeline.request(at: now, atEndGap: Rules.atEndGap(host.phone.cohort)) {
    case .at(let date): return date
    case .never: return nil
    case .faulty(let fault):
      host.phone.fail(host.phone.kindIndex(of: slot), fault, at: now)
      return nil
    }
  }

  /// Starts a ticket's run that is in the warm-up, has a policy other than after(...), or cannot be unperturbed.
  ///
  /// After a run with code, it also handles the next event if that event starts another run with code.
  ///
  /// - Returns: the instant of the last ticket that was handled.
  @inline(never)
  static func startOther<Rules: SchedulerRules>(
    _ slot: Slot, _ plans: UnperturbedChoice?, cause: Cause, at now: Instant, _ host: inout WidgetHost<Rules>
  ) -> Instant {
    guard var plans, now >= .start, plans.onAny.hasCode else {
      if let plans, host.runOtherUnperturbed(slot, plans, cause: cause, at: now) { return now }
      host.startDisturbed(slot, cause: cause, at: now)
      return now
    }
    var (slot, cause, now) = (slot, cause, now)
    while let code = host.phone.kind(of: slot).provider,
      let next = start(slot, plans, code, cause: cause, at: now, &host)
    {
      guard let others = host.log.plans(of: next.slot), others.onAny.hasCode else {
        // The loop for runs without code is not entered from here.
        host.phone.schedule(.start(next.slot), at: next.at)
        break
      }
      (slot, now, plans) = (next.slot, next.at, others)
      host.phone.tally.eventCount &+= 1
      guard let ticket = host.scheduler.ticket(of: slot).cause,
        host.startsFreely(slot, plans, at: now) || host.startsByRules(slot, at: now)
      else { break }
      cause = ticket
    }
    return now
  }

  /// Simulates a scheduled run in the measured period whose kind has code; an undisturbed run takes one step.
  ///
  /// - Returns: the phone's next start if it is the next event.
  @inline(__always)
  private static func start<Rules: SchedulerRules>(
    _ slot: Slot, _ plans: UnperturbedChoice, _ code: ProviderPlan, cause: Cause, at now: Instant,
    _ host: inout WidgetHost<Rules>
  ) -> (slot: Slot, at: Instant)? {
    let number = host.provider.runs(of: slot)
    // The network must be brought up to date before its interface is read.
    let isFree = host.connection.isFree(at: now, &host.phone)
    let run = plans[host.connection.energy.radio.interface]
    guard isFree, let course = host.unperturbedCourse(slot, run, number, cause, at: now) else {
      host.startDisturbed(slot, cause: cause, at: now)
      return nil
    }
    host.completeRun(course, slot, run, cause, at: now)
    let outcome = Provider.Outcome(
      dataTime: course.answer, failure: nil, cause: cause, isAnswered: true, uniform: 0)
    let date = date(slot, code, after: outcome, at: course.end, &host)
    var planned = Instant.never
    if let date {
      planned = host.setTicket(slot, run, after: date - course.end, at: course.end)
    } else {
      host.scheduler.removeTicket(slot)
      host.judgeViews(slot, at: course.end)
    }
    host.connection.energy.passFlow(
      slot.place, run, from: now, to: course.answer,
      unperturbedUntil: min(min(planned, course.next), host.connection.network.redraw))
    return date == nil ? nil : host.exchangeStart(slot, planned: planned)
  }

  /// Lets a kind's code choose the requests of the run that starts now, and stores the choice.
  ///
  /// - Returns: whether the run sends none and therefore ends with the widget's existing data.
  @inline(__always)
  static func choosesNone(
    _ slot: Slot, _ kind: Prepared<KindPlan>, at now: Instant, _ provider: Provider, _ phone: inout PhoneCore
  ) -> Bool {
    kind.choosesRequests && chooses(nothingFor: slot, kind, at: now, provider, &phone)
  }

  @inline(never)
  private static func chooses(
    nothingFor slot: Slot, _ kind: Prepared<KindPlan>, at now: Instant, _ provider: Provider, _ phone: inout PhoneCore
  ) -> Bool {
    guard let code = kind.provider else { return false }
    let run = Provider.Outcome(
      dataTime: provider.dataTime(of: slot), failure: nil, cause: provider.flights.ofRun(slot).cause,
      isAnswered: false, uniform: 0)
    let context = context(of: slot, code.hints, after: run, at: now, provider, &phone)
    let chosen = code.requests(in: context, memory: phone.memory.providerMemory(of: slot)).bits
    phone.memory.chosen[slot] = chosen
    let listed = kind.requests.count < UInt64.bitWidth ? (1 << UInt64(kind.requests.count)) - 1 : UInt64.max
    guard chosen & listed == 0 else { return false }
    provider.keepData(slot)
    return true
  }

  @inline(__always)
  private static func context(
    of slot: Slot, _ hints: PreparedList<HintPlan>, after run: Provider.Outcome, at now: Instant, _ provider: Provider,
    _ phone: inout PhoneCore
  ) -> TimelineContext {
    let (kind, widget) = (phone.kind(of: slot), phone.widget(slot))
    let brought = kind.requests.isEmpty ? now : run.dataTime
    let time = run.hasFailed ? provider.dataTime(of: slot) : brought
    let number = provider.runs(of: slot) &- 1
    let chosen = phone.plan.choosesRequests ? phone.memory.chosen[slot] : .max
    let fresh = kind.cache == nil ? nil : provider.caches.freshData(of: slot, at: now, &phone)
    return TimelineContext(
      date: now, cause: run.cause, family: widget.family,
      isDataFresh: kind.cache == nil ? kind.showsFresh(dataOf: time, at: now) : fresh != nil,
      answer: answer(kind, widget.family, after: run, provider.flights.ofRun(slot), chosen),
      dataTime: time > .longAgo ? time : nil,
      hint: time > .longAgo ? provider.shortestHint(hints, slot, dataOf: time, &phone) : nil,
      run: Int(number), clock: phone.wall,
      draws: ProviderDraws(
        phone.stream, purpose: Purpose.code.rawValue, part: UInt32(truncatingIfNeeded: widget.member.place),
        run: number))
  }

  /// Returns the answer to a run's requests; the given flight belongs to the run only if the run has failed.
  @inline(__always)
  private static func answer(
    _ kind: Prepared<KindPlan>, _ family: Family, after run: Provider.Outcome, _ flight: Flight, _ chosen: UInt64
  ) -> ServerAnswer {
    if let failure = run.failure {
      return ServerAnswer(status: .failure(failure), retryAfter: flight.retryAfter, bytes: .zero, arrival: nil)
    }
    guard run.isAnswered, !kind.requests.isEmpty else {
      return ServerAnswer(status: .notAsked, retryAfter: nil, bytes: .zero, arrival: nil)
    }
    var bytes: Int64 = 0
    for index in 0..<kind.requests.count where chosen.includes(index) {
      let request = kind.requests.element(at: index)
      bytes &+= request.down[family].bytes &* Int64(request.count)
    }
    return ServerAnswer(status: .success, retryAfter: nil, bytes: ByteCount(bytes: bytes), arrival: run.dataTime)
  }
}

extension Prepared where Value == KindPlan {
  /// Whether data from an instant counts as fresh if there is no cache.
  @inline(__always)
  fileprivate func showsFresh(dataOf time: Instant, at now: Instant) -> Bool {
    guard let limit = self.staleAfter else { return time > .longAgo }
    return now - time <= limit
  }
}
