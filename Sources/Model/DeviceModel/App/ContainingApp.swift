import Scenario
import SimulationKernel

/// The app that contains the widgets: its visits, audio spells and reload requests (MODEL.md 2.5, 2.8, 4.2, 4.4).
struct ContainingApp: BitwiseCopyable {
  private let memory: DeviceMemory

  @inline(__always)
  init(in memory: DeviceMemory) { self.memory = memory }

  private var calls: Column<KindIndex, CallState> { memory.calls }
  /// The number of background refreshes so far, used as the key of the next draw.
  private var refreshes: Column<ReloadIndex, UInt32> { memory.reloadOrdinals }

  /// Schedules the first background refreshes of a new phone.
  func begin(_ phone: inout PhoneCore) {
    if phone.plan.hasCalls { calls.initialize(repeating: CallState(), count: phone.plan.kinds.count) }
    refreshes.initialize(repeating: 0, count: phone.plan.reloads.count)
    for index in phone.plan.reloadIndices { scheduleRefresh(index, after: phone.plan.beginning, &phone) }
  }

  // MARK: Background refreshes

  private func scheduleRefresh(_ index: ReloadIndex, after now: Instant, _ phone: inout PhoneCore) {
    guard case .backgroundRefresh(let gap) = phone.plan.reload(index).occasion, !phone.keepsAppClosed else { return }
    let uniform = phone.draws(.backgroundRefresh, part: index.place, index: Int(refreshes[index])).first
    refreshes[index] &+= 1
    phone.schedule(.backgroundRefresh(index), at: now + gap.span(at: uniform))
  }

  /// Handles a background refresh, which counts as a foreground call if the app is active (MODEL.md 4.2).
  func refresh<Rules>(_ index: ReloadIndex, at now: Instant, _ widgets: inout WidgetHost<Rules>) {
    reload(widgets.phone.plan.reload(index).effect, at: now, &widgets)
    scheduleRefresh(index, after: now, &widgets.phone)
  }

  /// Requests a reload for an app that was woken in the background. If the app is active, the request is a foreground
  /// call.
  func reload<Rules>(_ effect: ReloadEffect, at now: Instant, _ widgets: inout WidgetHost<Rules>) {
    guard now >= widgets.phone.life.from else { return }
    guard !widgets.phone.presence.isAppActive else { return call(effect, at: now, &widgets) }
    prepare(effect, at: now, &widgets)
    for position in 0..<effect.kinds.count { widgets.requestInBackground(effect.kinds[position], at: now) }
  }

  /// Applies the effects of a call on phases and caches, which must precede the start of any run (MODEL.md 2.8).
  private func prepare<Rules>(_ effect: ReloadEffect, at now: Instant, _ widgets: inout WidgetHost<Rules>) {
    if effect.fillsCache { widgets.connection.advance(to: now, &widgets.phone) }
    for position in 0..<effect.kinds.count {
      let kind = effect.kinds[position]
      if effect.restarts {
        for slot in widgets.phone.slots where widgets.phone.kindIndex(of: slot) == kind {
          widgets.provider.restart(slot)
        }
      }
      if effect.clearsCache { widgets.provider.caches.set(of: kind, to: .longAgo, &widgets.phone) }
      if effect.fillsCache, !widgets.connection.network.isOffline {
        widgets.provider.caches.set(of: kind, to: now, &widgets.phone)
      }
    }
  }

  // MARK: Foreground

  /// Schedules the opening of the app at an instant drawn uniformly from the session.
  func scheduleOpen(_ phone: inout PhoneCore) {
    phone.schedule(.appOpen, at: phone.session.instant(at: foregroundDraws(&phone).first))
  }

  /// Returns the draws for the start and length of the session's foreground spell.
  private func foregroundDraws(_ phone: inout PhoneCore) -> Philox.Block {
    phone.draws(.session, part: phone.session.key, index: 1)
  }

  /// Starts a foreground spell and schedules the app's calls during it. The spell ends no later than the session.
  func open(at now: Instant, _ phone: inout PhoneCore) {
    let length = phone.cohort.person.foreground.span(at: foregroundDraws(&phone).second)
    // A spell lasts at least 1 ms, so that its calls happen before it ends.
    let end = min(now + max(length, .milliseconds(1)), phone.session.end)
    phone.setForeground(true)
    phone.schedule(.appClose, at: end)
    for index in phone.plan.reloadIndices {
      switch phone.plan.reload(index).occasion {
      case .open: phone.schedule(.appCall(index), at: now)
      case .launch(let chance):
        let draws = phone.draws(.change, part: phone.session.key, index: index.place)
        if chance.happens(at: draws.first) { phone.schedule(.appCall(index), at: now) }
      case .change(let count): scheduleChanges(index, count, from: now, to: end, &phone)
      case .close, .backgroundRefresh, .audio: continue
      }
    }
  }

  private func scheduleChanges(
    _ index: ReloadIndex, _ count: ChoiceTable<Int>, from: Instant, to: Instant, _ phone: inout PhoneCore
  ) {
    let key = phone.session.key
    for change in 0..<count.value(at: phone.draws(.change, part: key, index: index.place).first) {
      let uniform = phone.draws(.change, part: key, index: index.place | (change + 1) << 8).first
      phone.schedule(.appCall(index), at: from + SpanSampler.part(of: to - from, at: uniform))
    }
  }

  /// Ends a foreground spell; `close` calls and deferred calls are combined into one run per kind (MODEL.md 2.8, 4.4).
  func close<Rules>(at now: Instant, _ widgets: inout WidgetHost<Rules>) {
    widgets.phone.setForeground(false)
    guard now >= widgets.phone.life.from else { return }
    for index in widgets.phone.plan.reloadIndices {
      let reload = widgets.phone.plan.reload(index)
      guard case .close = reload.occasion else { continue }
      let effect = reload.effect
      prepare(effect, at: now, &widgets)
      for position in 0..<effect.kinds.count { calls[effect.kinds[position]].awaitsForegroundEnd = true }
    }
    guard widgets.phone.plan.hasCalls else { return }
    for kind in widgets.phone.plan.kindIndices where calls[kind].awaitsForegroundEnd {
      calls[kind].awaitsForegroundEnd = false
      letThrough(kind, at: now, &widgets.phone, Rules.self)
    }
  }

  // MARK: Audio

  func beginAudio(at now: Instant, _ phone: inout PhoneCore) {
    for index in phone.plan.reloadIndices {
      if case .audio = phone.plan.reload(index).occasion { phone.schedule(.audioCall(index), at: now) }
    }
  }

  func endAudio<Rules: SchedulerRules>(at now: Instant, _ phone: inout PhoneCore, _ rules: Rules.Type) {
    phone.setPlayingAudio(false)
    guard phone.plan.hasCalls else { return }
    for kind in phone.plan.kindIndices where calls[kind].awaitsAudioEnd {
      calls[kind].awaitsAudioEnd = false
      letThrough(kind, at: now, &phone, rules)
    }
  }

  /// Makes a call during an audio spell, and schedules the next call if the spell lasts long enough.
  ///
  /// - Parameter end: the end of the audio spell.
  func callInAudio<Rules>(
    _ index: ReloadIndex, until end: Instant, at now: Instant, _ widgets: inout WidgetHost<Rules>
  ) {
    let plan = widgets.phone.plan.reload(index)
    guard widgets.phone.presence.isPlayingAudio, case .audio(let every) = plan.occasion else { return }
    call(plan.effect, at: now, &widgets)
    if every > .zero, now + every < end { widgets.phone.schedule(.audioCall(index), at: now + every) }
  }

  // MARK: Calls

  /// Requests a reload for the active app. At most one call per kind takes effect in each foreground gap (MODEL.md
  /// 4.4).
  func call<Rules>(_ effect: ReloadEffect, at now: Instant, _ widgets: inout WidgetHost<Rules>) {
    guard now >= widgets.phone.life.from else { return }
    prepare(effect, at: now, &widgets)
    for position in 0..<effect.kinds.count {
      let kind = effect.kinds[position]
      if now - calls[kind].lastCall >= Rules.foregroundGap(widgets.phone.cohort) {
        letThrough(kind, at: now, &widgets.phone, Rules.self)
      } else if widgets.phone.presence.isForeground {
        calls[kind].awaitsForegroundEnd = true
      } else {
        calls[kind].awaitsAudioEnd = true
      }
    }
  }

  /// Passes a call on to the system, which starts the runs of the kind after the foreground latency.
  private func letThrough<Rules: SchedulerRules>(
    _ kind: KindIndex, at now: Instant, _ phone: inout PhoneCore, _ rules: Rules.Type
  ) {
    let uniform = phone.draws(.foreground, part: kind.place, index: Int(calls[kind].calls)).first
    calls[kind].lastCall = now
    calls[kind].calls &+= 1
    let latency = rules.foregroundLatency(phone.cohort).span(at: uniform)
    phone.schedule(.foregroundRun(kind: kind), at: now + latency)
  }

  // MARK: Checks

  /// Returns the first broken invariant of the app; `nil` if all invariants hold.
  func brokenInvariant(at now: Instant, _ pending: PendingCounts, _ phone: borrowing PhoneCore) -> String? {
    let presence = phone.presence
    if presence.isForeground, !presence.isInSession, presence.lastSessionEnd != now {
      return "an app on a locked screen"
    }
    if presence.isForeground != (pending.appCloses == 1) { return "a foreground spell without an end" }
    if presence.isPlayingAudio != (pending.audioEnds == 1) { return "an audio spell without an end" }
    guard phone.plan.hasCalls else { return nil }
    for kind in phone.plan.kindIndices {
      let call = calls[kind]
      if call.awaitsForegroundEnd, !presence.isForeground { return "kind \(kind.place): a call that never ends" }
      if call.awaitsAudioEnd, !presence.isPlayingAudio { return "kind \(kind.place): an audio call that never ends" }
      if call.lastCall > now { return "kind \(kind.place): a call in the future" }
    }
    return nil
  }
}

/// The state of the active app's reload requests for one kind (MODEL.md 4.4).
struct CallState: BitwiseCopyable {
  /// The instant of the last call that was passed on.
  fileprivate var lastCall: Instant = .longAgo
  /// The number of calls that were passed on, used as the index for the next call's draws.
  fileprivate var calls: UInt32 = 0
  /// Whether calls are deferred until the app's foreground or audio spell ends.
  fileprivate var awaitsForegroundEnd = false
  fileprivate var awaitsAudioEnd = false
}
