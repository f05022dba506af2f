/// The pending events of one device, earliest first; ties are broken by rank, then by order of insertion.
///
/// The queue is an array sorted in descending order, with the soonest event last. A device has so few pending events
/// that shifting them is faster than using a heap. Events with equal keys keep their order without a serial number.
/// Scheduling an event takes time proportional to the number of sooner events; removing the next event is O(1).
///
/// The queue is a view of memory that its creator frees, so a parked device can keep its queue.
public struct EventQueue<Event: BitwiseCopyable & Equatable>: BitwiseCopyable {
  /// A pending event in memory.
  public struct Entry: BitwiseCopyable {
    /// The sort key: milliseconds since the start, times 4 096, plus rank.
    @usableFromInline var key: Int64
    @usableFromInline var event: Event

    @inlinable init(key: Int64, event: Event) {
      self.key = key
      self.event = event
    }
  }

  @usableFromInline var entries: UnsafeMutablePointer<Entry>
  @usableFromInline var fewCount: UInt32 = 0
  /// The capacity; negative if the queue allocated its own memory.
  @usableFromInline var signedCapacity: Int32

  /// Creates a queue that allocates its own memory.
  ///
  /// - Parameter capacity: the number of events that fit at first. The capacity is doubled when it is exceeded, which
  ///   does not happen in the steady state.
  public init(capacity: Int = 32) {
    signedCapacity = -Int32(clamping: capacity)
    entries = .allocate(capacity: capacity)
  }

  /// Creates a queue for `capacity` events in the caller's memory; it allocates its own memory for more events.
  public init(memory: UnsafeMutableRawPointer, capacity: Int) {
    signedCapacity = Int32(clamping: capacity)
    entries = memory.bindMemory(to: Entry.self, capacity: capacity)
  }

  /// Frees memory that the queue allocated itself; the queue must not be used afterwards.
  public func free() { if signedCapacity < 0 { entries.deallocate() } }

  /// Whether the queue has outgrown the memory it was given.
  public var hasGrown: Bool { signedCapacity < 0 }

  /// Moves the queue back to the caller's memory if it had allocated its own memory and its events now fit.
  public mutating func settle(in memory: UnsafeMutableRawPointer, capacity: Int) {
    guard hasGrown, count <= capacity else { return }
    let place = memory.bindMemory(to: Entry.self, capacity: capacity)
    place.initialize(from: entries, count: count)
    free()
    entries = place
    signedCapacity = Int32(clamping: capacity)
  }

  @usableFromInline var count: Int {
    @inline(__always) get { Int(fewCount) }
    @inline(__always) set { fewCount = UInt32(truncatingIfNeeded: newValue) }
  }

  @usableFromInline var capacity: Int {
    @inline(__always) get { Int(signedCapacity.magnitude) }
  }

  public var isEmpty: Bool { count == 0 }

  /// The next event; `nil` if none is pending.
  @inlinable public var soonest: Event? { count > 0 ? entries[count - 1].event : nil }

  /// The next event and its instant; `nil` if none is pending.
  @inlinable public var next: (at: Instant, event: Event)? {
    guard count > 0 else { return nil }
    let entry = entries[count &- 1]
    return (Instant(millisecondsSinceStart: entry.key &>> 12), entry.event)
  }

  /// The instant of the next event; `.never` if none is pending.
  @inlinable public var nextInstant: Instant {
    count > 0 ? Instant(millisecondsSinceStart: entries[count &- 1].key &>> 12) : .never
  }

  /// The size of one pending event in bytes.
  public static var bytesPerEvent: Int { MemoryLayout<Entry>.stride }

  /// Removes all events.
  @inlinable public mutating func removeAll() { count = 0 }

  /// Adds an event at an instant; at equal instants, the event with the lower `rank` (0..<4 096) comes first.
  @inlinable public mutating func schedule(_ event: Event, at instant: Instant, rank: Int64) {
    scheduleInPlace(event, at: instant, rank: rank)
  }

  /// Adds an event like `schedule`, but is inlined for callers where the speed is worth the larger code.
  @inlinable @inline(__always) public mutating func scheduleInPlace(
    _ event: Event, at instant: Instant, rank: Int64
  ) {
    if count == capacity { grow() }
    let key = Self.key(instant, rank)
    var place = count
    while place > 0, entries[place &- 1].key <= key {
      // Copies the fields separately, in the same widths in which they were stored. A single wide load would have to
      // wait until the stores reach the cache.
      entries[place] = entries[place &- 1]
      place &-= 1
    }
    entries[place] = Entry(key: key, event: event)
    count &+= 1
  }

  /// Replaces the soonest event, which has been handled.
  ///
  /// Requires no capacity check, because the number of events stays the same.
  ///
  /// - Parameter isOld: whether the event precedes all others at its instant and rank instead of following them.
  @inlinable @inline(__always) public mutating func replaceSoonest(
    by event: Event, at instant: Instant, rank: Int64, isOld: Bool
  ) {
    let key = Self.key(instant, rank)
    let passed = key &- (isOld ? 1 : 0)
    var place = count &- 1
    while place > 0, entries[place &- 1].key <= passed {
      entries[place] = entries[place &- 1]
      place &-= 1
    }
    entries[place] = Entry(key: key, event: event)
  }

  @inlinable @inline(__always) static func key(_ instant: Instant, _ rank: Int64) -> Int64 {
    instant.millisecondsSinceStart &<< 12 | rank
  }

  /// Removes and returns the next event if it is before `end`.
  @inlinable public mutating func next(before end: Instant) -> (at: Instant, event: Event)? {
    guard count > 0 else { return nil }
    let entry = entries[count &- 1]
    let instant = Instant(millisecondsSinceStart: entry.key &>> 12)
    guard instant < end else { return nil }
    count &-= 1
    return (instant, entry.event)
  }

  /// Removes the soonest event equal to `event`, if any.
  @inlinable public mutating func cancel(_ event: Event) { cancelSoonest { $0 == event } }

  /// Removes the soonest event for which `fits` returns `true`, if any.
  @inlinable @inline(__always) public mutating func cancelSoonest(where fits: (Event) -> Bool) {
    var place = count &- 1
    while place >= 0, !fits(entries[place].event) { place &-= 1 }
    guard place >= 0 else { return }
    count &-= 1
    while place < count {
      entries[place] = entries[place &+ 1]
      place &+= 1
    }
  }

  /// Returns the instant of the soonest event equal to `event`; `nil` if none is pending.
  public func instant(of event: Event) -> Instant? {
    var place = count - 1
    while place >= 0, entries[place].event != event { place -= 1 }
    return place < 0 ? nil : Instant(millisecondsSinceStart: entries[place].key >> 12)
  }

  /// Calls `body` with every pending event, in an unspecified order.
  @inlinable public func visit(_ body: (Event) -> Void) {
    for place in 0..<count { body(entries[place].event) }
  }

  /// Calls `body` with each pending event before an instant, soonest first.
  @inlinable @inline(__always) public func visit(before end: Instant, _ body: (Event) -> Void) {
    let key = Self.key(end, 0)
    var place = count &- 1
    while place >= 0, entries[place].key < key {
      body(entries[place].event)
      place &-= 1
    }
  }

  @usableFromInline
  mutating func grow() {
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
    larger.initialize(from: entries, count: count)
    free()
    entries = larger
    signedCapacity = -Int32(clamping: capacity * 2)
  }
}
