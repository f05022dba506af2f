package import Scenario
package import SimulationKernel

/// A reload of a widget in a diary. It has a cause, a lateness, requests, an outcome, and the age of the data that
/// views show.
package struct DiaryReload {
  package var slot: Int
  package var at: Instant
  package var cause: Cause
  /// The time at which a scheduled reload was due; `nil` for other reloads.
  package var due: Instant?
  /// The reasons for which the reload was withheld, without duplicates.
  package var withheld: [WaitReason] = []
  package var balance: RunMillionths?
  /// The number of requests that were sent, which is 0 if there is no network.
  package var requests = 0
  package var failures: [FailureReason] = []
  package var isCrashed = false
  /// The outcome of the reload; `nil` if it is still running at the end of the measured period.
  package var outcome: DiaryOutcome?
  package var ended: Instant?
  /// The number of views between the end of this reload and the end of the next one.
  package var views = 0
  /// The number of views that showed no data, or data older than the kind's stale_after.
  package var staleViews = 0
}

/// The reloads that a diary contains.
package struct DiaryReloads {
  package private(set) var reloads: [DiaryReload] = []
  /// The number of views of widgets before the end of their first reload in the measured period.
  package private(set) var earlyViews = 0
  package private(set) var earlyStaleViews = 0
  /// The number of requests that do not belong to a placed widget; these are for gallery snapshots.
  package private(set) var otherRequests = 0
  package private(set) var otherFailures = 0
  /// The number of times that a reload was withheld, by reason.
  package private(set) var waits: [WaitReason: Int] = [:]

  /// Whether any widget has a limit above which its data counts as stale.
  package let hasLimit: Bool

  package init(_ diary: DeviceDiary, in scenario: Scenario) {
    self.init(diary, staleAfter: diary.instances.map { scenario.kinds[$0.kind].staleAfter })
  }

  /// - Parameter staleAfter: the age limits by slot; `nil` if the data never becomes stale.
  package init(_ diary: DeviceDiary, staleAfter: [TimeAmount?]) {
    hasLimit = staleAfter.contains { $0 != nil }
    let slots = diary.instances.count
    // These arrays contain, for each slot, the indices of the last reload that started and the last that ended, and the
    // reasons for withholding the next reload.
    var (begun, ended) = ([Int?](repeating: nil, count: slots), [Int?](repeating: nil, count: slots))
    var pending = [[WaitReason]](repeating: [], count: slots)
    for entry in diary.entries {
      switch entry.note {
      case .wait(let slot, let reason, _):
        if pending[slot].last != reason { pending[slot].append(reason) }
        waits[reason, default: 0] += 1
      case .run(let slot, let cause, let due, let balance):
        var reload = DiaryReload(slot: slot, at: entry.at, cause: cause, due: due, balance: balance)
        // Only scheduled reloads wait. Other reloads may start in the meantime.
        if due != nil { swap(&reload.withheld, &pending[slot]) }
        begun[slot] = reloads.count
        reloads.append(reload)
      case .crash(let slot): if let index = begun[slot] { reloads[index].isCrashed = true }
      case .request(let slot, _, let failure, _):
        let sent = failure == .offline ? 0 : 1
        // Without a network, the requests of a run fail as soon as the run starts, and their diary entries do not name
        // a widget.
        let isAtOnce = slot == nil && failure == .offline && reloads.last?.at == entry.at
        guard let index = isAtOnce ? reloads.indices.last : slot.flatMap({ begun[$0] }) else {
          otherRequests += sent
          otherFailures += failure == nil ? 0 : 1
          continue
        }
        reloads[index].requests += sent
        if let failure { reloads[index].failures.append(failure) }
      case .end(let slot, let outcome):
        guard let index = begun[slot] else { continue }
        (reloads[index].outcome, reloads[index].ended) = (outcome, entry.at)
        ended[slot] = index
      case .view(let slot, let age):
        let isStale = staleAfter[slot].map { limit in age.map { $0 > limit } ?? true } ?? false
        if let index = ended[slot] {
          reloads[index].views += 1
          reloads[index].staleViews += isStale ? 1 : 0
        } else {
          earlyViews += 1
          earlyStaleViews += isStale ? 1 : 0
        }
      case .unlock, .lock, .network, .charger, .lowPowerMode, .placed, .ticket: break
      }
    }
  }

  package var views: Int { reloads.reduce(earlyViews) { $0 + $1.views } }
  package var staleViews: Int { reloads.reduce(earlyStaleViews) { $0 + $1.staleViews } }
  package var requests: Int { reloads.reduce(otherRequests) { $0 + $1.requests } }
  package var failedRequests: Int { reloads.reduce(otherFailures) { $0 + $1.failures.count } }
  package var failed: Int { reloads.count { $0.outcome == .failed || $0.isCrashed } }

  package func count(of cause: Cause) -> Int { reloads.count { $0.cause == cause } }
}
