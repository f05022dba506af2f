import Testing

@testable import FleetEngine

/// Devices waiting for their steps: each is returned in its own step, whatever their number and distance.
@Suite struct TimingWheelTests {
  /// Returns the devices that a wheel returns for a step, by number.
  private static func due(_ wheel: borrowing TimingWheel, _ step: Int, maximum: Int) -> [Int] {
    let due = UnsafeMutablePointer<DeviceOffset>.allocate(capacity: maximum)
    defer { due.deallocate() }
    let count = wheel.take(step, into: due)
    return (0..<count).map { due[$0].offset / DeviceOffset.unit }.sorted()
  }

  private static func place(_ device: Int) -> DeviceOffset { DeviceOffset(offset: device * DeviceOffset.unit) }

  @Test(arguments: [1, 6, 7, 8, 14, 15, 1_000]) func devicesDueInAStepAreReturnedOnce(_ devices: Int) {
    let wheel = TimingWheel(devices: devices)
    for device in 0..<devices { wheel.park(Self.place(device), until: 5) }
    #expect(wheel.count(5) == devices)
    #expect(Self.due(wheel, 4, maximum: devices) == [])
    #expect(Self.due(wheel, 5, maximum: devices) == Array(0..<devices))
    #expect(wheel.count(5) == 0)
    #expect(Self.due(wheel, 5, maximum: devices) == [])
  }

  /// Steps 4 096 apart share a slot: devices of a later round are checked and kept.
  @Test func devicesOfLaterRoundsAreKept() {
    let wheel = TimingWheel(devices: 30)
    for device in 0..<30 { wheel.park(Self.place(device), until: 7 + 4_096 * (device % 3)) }
    for round in 0..<3 {
      #expect(wheel.count(7 + 4_096 * round) == 30 - 10 * round)
      let due = Self.due(wheel, 7 + 4_096 * round, maximum: 30)
      #expect(due == (0..<30).filter { $0 % 3 == round })
    }
  }

  /// A full wheel never runs out of leaves, however often its devices wait again.
  ///
  /// It agrees with a list of the waiting devices by step.
  @Test func timingWheelReusesLeaves() {
    let (devices, steps) = (5_000, 20_000)
    let wheel = TimingWheel(devices: devices)
    var waiting: [Int: [Int]] = [:]
    for device in 0..<devices {
      let step = 1 + device * 31 % 9_000
      wheel.park(Self.place(device), until: step)
      waiting[step, default: []].append(device)
    }
    var turns = 0
    for step in 1..<steps {
      let due = Self.due(wheel, step, maximum: devices)
      guard due == (waiting.removeValue(forKey: step) ?? []).sorted() else {
        Issue.record("step \(step) has others")
        return
      }
      turns += due.count
      for device in due {
        let next = step + 1 + (device * 7_919 + step * 104_729) % 9_000
        wheel.park(Self.place(device), until: next)
        waiting[next, default: []].append(device)
      }
    }
    #expect(turns > 2 * devices)
  }
}
