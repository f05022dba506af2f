import SimulationKernel

/// Records bursts and the silences between them, to be priced on other radios (`RadioTally`).
///
/// `EnergyAccount+Radio` tells when one begins or ends; nothing here changes what anything costs.
extension EnergyAccount {
  /// Where the present phone's bursts are counted, by interface; `widgets`: its instances, by slot.
  mutating func record(in tallies: UnsafeMutablePointer<RadioTally>, widgets count: Int) {
    bursts = tallies
    widgets = count >= UInt64.bitWidth ? .max : (1 &<< UInt64(count)) &- 1
  }

  /// A request wakes the radio, or joins its tail; it is on the air from `onAir` on.
  @inline(__always)
  mutating func noteWake(_ flow: UInt64, onAir: Instant, at now: Instant) {
    noteSilence(upTo: now, isEndedByWidget: flow & widgets != 0)
    radio.mark = RadioMark(onAir)
  }

  /// Nothing of the phone is on the air any more; `last` were.
  @inline(__always)
  mutating func noteBurst(_ last: UInt64, endingAt now: Instant) {
    if now >= .start, let bursts {
      bursts[Int(radio.interface)].recordBurst(milliseconds: radio.mark.milliseconds(to: now))
    }
    radio.mark = RadioMark(now, isPersons: last & widgets == 0)
  }

  /// Ends the burst of a run that had the radio for itself; the burst is among the totals of the run's instance.
  @inline(__always)
  mutating func noteLoneBurst(_ last: UInt64, endingAt now: Instant) {
    radio.mark = RadioMark(now, isPersons: last & widgets == 0)
  }

  /// Notes an unperturbed run from its first moment to its answer, the silence before it included.
  ///
  /// - Parameter tally: of the present interface.
  @inline(__always)
  mutating func noteLoneBurst(
    of slot: Int, in tally: UnsafeMutablePointer<RadioTally>, from now: Instant, to end: Instant
  ) {
    assert(widgets & bit(slot) != 0, "an unperturbed run is a widget's")
    assert(bursts.map { tally == $0 + Int(radio.interface) } ?? true, "of the present interface")
    guard now >= .start else {
      radio.mark = RadioMark(end)
      return
    }
    noteSilence(in: tally, upTo: now, isEndedByWidget: true)
    radio.mark = RadioMark(measured: end)
  }

  /// What the totals of some instances say of the present radio's bursts and bytes.
  func noteTotals(of mask: UInt64) {
    guard periodStart >= .start, let bursts else { return }
    var left = mask
    while left != 0 {
      let slot = left.trailingZeroBitCount
      left &= left &- 1
      bursts[Int(radio.interface)].record(ledger.totals(of: slot), isWidgets: widgets & bit(slot) != 0)
    }
  }

  /// The person takes the radio, or the clock ends: what was going on does.
  mutating func noteInterruption(at now: Instant) {
    guard isKept else { return }
    switch radio.phase {
    case .idle, .dozing, .tail: noteSilence(upTo: now, isEndedByWidget: false)
    case .promotion, .active: noteBurst(radio.payers, endingAt: now)
    case .held: break
    }
  }

  /// Another interface: tails of the old one end, while the silence goes on.
  mutating func noteChange(at now: Instant) {
    noteInterruption(at: now)
    switch radio.phase {
    case .idle, .dozing, .tail: radio.mark = radio.mark.foreign
    case .promotion, .active, .held: break
    }
  }

  /// The person lets go of the radio.
  mutating func noteRelease(at now: Instant) { radio.mark = RadioMark(now, isPersons: true) }

  /// The bytes of an answer over another radio than the present one.
  mutating func noteBytes(_ slot: Int, down: ByteCount, up: ByteCount, over plan: Prepared<RadioPlan>) {
    guard let bursts, periodStart >= .start, widgets & bit(slot) != 0 else { return }
    bursts[plan == plans.element(at: 0) ? 0 : 1].recordTransfer(down: down, up: up)
  }

  @inline(__always)
  private mutating func noteSilence(upTo now: Instant, isEndedByWidget: Bool) {
    guard now >= .start, let bursts else { return }
    noteSilence(in: bursts + Int(radio.interface), upTo: now, isEndedByWidget: isEndedByWidget)
  }

  // Mutating like whatever reads the account: a borrow would copy it.
  @inline(__always)
  private mutating func noteSilence(
    in tally: UnsafeMutablePointer<RadioTally>, upTo now: Instant, isEndedByWidget: Bool
  ) {
    if let length = radio.mark.widgetsSilence(upTo: now) {
      tally.pointee.record(isEndedByWidget ? .wokenAgain : .left, shortMilliseconds: length)
    } else {
      tally.pointee.recordOther(radio.mark, upTo: now, isEndedByWidget: isEndedByWidget)
    }
  }
}
