import Scenario
import SimulationKernel

/// Background refreshes of the app (MODEL.md 2.8).
extension DeviceSimulator {
  mutating func scheduleRefresh(_ index: Int, ordinal: UInt32, after now: Instant) {
    let uniform = device.stream.block(.backgroundRefresh, part: index, index: Int(ordinal)).first
    let gap = plan.refreshes[index].gap.span(at: uniform)
    schedule(.backgroundRefresh(UInt8(index), ordinal: ordinal), at: now + gap)
  }

  mutating func refreshInBackground(_ index: Int, _ ordinal: UInt32, at now: Instant) {
    let refresh = plan.refreshes[index]
    for position in 0..<refresh.kinds.count {
      let kind = refresh.kinds[position]
      if refresh.clearsCache { setCaches(of: kind, to: .longAgo) }
      if refresh.fillsCache { setCaches(of: kind, to: now) }
      for slot in 0..<device.instanceCount where instances[slot].kind == kind && instances[slot].isPlaced {
        if refresh.restarts { instances[slot].phase = 0 }
        requestScheduled(slot, due: now, cause: .background)
      }
    }
    scheduleRefresh(index, ordinal: ordinal &+ 1, after: now)
  }
}
