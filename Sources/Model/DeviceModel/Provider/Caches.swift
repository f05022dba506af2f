import Scenario
import SimulationKernel

/// The provider's caches on a phone: what they hold, and who is fetching it (MODEL.md 5.2).
struct Caches: BitwiseCopyable {
  private let states: Column<CacheIndex, CacheState>

  @inline(__always)
  init(in memory: DeviceMemory) { states = memory.caches }

  /// A new phone: all of them are cold.
  func begin(_ phone: inout PhoneCore) {
    guard phone.plan.hasCaches else { return }
    states.initialize(repeating: CacheState(), count: phone.plan.kinds.count + phone.cohort.members.count)
  }

  /// The cache that a widget uses.
  @inline(__always)
  func index(of slot: Slot, _ scope: Cache.Scope, _ phone: inout PhoneCore) -> CacheIndex {
    switch scope {
    case .kind: CacheIndex(phone.kindIndex(of: slot).place)
    case .instance: CacheIndex(phone.plan.kinds.count + slot.place)
    }
  }

  /// When the data came that a cache answers with now; nil: it holds none that are younger than `ttl`.
  @inline(__always)
  func freshData(_ index: CacheIndex, ttl: TimeAmount, at now: Instant) -> Instant? {
    states[index].isFresh(at: now, ttl: ttl) ? states[index].storedAt : nil
  }

  /// As above, of the cache of a widget; nil also where it has none.
  @inline(__always)
  func freshData(of slot: Slot, at now: Instant, _ phone: inout PhoneCore) -> Instant? {
    guard let cache = phone.kind(of: slot).cache else { return nil }
    return freshData(index(of: slot, cache.scope, &phone), ttl: cache.ttl, at: now)
  }

  /// Empties the caches of a kind (`.longAgo`), or fills them with data of an instant.
  func set(of kind: KindIndex, to instant: Instant, _ phone: inout PhoneCore) {
    guard phone.plan.hasCaches else { return }
    states[CacheIndex(kind.place)].storedAt = instant
    for slot in phone.slots where phone.kindIndex(of: slot) == kind {
      states[CacheIndex(phone.plan.kinds.count + slot.place)].storedAt = instant
    }
  }

  // MARK: Flights

  /// Whose run is fetching the data for others too; nil: none is.
  @inline(__always)
  func leader(of index: CacheIndex) -> Slot? { states[index].isInFlight ? states[index].leader : nil }

  /// A run fetches the data.
  ///
  /// - Parameter isShared: others may join its flight.
  @inline(__always)
  func beginFlight(_ index: CacheIndex, of slot: Slot, isShared: Bool) {
    states[index].isInFlight = isShared
    states[index].leader = slot
  }

  /// The answers of a run are in.
  ///
  /// - Parameter data: when they came; nil: the flight has failed.
  /// - Returns: whether others may have joined it.
  func endFlight(_ index: CacheIndex, data: Instant?) -> Bool {
    if let data { states[index].storedAt = data }
    defer { states[index].isInFlight = false }
    return states[index].isInFlight
  }
}

/// The data that a cache holds, and the flight that is fetching it (MODEL.md 5.2).
struct CacheState: BitwiseCopyable {
  /// When the cached answer arrived; `.longAgo` when the cache is cold.
  fileprivate var storedAt: Instant
  /// Whether a flight that others may join is fetching the data.
  fileprivate var isInFlight = false
  /// The widget whose run it is.
  fileprivate var leader: Slot = 0

  init(storedAt: Instant = .longAgo) { self.storedAt = storedAt }

  /// Whether the cached answer is younger than `ttl`.
  @inline(__always)
  func isFresh(at now: Instant, ttl: TimeAmount) -> Bool { storedAt != .longAgo && now - storedAt < ttl }
}
