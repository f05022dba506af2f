import SimulationKernel

/// Records a phone's bursts and the silences between them, to be priced on other radios (`RadioTally`).
///
/// `EnergyAccount` tells when one begins or ends; nothing here changes what anything costs.
struct BurstRecorder: BitwiseCopyable {
  /// Where bursts are counted, by interface; nil: nowhere.
  private var tallies: UnsafeMutablePointer<RadioTally>?
  /// The mask of all instances; the gallery's requests are the person's.
  private(set) var widgets = UInt64.max

  init() {}

  /// - Parameters:
  ///   - tallies: of the phone's cohort, by interface.
  ///   - count: of its widgets, by slot.
  init(in tallies: UnsafeMutablePointer<RadioTally>, widgets count: Int) {
    self.tallies = tallies
    widgets = count >= UInt64.bitWidth ? .max : (1 &<< UInt64(count)) &- 1
  }

  @inline(__always)
  private func isWidgets(_ flow: UInt64) -> Bool { flow & widgets != 0 }

  // MARK: Bursts

  /// A request wakes the radio, or joins its tail; it is on the air from `onAir` on.
  @inline(__always)
  func wake(_ flow: UInt64, onAir: Instant, at now: Instant, _ radio: inout Radio) {
    endSilence(at: now, byWidget: isWidgets(flow), &radio)
    radio.mark = RadioMark(onAir)
  }

  /// Nothing of the phone is on the air any more; `last` were.
  @inline(__always)
  func endBurst(_ last: UInt64, at now: Instant, _ radio: inout Radio) {
    if now >= .start, let tallies {
      tallies[Int(radio.interface)].recordBurst(milliseconds: radio.mark.milliseconds(to: now))
    }
    radio.mark = RadioMark(now, isPersons: !isWidgets(last))
  }

  /// Ends the burst of a run that had the radio for itself; the burst is among the totals of the run's instance.
  @inline(__always)
  func endLoneBurst(_ last: UInt64, at now: Instant, _ radio: inout Radio) {
    radio.mark = RadioMark(now, isPersons: !isWidgets(last))
  }

  /// Notes an unperturbed run of a widget from its first moment to its answer, the silence before it included.
  ///
  /// - Parameters:
  ///   - mark: of the silence.
  ///   - tally: of the present interface.
  /// - Returns: the mark of the silence that follows.
  @inline(__always)
  static func passLoneBurst(
    after mark: RadioMark, in tally: UnsafeMutablePointer<RadioTally>, from now: Instant, to end: Instant
  ) -> RadioMark {
    guard now >= .start else { return RadioMark(end) }
    endSilence(in: tally, at: now, byWidget: true, mark)
    return RadioMark(measured: end)
  }

  /// The person takes the radio, or the clock ends: what was going on does.
  @inline(__always)
  func interrupt(at now: Instant, _ radio: inout Radio) {
    switch radio.phase {
    case .idle, .dozing, .tail: endSilence(at: now, byWidget: false, &radio)
    case .promotion, .active: endBurst(radio.payers, at: now, &radio)
    case .held: break
    }
  }

  /// Another interface: tails of the old one end, while the silence goes on.
  func change(at now: Instant, _ radio: inout Radio) {
    interrupt(at: now, &radio)
    switch radio.phase {
    case .idle, .dozing, .tail: radio.mark = radio.mark.foreign
    case .promotion, .active, .held: break
    }
  }

  // MARK: Totals

  /// What the totals of some instances say of the present radio's bursts and bytes, in the measured period.
  func count(_ mask: UInt64, of ledger: borrowing EnergyLedger, _ radio: Radio) {
    guard let tallies else { return }
    var left = mask
    while left != 0 {
      let slot = left.trailingZeroBitCount
      left &= left &- 1
      tallies[Int(radio.interface)].record(ledger.totals(of: slot), isWidgets: isWidgets(1 &<< UInt64(slot)))
    }
  }

  /// The bytes of an answer to a widget over an interface that is not the present one, in the measured period.
  func countBytes(down: ByteCount, up: ByteCount, ofInterface interface: Int, flow: UInt64) {
    if let tallies, isWidgets(flow) { tallies[interface].recordTransfer(down: down, up: up) }
  }

  // MARK: Silences

  @inline(__always)
  private func endSilence(at now: Instant, byWidget: Bool, _ radio: inout Radio) {
    guard now >= .start, let tallies else { return }
    Self.endSilence(in: tallies + Int(radio.interface), at: now, byWidget: byWidget, radio.mark)
  }

  @inline(__always)
  private static func endSilence(
    in tally: UnsafeMutablePointer<RadioTally>, at now: Instant, byWidget: Bool, _ mark: RadioMark
  ) {
    if let length = mark.widgetsSilence(upTo: now) {
      tally.pointee.record(byWidget ? .wokenAgain : .left, shortMilliseconds: length)
    } else {
      tally.pointee.recordOther(mark, upTo: now, isEndedByWidget: byWidget)
    }
  }
}
