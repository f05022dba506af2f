package import SimulationKernel

/// Many devices side by side: each has its turns and rests in its block between them (MODEL.md 6.1).
extension DeviceSimulator {
  /// Bytes of the block of a device, by cohort.
  package static func blockSizes(_ plan: FleetPlan) -> [Int] {
    plan.cohorts.indices.map { DeviceLayout(plan: plan, cohort: $0).bytes }
  }

  /// Begins the life of a device in a block and lives it up to its first request.
  ///
  /// - Returns: when the request arrives; nil when there is none before the end of the clock.
  /// - Throws: when events at one instant follow each other without end.
  package mutating func begin(
    device: Int, cohort: Int, replication: Int, resting block: DeviceBlock
  ) throws(EndlessInstant) -> Instant? {
    begin(device: device, cohort: cohort, replication: replication, in: block.start)
    return try live(until: plan.beginning)
  }

  /// Gives a resting device its turn: all it does up to its first request that arrives at `horizon` or later.
  ///
  /// - Returns: when that request arrives; nil when there is none before the end of the clock.
  /// - Throws: when events at one instant follow each other without end.
  package mutating func takeTurn(
    in block: DeviceBlock, until horizon: Instant
  ) throws(EndlessInstant) -> Instant? {
    wake(block)
    return try live(until: horizon)
  }

  /// Bytes at the beginning of a block that every turn touches: the radio, the phone's state, the next events.
  package static var headBytes: Int { MemoryLayout<RestingDevice>.stride + 4 * EventQueue<DeviceEvent>.bytesPerEvent }

  /// Makes a resting device the present one.
  package mutating func wake(_ block: DeviceBlock) {
    let resting = block.start.assumingMemoryBound(to: RestingDevice.self)
    let cohortIndex = resting.pointee.state.cohort
    queue = resting.pointee.queue
    cohort = plan.cohorts.pointer(at: cohortIndex)
    parts = DeviceLayout.parts(of: block.start, layouts + cohortIndex)
    for slot in 0..<min(device.instanceCount, SessionDraws.slots) {
      sessionDraws.setMember(ofSlot: slot, to: instances[slot].member)
    }
    resumeEnergy(resting.pointee.radio)
  }

  private mutating func live(until horizon: Instant) throws(EndlessInstant) -> Instant? {
    var last = Instant.longAgo
    var eventsAtOnce = 0
    var request: Instant?
    while let next = queue.next, next.at < plan.end {
      if next.at >= horizon, case .arrival = next.event {
        request = next.at
        break
      }
      _ = step()
      eventsAtOnce = next.at == last ? eventsAtOnce &+ 1 : 1
      last = next.at
      if eventsAtOnce > EndlessInstant.mostEvents {
        defer { queue.free() }
        throw endlessInstant(at: last)
      }
    }
    if request == nil {
      finish()
      queue.free()
    } else if queue.hasGrown {
      queue.settle(in: parts.queue, capacity: layouts[device.cohort].queueCapacity)
    }
    countEnergy()
    parts.resting.pointee.queue = queue
    parts.resting.pointee.radio = energy.radio
    return request
  }
}
