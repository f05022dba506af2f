package import SimulationKernel

/// Many devices side by side: each has its turns and rests in its block between them (MODEL.md 6.1).
extension DeviceSimulator {
  /// Bytes of the block of a device, by cohort.
  package var blockSizes: [Int] { layouts.map(\.bytes) }

  /// Begins the life of a device in a block and lives it up to its first request.
  ///
  /// - Returns: when the request arrives; nil when there is none before the end of the clock.
  /// - Throws: when events at one instant follow each other without end.
  package mutating func begin(
    device: Int, cohort: Int, replication: Int, resting block: UnsafeMutableRawPointer
  ) throws(EndlessInstant) -> Instant? {
    begin(device: device, cohort: cohort, replication: replication, in: block)
    return try live(in: block, until: plan.beginning)
  }

  /// Gives a resting device its turn: all it does up to its first request that arrives at `horizon` or later.
  ///
  /// - Returns: when that request arrives; nil when there is none before the end of the clock.
  /// - Throws: when events at one instant follow each other without end.
  package mutating func takeTurn(
    in block: UnsafeMutableRawPointer, until horizon: Instant
  ) throws(EndlessInstant) -> Instant? {
    wake(block)
    return try live(in: block, until: horizon)
  }

  /// Makes a resting device the present one.
  package mutating func wake(_ block: UnsafeMutableRawPointer) {
    let resting = block.assumingMemoryBound(to: RestingDevice.self)
    device = resting.pointee.state
    queue = resting.pointee.queue
    cohort = plan.cohorts.pointer(at: device.cohort)
    parts = layouts[device.cohort].parts(of: block)
    resumeEnergy(resting.pointee.radio)
  }

  private mutating func live(
    in block: UnsafeMutableRawPointer, until horizon: Instant
  ) throws(EndlessInstant) -> Instant? {
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
    }
    countEnergy()
    block.assumingMemoryBound(to: RestingDevice.self).initialize(
      to: RestingDevice(state: device, queue: queue, radio: energy.radio))
    return request
  }
}
