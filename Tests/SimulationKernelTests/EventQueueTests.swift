import SimulationKernel
import Testing

@Suite struct EventQueueTests {
  private static func at(_ milliseconds: Int64) -> Instant { Instant(millisecondsSinceStart: milliseconds) }

  /// Removes and returns all events in order.
  private static func drain(_ queue: inout EventQueue<Int>) -> [Int] {
    var events: [Int] = []
    while let next = queue.next(before: .never) { events.append(next.event) }
    return events
  }

  @Test func tiesComeInTheOrderOfScheduling() {
    var queue = EventQueue<Int>(capacity: 4)
    defer { queue.free() }
    for event in 0..<20 { queue.schedule(event, at: .start, rank: 3) }
    #expect(Self.drain(&queue) == Array(0..<20))
    let isEmpty = queue.isEmpty
    #expect(isEmpty)
  }

  /// A full queue moves out of the memory it was given, and moves back when its events fit.
  @Test func queueReturnsToItsOriginalMemory() {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 2 * EventQueue<Int>.bytesPerEvent, alignment: 8)
    defer { memory.deallocate() }
    var queue = EventQueue<Int>(memory: memory, capacity: 2)
    defer { queue.free() }
    for event in 0..<3 { queue.schedule(event, at: .start, rank: 0) }
    queue.settle(in: memory, capacity: 2)
    var hasGrown = queue.hasGrown
    #expect(hasGrown)
    #expect(queue.next(before: .never)?.event == 0)
    queue.settle(in: memory, capacity: 2)
    hasGrown = queue.hasGrown
    #expect(!hasGrown)
    #expect(Self.drain(&queue) == [1, 2])
  }

  @Test func ranksOrderOneInstant() {
    var queue = EventQueue<Int>()
    defer { queue.free() }
    for (event, rank) in [(0, 5), (1, 0), (2, 15), (3, 1), (4, 0), (5, 5)] as [(Int, Int64)] {
      queue.schedule(event, at: Self.at(-7), rank: rank)
    }
    queue.schedule(6, at: Self.at(-8), rank: 15)
    queue.schedule(7, at: Self.at(-6), rank: 0)
    #expect(Self.drain(&queue) == [6, 1, 4, 3, 0, 5, 2, 7])
  }

  @Test func nextLeavesEventsAtOrAfterTheEnd() {
    var queue = EventQueue<Int>()
    defer { queue.free() }
    queue.schedule(1, at: Self.at(10), rank: 0)
    #expect(queue.next(before: Self.at(10)) == nil)
    #expect(queue.next(before: Self.at(11))?.at == Self.at(10))
    #expect(queue.next(before: .never) == nil)
  }

  @Test func cancelRemovesTheSoonestOfEqualEvents() {
    var queue = EventQueue<Int>()
    defer { queue.free() }
    for (event, time) in [(1, 5), (2, 6), (1, 7), (3, 8)] as [(Int, Int64)] {
      queue.schedule(event, at: Self.at(time), rank: 0)
    }
    queue.cancel(1)
    queue.cancel(4)
    var left: [Int] = []
    queue.visit { left.append($0) }
    #expect(left.sorted() == [1, 2, 3])
    #expect(Self.drain(&queue) == [2, 1, 3])
    queue.cancel(1)
    #expect(Self.drain(&queue).isEmpty)
  }

  /// Replacing the soonest event: an old event stays ahead of its equals, a new one goes behind them.
  @Test func replacingTheSoonest() {
    var queue = EventQueue<Int>(capacity: 3)
    defer { queue.free() }
    for event in 1...3 { queue.schedule(event, at: Self.at(5), rank: 2) }
    queue.replaceSoonest(by: 1, at: Self.at(5), rank: 2, isOld: true)
    #expect(queue.soonest == 1)
    queue.replaceSoonest(by: 4, at: Self.at(5), rank: 2, isOld: false)
    queue.replaceSoonest(by: 5, at: Self.at(5), rank: 3, isOld: false)
    queue.replaceSoonest(by: 6, at: Self.at(4), rank: 2, isOld: false)
    #expect(Self.drain(&queue) == [6, 4, 5])
  }

  @Test func removeAllForgetsEverything() {
    var queue = EventQueue<Int>(capacity: 1)
    defer { queue.free() }
    for event in 0..<5 { queue.schedule(event, at: .start, rank: 0) }
    queue.removeAll()
    #expect(queue.next(before: .never) == nil)
  }

  /// Random schedules, cancellations and removals agree with a list sorted by the standard library.
  @Test(arguments: 0..<8 as Range<UInt32>)
  func queueAgreesWithASortedList(key: UInt32) {
    var queue = EventQueue<Int>(capacity: 2)
    defer { queue.free() }
    var reference: [(key: Int64, serial: Int, event: Int)] = []
    for index in 0..<2_000 as Range<UInt32> {
      let draw = Philox.block(counter: Philox.Block(key, index, 0, 0), key: 11)
      let event = Int(draw.word0 % 40)
      switch draw.word1 % 8 {
      case 0..<4:
        let (time, rank) = (Int64(draw.word2 % 50) - 25, Int64(draw.word3 % 16))
        queue.schedule(event, at: Self.at(time), rank: rank)
        reference.append((time * 16 + rank, Int(index), event))
        reference.sort { ($0.key, $0.serial) < ($1.key, $1.serial) }
      case 4 where !reference.isEmpty:
        // The later of a new event and the soonest one replaces the soonest.
        let (time, rank) = (Int64(draw.word2 % 50) - 25, Int64(draw.word3 % 16))
        let soonest = reference[0]
        if time * 16 + rank < soonest.key {
          queue.replaceSoonest(by: soonest.event, at: Self.at(soonest.key >> 4), rank: soonest.key & 15, isOld: true)
        } else {
          queue.replaceSoonest(by: event, at: Self.at(time), rank: rank, isOld: false)
          reference[0] = (time * 16 + rank, Int(index), event)
          reference.sort { ($0.key, $0.serial) < ($1.key, $1.serial) }
        }
      case 5:
        queue.cancel(event)
        if let found = reference.firstIndex(where: { $0.event == event }) { reference.remove(at: found) }
      default:
        let end = Int64(draw.word2 % 60) - 25
        let expected = reference.first.flatMap { $0.key < end * 16 ? reference.removeFirst().event : nil }
        #expect(queue.next(before: Self.at(end))?.event == expected, "key \(key), step \(index)")
      }
    }
    #expect(Self.drain(&queue) == reference.map(\.event), "key \(key)")
  }
}
