import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

@Suite struct BudgetTraceTests {
  private func world(_ model: Budget.Model, capacity: Int64, carryOver: Int64 = 1_500_000) -> World {
    var world = World()
    world.duration = .days(4)
    world.capacity = .fixed(RunMillionths(count: capacity))
    world.system.budget = BudgetPlan(model: model, accrual: .awake, carryOverMillionths: carryOver)
    world.add(.after(minutes: 15))
    return world
  }

  /// A charged run takes 1 and requires a balance of 1, or of 0 on the charger; the balance stays within its bounds.
  @Test(arguments: [Budget.Model.bucket, .fixed], [0, 1])
  func budgetBalanceStaysWithinBounds(model: Budget.Model, nights: Int) {
    for device in 0..<8 {
      var world = world(model, capacity: 30_000_000)
      world.power = .overnight(
        Chance(nights == 1 ? .all : .none), plug: .constant(.hours(23)), unplug: .constant(.hours(7)))
      let trace = Trace(world, device: device)
      let minimum = trace.balances.map(\.count).min() ?? 0
      let maximum = trace.balances.map(\.count).max() ?? 0
      #expect(minimum >= (nights == 1 ? -1_000_000 : 0), "device \(device)")
      #expect(nights == 0 || minimum < 0, "device \(device)")
      #expect(maximum <= 45_000_000)
      // Four days of 30, the initial balance, and one run lent by the charger.
      #expect(trace.row.charged <= 30 + 4 * 30 + 2)
      // A fixed budget renewed in the last hours has some left.
      #expect(model == .fixed || trace.row.charged >= 4 * 30 - 2)
    }
  }

  /// Waits end at accruals, a quarter hour plus the device's offset, or when the phone is plugged in.
  @Test func bucketWaitsEndAtAccruals() {
    for device in 0..<8 {
      let trace = Trace(world(.bucket, capacity: 30_000_000), device: device)
      let offset = trace.offset.milliseconds
      #expect(!trace.waits.isEmpty)
      for wait in trace.waits {
        let sinceOffset = Int64((wait.to * 1_000).rounded()) - offset
        #expect(wait.reason == .budget)
        #expect(sinceOffset % 900_000 == 0, "device \(device)")
        let hour = sinceOffset / 3_600_000 % 24
        #expect(hour >= 7 && hour <= 22, "device \(device)")
      }
    }
  }

  /// With a balance in [0, 1), plugging in at 23:00 lets a run start that would be withheld all night.
  @Test func pluggingInEndsABudgetWait() {
    var ends = 0
    for device in 0..<20 {
      var world = world(.bucket, capacity: 10_000_000)
      world.power = .overnight(Chance(.all), plug: .constant(.hours(23)), unplug: .constant(.hours(7)))
      let trace = Trace(world, device: device)
      ends += trace.waits.count { $0.to.truncatingRemainder(dividingBy: 86_400) == 23 * 3_600 }
    }
    #expect(ends > 20)
  }

  /// An idle phone gives up waiting before the budget is enough: there are two waits, one after the other.
  @Test func idleWaitIsFollowedByBudgetWait() throws {
    var world = world(.bucket, capacity: 1_000_000)
    world.system.idle = Idle(after: .zero, giveUp: .hours(1))
    let trace = Trace(world)
    #expect(trace.waits.prefix(2).map(\.reason) == [.idle, .budget])
    #expect(trace.waits[0] == Trace.Wait(slot: 0, reason: .idle, from: 900, to: 4_500))
    #expect(trace.waits[1].from == 4_500)
    #expect(trace.waits[1].to == trace.starts()[1])
    for reason in [WaitReason.idle, .budget] {
      #expect(trace.row.waits[Int(reason.rawValue)] == Int64(trace.waits.count { $0.reason == reason }))
    }
  }

  /// The balance at placement is U(0, C), but never above the ceiling.
  @Test func startingBalancesRespectTheCeiling() {
    for device in 0..<50 {
      let trace = Trace(world(.bucket, capacity: 40_000_000, carryOver: 100_000), device: device)
      #expect(trace.balances[0].count <= 4_000_000, "device \(device)")
    }
    let starts = (0..<200).map { Trace(world(.fixed, capacity: 40_000_000), device: $0).balances[0].count }
    // U(0, 40) has mean 20 and standard error 0.82.
    #expect(abs(Double(starts.reduce(0, +)) / 200e6 - 20) < 3.7)
  }

  /// There is one entry for every local day in the measured period on which a budget first withheld a run.
  ///
  /// A day on which that happened in the warm-up has already had its entry.
  @Test func exhaustionIsCountedOncePerLocalDay() {
    var earlier = 0
    for device in 0..<30 {
      var world = world(.bucket, capacity: 40_000_000)
      world.beginning = .start - .hours(5)
      world.duration = .days(2)
      world.zone = [ZoneTable.Segment(from: .longAgo, offset: .hours(6))]
      let trace = Trace(world, device: device)
      var expected: [Int: Int64] = [:]
      var days: Set<Int> = []
      for second in trace.withheld {
        let local = second + 6 * 3_600
        let day = Int((local / 86_400).rounded(.down))
        let isFirst = days.insert(day).inserted
        if isFirst && second < 0 { earlier += 1 }
        guard isFirst, second >= 0 else { continue }
        expected[(Int(local.rounded(.down)) - day * 86_400) / 60, default: 0] += 1
      }
      #expect(trace.exhaustedMinutes == expected, "device \(device)")
    }
    #expect(earlier > 0)
  }
}
