import DeviceModel
import FleetEngine
import Scenario
import SimulationKernel

/// A reload of a widget in a diary, with its cause, lateness, requests, outcome, and the age of the data shown in
/// views.
struct DiaryReload {
  var slot: Int
  var at: Instant
  var cause: Cause
  /// The time at which a scheduled reload was due; `nil` for other reloads.
  var due: Instant?
  /// The reasons for which the reload was withheld, without duplicates.
  var withheld: [WaitReason] = []
  var balance: RunMillionths?
  /// The number of requests sent, which is 0 without a network.
  var requests = 0
  var failures: [FailureReason] = []
  var isCrashed = false
  /// The outcome of the reload; `nil` if it is still running at the end of the measured period.
  var outcome: DiaryOutcome?
  var ended: Instant?
  /// The number of views between the end of this reload and the end of the next reload.
  var views = 0
  /// The number of views without data, or with data older than the kind's `stale_after`.
  var staleViews = 0
}

/// The reloads in a diary.
struct DiaryReloads {
  private(set) var reloads: [DiaryReload] = []
  /// The number of views of widgets before their first reload in the measured period has ended.
  private(set) var earlyViews = 0
  private(set) var earlyStaleViews = 0
  /// The number of requests that do not belong to placed widgets, which are requests for gallery snapshots.
  private(set) var otherRequests = 0
  private(set) var otherFailures = 0
  /// The number of times that reloads were withheld, by reason.
  private(set) var waits: [WaitReason: Int] = [:]

  /// Whether any widget has an age limit above which its data is stale.
  let hasLimit: Bool

  init(_ diary: DeviceDiary, engine: Engine) {
    self.init(diary, staleAfter: diary.instances.map { engine.scenario.kinds[$0.kind].staleAfter })
  }

  /// - Parameter staleAfter: the age limit for each slot; `nil` if the data never becomes stale.
  init(_ diary: DeviceDiary, staleAfter: [TimeAmount?]) {
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

  var views: Int { reloads.reduce(earlyViews) { $0 + $1.views } }
  var staleViews: Int { reloads.reduce(earlyStaleViews) { $0 + $1.staleViews } }
  var requests: Int { reloads.reduce(otherRequests) { $0 + $1.requests } }
  var failedRequests: Int { reloads.reduce(otherFailures) { $0 + $1.failures.count } }
  var failed: Int { reloads.count { $0.outcome == .failed || $0.isCrashed } }

  func count(of cause: Cause) -> Int { reloads.count { $0.cause == cause } }
}
