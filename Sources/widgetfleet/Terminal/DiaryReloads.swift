import DeviceModel
import FleetEngine
import Scenario
import SimulationKernel

/// One reload of a widget as a diary tells it: why and how late it began, what it sent, what came of it, and how old its
/// data was when somebody looked.
struct DiaryReload {
  var slot: Int
  var at: Instant
  var cause: Cause
  /// When a scheduled one was due.
  var due: Instant?
  /// What withheld it on the way, each reason once.
  var withheld: [WaitReason] = []
  var balance: RunMillionths?
  /// Those that were sent: without a network there is none.
  var requests = 0
  var failures: [FailureReason] = []
  var isCrashed = false
  /// nil: still under way at the end of the measured period.
  var outcome: DiaryOutcome?
  var ended: Instant?
  /// Looks from its end to the next one's.
  var views = 0
  /// Looks at data older than the kind's stale_after, or at none.
  var staleViews = 0
}

/// A diary told by its reloads.
struct DiaryReloads {
  private(set) var reloads: [DiaryReload] = []
  /// Looks at a widget whose first reload of the measured period had not ended.
  private(set) var earlyViews = 0
  private(set) var earlyStaleViews = 0
  /// Requests of no placed widget: a snapshot's of the gallery.
  private(set) var otherRequests = 0
  private(set) var otherFailures = 0
  /// How often a reload was withheld, by reason.
  private(set) var waits: [WaitReason: Int] = [:]

  /// Whether looks at some widget can be stale.
  let hasLimit: Bool

  init(_ diary: DeviceDiary, engine: Engine) {
    self.init(diary, staleAfter: diary.instances.map { engine.scenario.kinds[$0.kind].staleAfter })
  }

  /// - Parameter staleAfter: by slot; nil: nothing is stale.
  init(_ diary: DeviceDiary, staleAfter: [TimeAmount?]) {
    hasLimit = staleAfter.contains { $0 != nil }
    let slots = diary.instances.count
    // The last reload that began and the last that ended, and what withholds the next one.
    var (begun, ended) = ([Int?](repeating: nil, count: slots), [Int?](repeating: nil, count: slots))
    var pending = [[WaitReason]](repeating: [], count: slots)
    for entry in diary.entries {
      switch entry.note {
      case .wait(let slot, let reason, _):
        if pending[slot].last != reason { pending[slot].append(reason) }
        waits[reason, default: 0] += 1
      case .run(let slot, let cause, let due, let balance):
        var reload = DiaryReload(slot: slot, at: entry.at, cause: cause, due: due, balance: balance)
        // What waits is the scheduled reload; others come in between.
        if due != nil { swap(&reload.withheld, &pending[slot]) }
        begun[slot] = reloads.count
        reloads.append(reload)
      case .crash(let slot): if let index = begun[slot] { reloads[index].isCrashed = true }
      case .request(let slot, _, let failure, _):
        let sent = failure == .offline ? 0 : 1
        // Without a network a run's requests fail as it begins, and name no widget.
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

  var views: Int { reloads.reduce(earlyViews) { $0 + $1.views } }
  var staleViews: Int { reloads.reduce(earlyStaleViews) { $0 + $1.staleViews } }
  var requests: Int { reloads.reduce(otherRequests) { $0 + $1.requests } }
  var failedRequests: Int { reloads.reduce(otherFailures) { $0 + $1.failures.count } }
  var failed: Int { reloads.count { $0.outcome == .failed || $0.isCrashed } }

  func count(of cause: Cause) -> Int { reloads.count { $0.cause == cause } }
}
