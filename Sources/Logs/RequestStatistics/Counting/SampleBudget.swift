import SimulationKernel
import Synchronization

/// The fraction of elements that are kept (all, half, a quarter and so on), selected by a keyed hash.
///
/// The choice of elements depends only on their hashes. The minimum number of leading zeros is increased by one when
/// more than `capacity` elements satisfy it. The order in which threads count elements has no effect.
package final class SampleBudget: Sendable {
  package let capacity: Int
  private let seen = Locked([Int](repeating: 0, count: 65))
  private let needed = Atomic(0)

  package init(capacity: Int) { self.capacity = capacity }

  /// The minimum number of leading zeros in the hash of an element that is kept.
  package var level: Int { needed.load(ordering: .relaxed) }

  /// The fraction of all hashes that is kept.
  package var share: Double { Double(sign: .plus, exponent: -level, significand: 1) }

  package func keeps(_ hash: UInt64) -> Bool { hash.leadingZeroBitCount >= level }

  /// Adds the element counts of a thread to those of all threads.
  ///
  /// - Parameter fresh: the counts by number of leading zeros, limited to hashes at or above the current level.
  func count(_ fresh: [Int]) {
    seen.withLock { seen in
      for zeros in fresh.indices { seen[zeros] += fresh[zeros] }
      var level = level
      while seen[level...].reduce(0, +) > capacity, level < 64 { level += 1 }
      needed.store(level, ordering: .relaxed)
    }
  }
}

/// The elements that one thread keeps within a shared budget.
package struct HashSample<Element: Sendable>: Sendable {
  package private(set) var elements: [Element] = []
  private let budget: SampleBudget
  private let hash: @Sendable (Element) -> UInt64
  private var fresh = [Int](repeating: 0, count: 65)
  private var unpublished = 0
  private var level = 0

  /// The number of elements after which a thread synchronizes its counts with the other threads.
  private static var patience: Int { 8_192 }

  /// - Parameter hash: a function that returns the hash of an element; all elements with equal hashes are either kept
  ///   or dropped.
  package init(within budget: SampleBudget, hash: @escaping @Sendable (Element) -> UInt64) {
    self.budget = budget
    self.hash = hash
  }

  @inline(__always)
  mutating func add(_ element: Element, hash: UInt64) {
    let zeros = hash.leadingZeroBitCount
    guard zeros >= level else { return }
    fresh[zeros] += 1
    elements.append(element)
    unpublished += 1
    if unpublished == Self.patience { publish() }
  }

  /// Adds this thread's counts to the shared budget, and drops elements that exceed the budget.
  private mutating func publish() {
    budget.count(fresh)
    fresh = [Int](repeating: 0, count: 65)
    unpublished = 0
    settle()
  }

  private mutating func settle() {
    guard budget.level > level else { return }
    level = budget.level
    let (hash, level) = (hash, level)
    elements.removeAll { hash($0).leadingZeroBitCount < level }
  }

  /// Adds the elements kept by another thread, which must have finished.
  mutating func merge(_ other: consuming Self) {
    other.publish()
    publish()
    other.settle()
    elements.append(contentsOf: other.elements)
  }

  /// Returns all kept elements after the elements of every thread have been merged.
  mutating func finish() -> [Element] {
    publish()
    defer { elements = [] }
    return elements
  }
}

/// The data stored for one request from a sampled sender, in 24 bytes.
package struct SampledRequest: Hashable, Sendable, BitwiseCopyable {
  package let sender: UInt64
  /// The packed fields: the time in milliseconds since 1970 in 42 bits, the status in 10, the system version in 6, the
  /// cache result in 3, and the class in 3.
  private let packed: UInt64
  package let path: NameIndex
  package let kind: NameIndex
  package let node: NameIndex
  /// The upper bits of the hash that identifies the line.
  package let line: UInt16

  package init(_ request: LoggedRequest) {
    sender = request.sender
    packed =
      UInt64(clamping: request.time) << 22 | UInt64(min(request.status, 1_023)) << 12 | UInt64(min(request.system, 63))
      << 6
      | UInt64(request.cache.rawValue) << 3 | UInt64(request.requestClass.rawValue)
    (path, kind, node) = (request.path, request.kind, request.node)
    line = UInt16(truncatingIfNeeded: request.line >> 48)
  }

  /// Returns a copy of the request with its time shifted by a number of milliseconds.
  func moved(by milliseconds: Int64) -> Self {
    Self(
      sender: sender, packed: UInt64(clamping: time + milliseconds) << 22 | packed & (1 << 22 - 1), path: path,
      kind: kind,
      node: node, line: line)
  }

  private init(sender: UInt64, packed: UInt64, path: NameIndex, kind: NameIndex, node: NameIndex, line: UInt16) {
    (self.sender, self.packed, self.path, self.kind, self.node, self.line) = (sender, packed, path, kind, node, line)
  }

  /// The time in milliseconds since 1970-01-01T00:00:00Z.
  package var time: Int64 { Int64(packed >> 22) }
  package var status: UInt16 { UInt16(truncatingIfNeeded: packed >> 12 & 1_023) }
  package var system: UInt8 { UInt8(truncatingIfNeeded: packed >> 6 & 63) }
  package var cache: CacheResult { CacheResult(rawValue: UInt8(truncatingIfNeeded: packed >> 3 & 7)) ?? .none }
  package var requestClass: RequestClass {
    RequestClass(rawValue: UInt8(truncatingIfNeeded: packed & 7)) ?? .unknown
  }

  /// Returns whether one request sorts before another: by sender, then by time, then by all other fields, so that the
  /// order is unique.
  package static func precedes(_ one: Self, _ other: Self) -> Bool {
    if one.sender != other.sender { return one.sender < other.sender }
    if one.packed != other.packed { return one.packed < other.packed }
    return one.rest < other.rest
  }

  private var rest: UInt64 {
    UInt64(line) << 48 | UInt64(path.number) << 32 | UInt64(kind.number) << 16 | UInt64(node.number)
  }
}
