/// Counters for whole numbers from 0 up, in memory that grows by doubling and then stays.
struct GrowingCounts: BitwiseCopyable {
  private(set) var counts: UnsafeMutablePointer<Int64>
  private(set) var capacity: Int

  init(capacity: Int = 128) {
    self.capacity = capacity
    counts = .allocate(capacity: capacity)
    counts.initialize(repeating: 0, count: capacity)
  }

  func free() { counts.deallocate() }

  mutating func add(_ amount: Int64, at value: Int) {
    if value >= capacity { grow(toHold: value) }
    counts[value] &+= amount
  }

  private mutating func grow(toHold value: Int) {
    var larger = GrowingCounts(capacity: max(capacity * 2, value + 1))
    larger.counts.update(from: counts, count: capacity)
    free()
    swap(&self, &larger)
  }
}
