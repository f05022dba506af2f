import SimulationKernel

/// The phone's energy: whose account it is, and how its days are counted (MODEL.md 7, 8).
extension DeviceSimulator {
  /// Opens the account of a device whose instances are known.
  mutating func beginEnergy() {
    energy.begin(
      plans: cohort.pointee.network.radios, interface: device.network.interface,
      instances: plan.energyOwners(instances: device.instanceCount), at: plan.beginning, memory: parts.flows)
    energy.record(in: tally.radios + 2 * device.cohort, widgets: device.instanceCount)
    batteryReserve = reserve
    batteryCalm = .longAgo
    tally.recordBattery(isThere: device.battery.capacity > .zero, cohort: device.cohort)
    schedule(.energyDayEnd, at: device.energyDay.end)
  }

  /// Goes on with the account of a device that has rested.
  mutating func resumeEnergy(_ radio: Radio) {
    energy.resume(
      radio, plans: cohort.pointee.network.radios, instances: plan.energyOwners(instances: device.instanceCount),
      periodStart: device.energyDay.start(beginning: plan.beginning), flows: parts.flows)
    energy.record(in: tally.radios + 2 * device.cohort, widgets: device.instanceCount)
    batteryReserve = reserve
    batteryCalm = .longAgo
  }

  /// 1 % of the battery: together with the same again it is what `Battery.nextConcern` keeps for reloads.
  private var reserve: Energy {
    let capacity = device.battery.capacity
    return capacity > .zero ? Energy(nanojoules: capacity.nanojoules / 100) : Energy(nanojoules: .max)
  }

  /// Who pays for what a flight sends: the instance, or for the gallery the person who looks at it.
  @inline(__always)
  func payer(of number: FlightNumber) -> Int {
    switch number.owner {
    case .run(let slot): slot
    case .download(let kind): Int(kindFlights[kind].starter)
    case .snapshot: plan.energyOwners(instances: device.instanceCount) - 1
    }
  }

  // MARK: Days

  mutating func endEnergyDay(at now: Instant) {
    closeEnergyDay(at: now)
    device.energyDay = device.energyDay.next(end: plan.end)
    schedule(.energyDayEnd, at: device.energyDay.end)
  }

  /// Counts the last day of the clock.
  mutating func finishEnergy() {
    closeEnergyDay(at: plan.end)
    energy.noteInterruption(at: plan.end)
    guard device.battery.capacity > .zero else { return }
    // The books of the battery are closed too (MODEL.md 7.3).
    advanceBattery(to: plan.end)
    tally.energy.leaveOwed(energy.carriedInTheAir)
  }

  private mutating func closeEnergyDay(at now: Instant) {
    advanceNetwork(to: now)
    energy.closePeriod(at: now)
    assert(energy.brokenInvariant == nil, energy.brokenInvariant ?? "")
    countEnergy()
    guard device.energyDay.isMeasured, device.battery.capacity > .zero else { return }
    tally.recordBatteryDay(
      device.energyDay.spent, of: device.battery.capacity, isWhole: device.energyDay.isWhole, cohort: device.cohort)
  }

  /// Counts what was charged since the last count, and forgets it; what the warm-up spent is forgotten alone.
  mutating func countEnergy() {
    if device.energyDay.isMeasured {
      countUse()
      if energy.ledger.touched & energy.widgets != 0 { countRows() }
      tally.energy.add(energy.ledger, widgets: device.instanceCount, on: energy.plan)
    }
    if device.battery.capacity > .zero { tally.energy.addLifelong(energy.ledger) }
    energy.forgetCharges()
  }

  /// Counts what widgets' runs did on the present radio.
  @inline(__always)
  private mutating func countUse() {
    var left = energy.ledger.unpriced & energy.widgets
    while left != 0 {
      let slot = left.trailingZeroBitCount
      left &= left &- 1
      let totals = energy.ledger.totals(of: slot)
      let spent = totals.energy(on: energy.plan)
      device.energyDay.spent += spent
      tally.recordUse(
        totals, costing: spent, interface: Int(energy.radio.interface), cohort: device.cohort,
        kind: Int(instances[slot].kind))
    }
  }

  /// Counts what widgets were charged otherwise; what is left belongs to nobody's widget.
  @inline(never)
  private mutating func countRows() {
    var left = energy.ledger.touched & energy.widgets
    while left != 0 {
      let slot = left.trailingZeroBitCount
      left &= left &- 1
      let row = energy.ledger[slot]
      device.energyDay.spent += row.total
      tally.recordEnergy(
        row, inSessions: energy.ledger.spentInSessions(slot), cohort: device.cohort, kind: Int(instances[slot].kind))
    }
  }
}
