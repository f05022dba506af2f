package import RequestStatistics

/// What a log says about a fleet, whatever its kinds do.
package struct FleetEstimates: Sendable {
  package let devices: DeviceEvidence
  package let zones: ZoneEvidence
  package let phoneZones: PhoneZones

  /// - Parameters:
  ///   - history: the wakes of all kinds.
  ///   - known: of the kind that asks most; its hours are those of the fleet's people.
  ///   - clocks: zones that phones may be in; none stands for UTC alone.
  package init(_ history: WakeHistory, known: KnownPolicy, clocks: [ZoneClock]) {
    let local = LocalClocks(clocks, over: history.span)
    devices = DeviceEvidence(history)
    let gaps = Gaps(of: history)
    let edge = EdgeSearch(gaps: gaps, curve: HazardCurve(gaps), ages: known.ages).edge()
    let classes = WakeClasses(cycle: edge?.place, inUseWindow: known.inUseWindow)
    zones = ZoneMix(history, clocks: local, hours: known.hours, classes: classes).evidence(history)
    phoneZones = PhoneZones(senders: history.phones.map(\.sender), zones: zones.zones, clocks: local)
  }
}

/// The clock of each phone.
package struct PhoneZones: Sendable {
  /// In order.
  fileprivate let senders: [UInt64]
  fileprivate let zones: [Int]
  let clocks: LocalClocks

  /// The zones of a history's phones, in its order; of those that are not known the first.
  func zones(of history: WakeHistory) -> [Int] {
    var place = 0
    return history.phones.map { phone in
      while place < senders.count, senders[place] < phone.sender { place += 1 }
      return place < senders.count && senders[place] == phone.sender ? zones[place] : 0
    }
  }
}
