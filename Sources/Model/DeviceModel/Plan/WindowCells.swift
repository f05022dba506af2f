package import SimulationKernel

/// The cells in which a phone's counts are kept separately. There is one cell for each set of named windows that can
/// apply at the same time (MODEL.md 8.6).
package struct WindowCells: BitwiseCopyable, Sendable {
  /// A change to another cell, at the first instant in the new cell.
  package struct Change: BitwiseCopyable, Sendable {
    package var from: Instant
    package var cell: Int

    package init(from: Instant, cell: Int) { (self.from, self.cell) = (from, cell) }
  }

  /// The changes of each zone in chronological order; the first is at `.longAgo`.
  private let changes: PreparedList<PreparedList<Change>>
  /// The spells of each window in each zone.
  let spells: PreparedList<PreparedList<PreparedList<WindowPlan.Spell>>>

  package init(
    changes: PreparedList<PreparedList<Change>>, spells: PreparedList<PreparedList<PreparedList<WindowPlan.Spell>>>
  ) {
    (self.changes, self.spells) = (changes, spells)
  }

  /// Returns the cell that applies to a phone in a zone at an instant.
  func cell(at now: Instant, zone: Int) -> Int {
    let listed = changes[zone]
    return listed[max(listed.prefixLength { $0.from <= now } - 1, 0)].cell
  }

  /// Returns the first change after an instant; `.never` if there are no further changes.
  func nextChange(after now: Instant, zone: Int) -> Instant {
    let listed = changes[zone]
    let index = listed.prefixLength { $0.from <= now }
    return index < listed.count ? listed[index].from : .never
  }

  /// Returns the time for which a phone exists in a window, as the equivalent number of full windows multiplied by one
  /// day.
  ///
  /// As a result, a metric per day of this time is a metric per window.
  func milliseconds(of window: Int, zone: Int, _ life: PhoneLifetime, _ duration: TimeAmount) -> Int64 {
    let listed = spells[window][zone]
    let (first, last) = (max(life.from, .start), min(life.end, .start + duration))
    return listed.indices.reduce(0) { sum, index in
      let spell = listed[index]
      let held = max(min(spell.to, last) - max(spell.from, first), .zero).milliseconds
      let length = Int128((spell.to - spell.from).milliseconds)
      return sum + Int64(Int128(held) * Int128(TimeAmount.day.milliseconds) / length)
    }
  }
}
