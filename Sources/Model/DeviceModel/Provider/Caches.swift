import Scenario
import SimulationKernel

/// The caches of the widgets on a phone, with their data and the flights that fetch it (MODEL.md 5.2).
struct Caches: BitwiseCopyable {
  private let states: Column<CacheIndex, CacheState>

  @inline(__always)
  init(in memory: DeviceMemory) { states = memory.caches }

  /// Starts a new phone, whose caches are empty.
  func begin(_ phone: inout PhoneCore) {
    guard phone.plan.hasCaches else { return }
    states.initialize(repeating: CacheState(), count: phone.plan.kinds.count + phone.cohort.members.count)
  }

  @inline(__always)
  func index(of slot: Slot, _ scope: Cache.Scope, _ phone: inout PhoneCore) -> CacheIndex {
    switch scope {
    case .kind: CacheIndex(phone.kindIndex(of: slot).place)
    case .instance: CacheIndex(phone.plan.kinds.count + slot.place)
    }
  }

  /// Returns the time of the data that a cache would return now; `nil` if the data has reached the age `ttl`.
  @inline(__always)
  func freshData(_ index: CacheIndex, ttl: TimeAmount, at now: Instant) -> Instant? {
    states[index].isFresh(at: now, ttl: ttl) ? states[index].storedAt : nil
  }

  /// Returns the time of the data that a widget's cache would return now; `nil` if there is no cache or no valid data.
  @inline(__always)
  func freshData(of slot: Slot, at now: Instant, _ phone: inout PhoneCore) -> Instant? {
    guard let cache = phone.kind(of: slot).cache else { return nil }
    return freshData(index(of: slot, cache.scope, &phone), ttl: cache.ttl, at: now)
  }

  /// Fills the caches of a kind with data from `instant`, or empties them if `instant` is `.longAgo`.
  func set(of kind: KindIndex, to instant: Instant, _ phone: inout PhoneCore) {
    guard phone.plan.hasCaches else { return }
    states[CacheIndex(kind.place)].storedAt = instant
    for slot in phone.slots where phone.kindIndex(of: slot) == kind {
      states[CacheIndex(phone.plan.kinds.count + slot.place)].storedAt = instant
    }
  }

  // MARK: Flights

  /// Returns the widget whose run is fetching data that other widgets may share; `nil` if there is no such run.
  @inline(__always)
  func leader(of index: CacheIndex) -> Slot? { states[index].isInFlight ? states[index].leader : nil }

  /// Records that a run starts to fetch the data of a cache.
  ///
  /// - Parameter isShared: whether other runs may join this run's flight.
  @inline(__always)
  func beginFlight(_ index: CacheIndex, of slot: Slot, isShared: Bool) {
    states[index].isInFlight = isShared
    states[index].leader = slot
  }

  /// Records that the flight that was fetching a cache's data has ended.
  ///
  /// - Parameter data: the time of the fetched data; `nil` if the flight has failed.
  /// - Returns: whether other runs may have joined the flight.
  func endFlight(_ index: CacheIndex, data: Instant?) -> Bool {
    if let data { states[index].storedAt = data }
    defer { states[index].isInFlight = false }
    return states[index].isInFlight
  }
}

/// The data of a cache, and the flight that is fetching it (MODEL.md 5.2).
struct CacheState: BitwiseCopyable {
  /// The arrival time of the cached answer; `.longAgo` if the cache is empty.
  fileprivate var storedAt: Instant
  /// Whether a flight that other runs may join is fetching the cache's data.
  fileprivate var isInFlight = false
  /// The widget whose run is fetching the cache's data.
  fileprivate var leader: Slot = 0

  init(storedAt: Instant = .longAgo) { self.storedAt = storedAt }

  /// Whether the cached answer is younger than `ttl`.
  @inline(__always)
  func isFresh(at now: Instant, ttl: TimeAmount) -> Bool { storedAt != .longAgo && now - storedAt < ttl }
}
