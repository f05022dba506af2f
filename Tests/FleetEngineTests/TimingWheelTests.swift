import Testing

@testable import FleetEngine

/// Devices that wait for their steps: each is laid out in its own, however many wait and however far ahead.
@Suite struct TimingWheelTests {
  /// The seats that a wheel lays out for a step, in no order.
  private static func seats(_ wheel: borrowing TimingWheel, _ step: Int, most: Int) -> [UInt32] {
    let due = UnsafeMutablePointer<SeatNumber>.allocate(capacity: most)
    defer { due.deallocate() }
    let count = wheel.take(step, into: due)
    return (0..<count).map { due[$0].number }.sorted()
  }

  @Test(arguments: [1, 6, 7, 8, 14, 15, 1_000]) func allOfAStepAreLaidOutOnce(_ devices: Int) {
    let wheel = TimingWheel(devices: devices)
    for seat in 0..<devices { wheel.park(SeatNumber(number: UInt32(seat)), until: 5) }
    #expect(wheel.count(5) == devices)
    #expect(Self.seats(wheel, 4, most: devices) == [])
    #expect(Self.seats(wheel, 5, most: devices) == (0..<UInt32(devices)).map { $0 })
    #expect(wheel.count(5) == 0)
    #expect(Self.seats(wheel, 5, most: devices) == [])
  }

  /// Steps 4 096 apart share a slot: those of a later round are looked at and stay.
  @Test func laterRoundsWait() {
    let wheel = TimingWheel(devices: 30)
    for seat in 0..<30 { wheel.park(SeatNumber(number: UInt32(seat)), until: 7 + 4_096 * (seat % 3)) }
    for round in 0..<3 {
      #expect(wheel.count(7 + 4_096 * round) == 30 - 10 * round)
      let due = Self.seats(wheel, 7 + 4_096 * round, most: 30)
      #expect(due == (0..<30).filter { $0 % 3 == round }.map { UInt32($0) })
    }
  }

  /// As many devices as the wheel is made for, which wait again and again: its leaves never run out, and a list of who
  /// waits for which step says the same.
  @Test func leavesAreUsedAgain() {
    let (devices, steps) = (5_000, 20_000)
    let wheel = TimingWheel(devices: devices)
    var waiting: [Int: [UInt32]] = [:]
    for seat in 0..<UInt32(devices) {
      let step = 1 + Int(seat) * 31 % 9_000
      wheel.park(SeatNumber(number: seat), until: step)
      waiting[step, default: []].append(seat)
    }
    var turns = 0
    for step in 1..<steps {
      let due = Self.seats(wheel, step, most: devices)
      guard due == (waiting.removeValue(forKey: step) ?? []).sorted() else {
        Issue.record("step \(step) has others")
        return
      }
      turns += due.count
      for seat in due {
        let next = step + 1 + (Int(seat) * 7_919 + step * 104_729) % 9_000
        wheel.park(SeatNumber(number: seat), until: next)
        waiting[next, default: []].append(seat)
      }
    }
    #expect(turns > 2 * devices)
  }
}
