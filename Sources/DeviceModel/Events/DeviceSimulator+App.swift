import Scenario
import SimulationKernel

/// The containing app: its visits, its audio sessions and the reloads it asks for (MODEL.md 2.5, 2.8, 4.2, 4.4).
extension DeviceSimulator {
  /// Starts the background refreshes.
  mutating func beginApp() {
    for index in 0..<plan.reloads.count { scheduleRefresh(index, after: plan.beginning) }
  }

  // MARK: Background refresh

  private mutating func scheduleRefresh(_ index: Int, after now: Instant) {
    guard case .backgroundRefresh(let gap) = plan.reloads[index].occasion else { return }
    let uniform = device.stream.block(.backgroundRefresh, part: index, index: Int(ordinals[index])).first
    ordinals[index] &+= 1
    schedule(.backgroundRefresh(UInt8(index)), at: now + gap.span(at: uniform))
  }

  /// A refresh of the app in the background; of an active app it is a foreground call (MODEL.md 4.2).
  mutating func refreshInBackground(_ index: Int, at now: Instant) {
    reload(plan.reloads[index].effect, at: now)
    scheduleRefresh(index, after: now)
  }

  /// The app asks for a reload when it is woken in the background; one that is active calls in the foreground.
  mutating func reload(_ effect: ReloadEffect, at now: Instant) {
    guard !device.presence.isAppActive else { return call(effect, at: now) }
    prepare(effect, at: now)
    for position in 0..<effect.kinds.count { requestInBackground(kind: effect.kinds[position], at: now) }
  }

  /// What a call does to phases and caches before any run (MODEL.md 2.8).
  private mutating func prepare(_ effect: ReloadEffect, at now: Instant) {
    if effect.fillsCache { advanceNetwork(to: now) }
    for position in 0..<effect.kinds.count {
      let kind = effect.kinds[position]
      if effect.restarts {
        for slot in 0..<device.instanceCount where instances[slot].kind == kind { instances[slot].phase = 0 }
      }
      if effect.clearsCache { setCaches(of: kind, to: .longAgo) }
      if effect.fillsCache, !device.network.isOffline { setCaches(of: kind, to: now) }
    }
  }

  // MARK: Foreground

  /// The app is opened at a uniform instant of the session.
  mutating func scheduleAppOpen() {
    let draws = device.stream.block(.session, part: person.session.key, index: 1)
    person.foregroundUniform = draws.second
    schedule(.appOpen, at: instantInSession(draws.first))
  }

  /// A foreground spell begins: its end is cut at the session's, its changes fall into it.
  mutating func openApp(at now: Instant) {
    let length = cohort.pointee.person.foreground.span(at: person.foregroundUniform)
    // A spell that begins also ends, at least a moment later, so that its calls fall into it.
    let end = min(now + max(length, .milliseconds(1)), person.session.end)
    device.presence.isForeground = true
    schedule(.appClose, at: end)
    for index in 0..<plan.reloads.count {
      switch plan.reloads[index].occasion {
      case .open: schedule(.appCall(UInt8(index)), at: now)
      case .change(let count): scheduleChanges(index, count, from: now, to: end)
      case .close, .backgroundRefresh, .audio: continue
      }
    }
  }

  private mutating func scheduleChanges(_ index: Int, _ count: ChoiceTable<Int>, from: Instant, to: Instant) {
    let key = person.session.key
    for change in 0..<count.value(at: device.stream.block(.change, part: key, index: index).first) {
      let draws = device.stream.block(.change, part: key, index: index | (change + 1) << 8)
      schedule(.appCall(UInt8(index)), at: from + SpanSampler.part(of: to - from, at: draws.first))
    }
  }

  /// A foreground spell ends: `close` calls and the surplus are one run of each kind (MODEL.md 2.8, 4.4).
  mutating func closeApp(at now: Instant) {
    device.presence.isForeground = false
    for index in 0..<plan.reloads.count {
      guard case .close = plan.reloads[index].occasion else { continue }
      let effect = plan.reloads[index].effect
      prepare(effect, at: now)
      for position in 0..<effect.kinds.count { calls[effect.kinds[position]].awaitsForegroundEnd = true }
    }
    guard plan.hasCalls else { return }
    for kind in 0..<plan.kinds.count where calls[kind].awaitsForegroundEnd {
      calls[kind].awaitsForegroundEnd = false
      letThrough(kind, at: now)
    }
  }

  // MARK: Audio

  /// An audio spell begins, unless another is still on.
  mutating func startAudio(at now: Instant) {
    let length = cohort.pointee.person.audioLength.span(at: person.audioLengthUniform)
    scheduleAudioSpell()
    guard !device.presence.isPlayingAudio else { return }
    device.presence.isPlayingAudio = true
    person.audioEnd = now + max(length, .milliseconds(1))
    schedule(.audioEnd, at: person.audioEnd)
    for index in 0..<plan.reloads.count {
      if case .audio = plan.reloads[index].occasion { schedule(.audioCall(UInt8(index)), at: now) }
    }
  }

  mutating func endAudio(at now: Instant) {
    device.presence.isPlayingAudio = false
    guard plan.hasCalls else { return }
    for kind in 0..<plan.kinds.count where calls[kind].awaitsAudioEnd {
      calls[kind].awaitsAudioEnd = false
      letThrough(kind, at: now)
    }
  }

  /// A call of an audio session, and the next one while it lasts.
  mutating func callInAudio(_ index: Int, at now: Instant) {
    guard device.presence.isPlayingAudio, case .audio(let every) = plan.reloads[index].occasion else { return }
    call(plan.reloads[index].effect, at: now)
    if every > .zero, now + every < person.audioEnd { schedule(.audioCall(UInt8(index)), at: now + every) }
  }

  // MARK: Calls

  /// The active app asks for a reload: at most one call per kind in the foreground gap (MODEL.md 4.4).
  mutating func call(_ effect: ReloadEffect, at now: Instant) {
    prepare(effect, at: now)
    for position in 0..<effect.kinds.count {
      let kind = effect.kinds[position]
      if now - calls[kind].lastCall >= cohort.pointee.system.foregroundGap {
        letThrough(kind, at: now)
      } else if device.presence.isForeground {
        calls[kind].awaitsForegroundEnd = true
      } else {
        calls[kind].awaitsAudioEnd = true
      }
    }
  }

  /// A call reaches the system, which starts the kind's runs after the foreground latency.
  private mutating func letThrough(_ kind: Int, at now: Instant) {
    let uniform = device.stream.block(.foreground, part: kind, index: Int(calls[kind].calls)).first
    calls[kind].lastCall = now
    calls[kind].calls &+= 1
    let latency = cohort.pointee.system.foregroundLatency.span(at: uniform)
    schedule(.foregroundRun(kind: UInt16(truncatingIfNeeded: kind)), at: now + latency)
  }
}
