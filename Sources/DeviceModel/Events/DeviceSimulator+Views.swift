import Scenario
import SimulationKernel

/// Views of instances, what they count and what they start (MODEL.md 2.4, 4.2, 8).
extension DeviceSimulator {
  /// Views closer than this to the last counted one are ignored entirely.
  static var viewGap: TimeAmount { .milliseconds(ModelConstants.viewGapMilliseconds) }

  mutating func view(_ slot: Int, at now: Instant) {
    guard instances[slot].isPlaced, now - views[slot].last >= Self.viewGap else { return }
    views[slot].last = now
    views[slot].today &+= 1
    let ordinal = views[slot].total
    views[slot].total = ordinal &+ 1
    let isStale = recordView(slot, at: now)
    if instances[slot].hasMoved {
      awaitRun(slot, isMeasured: plan.isMeasured(now))
      requestFree(slot, cause: .location, at: now)
    } else if reloads(slot, ordinal: ordinal, at: now) {
      awaitRun(slot, isMeasured: plan.isMeasured(now))
      requestFree(slot, cause: .view, at: now)
    } else if isStale {
      // A view that starts no reload keeps its state.
      tally.recordStaleAfter(1, cohort: device.cohort, kind: Int(instances[slot].kind))
    }
  }

  /// Counts a view; true when it is measured and stale.
  private mutating func recordView(_ slot: Int, at now: Instant) -> Bool {
    guard plan.isMeasured(now) else { return false }
    let isStale = isStale(slot, at: now)
    let hasData = instances[slot].dataTime != .longAgo
    tally.recordView(
      age: hasData ? now - instances[slot].dataTime : nil, isStale: isStale, cohort: device.cohort,
      kind: Int(instances[slot].kind))
    return isStale
  }

  /// Whether what an instance shows is older than its kind's limit; without data it is, if there is a limit.
  private mutating func isStale(_ slot: Int, at now: Instant) -> Bool {
    guard let limit = plan.kinds[Int(instances[slot].kind)].staleAfter else { return false }
    return instances[slot].dataTime == .longAgo || now - instances[slot].dataTime > limit
  }

  /// Whether a view of an overdue instance starts a free reload.
  private mutating func reloads(_ slot: Int, ordinal: UInt32, at now: Instant) -> Bool {
    let ticket = instances[slot].ticket
    guard ticket.exists, !instances[slot].isRunning else { return false }
    guard now - ticket.due >= cohort.pointee.system.staleViewGrace else { return false }
    let chance = isRarelyViewed(slot) ? cohort.pointee.system.staleViewRare : cohort.pointee.system.staleViewFrequent
    return chance.happens(
      at: stream.block(.view, part: Int(instances[slot].member), index: Int(ordinal)).first)
  }

  /// Below 10 views a day, by the week's mean or, before there was a week, the estimate (MODEL.md 4.2).
  private mutating func isRarelyViewed(_ slot: Int) -> Bool {
    (views[slot].week ?? cohort.pointee.members[Int(instances[slot].member)].estimatedWeek)
      < .init(7 * ModelConstants.rareViewsPerDay)
  }

  /// A view whose staleness will be judged by the data of the run that it starts.
  private mutating func awaitRun(_ slot: Int, isMeasured: Bool) {
    guard isMeasured else { return }
    if instances[slot].isRunning {
      views[slot].awaitingNext &+= 1
    } else {
      views[slot].awaitingRun &+= 1
    }
  }

  /// The end of a run: judges the views that waited for it.
  mutating func judgeViews(_ slot: Int, at now: Instant) {
    let waiting = views[slot].awaitingRun
    guard waiting > 0 || views[slot].awaitingNext > 0 else { return }
    if isStale(slot, at: now) {
      tally.recordStaleAfter(Int64(waiting), cohort: device.cohort, kind: Int(instances[slot].kind))
    }
    views[slot].awaitingRun = views[slot].awaitingNext
    views[slot].awaitingNext = 0
  }
}
