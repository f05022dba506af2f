import Numerics
import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel
@testable import FleetEngine

/// Chargers and batteries of many devices (MODEL.md 3.2); seed 7.
@Suite struct ChargingLawTests {
  private static func crowd(_ devices: Int, days: Int, power: String) -> Crowd {
    Crowd(
      devices: devices, clock: "{start: 2027-01-18T12:00:00Z, warmup: 0s, duration: \(days)d}",
      person: "unlocks_per_day: 0", power: power)
  }

  /// Plugged in at Normal(23:00, 75 min), unplugged at Normal(07:00, 60 min), drawn once per device and kept every
  /// night.
  @Test func clockTimes() throws {
    var plugs: [Double] = []
    var unplugs: [Double] = []
    var (first, last) = (Instant.never, Instant.never)
    try Self.crowd(800, days: 4, power: "{overnight: 100%}").live { _ in
      (first, last) = (.never, .never)
    } _: { _, now, event in
      if event == .plug {
        if first == .never { plugs.append((now - .start).seconds) } else { #expect(now == first + .day) }
        first = now
      }
      if event == .unplug {
        if last == .never { unplugs.append((now - .start).seconds) } else { #expect(now == last + .day) }
        last = now
      }
    }
    #expect(plugs.count == 800 && unplugs.count == 800)
    // The times are in seconds after noon.
    let plug = ContinuousDistribution.normal(mean: 39_600, deviation: 4_500)
    let unplug = ContinuousDistribution.normal(mean: 68_400, deviation: 3_600)
    #expect(try agrees(plugs) { try plug.lowerTail($0) })
    #expect(try agrees(unplugs) { try unplug.lowerTail($0) })
  }

  /// Each night has its own draw: the number of nights out of three is binomial.
  @Test func nights() throws {
    var counts: [Int] = []
    try Self.crowd(600, days: 3, power: "{overnight: 60%}").live { _ in
      counts.append(0)
    } _: { _, _, event in
      if event == .plug { counts[counts.count - 1] += 1 }
    }
    let expected = [0.064, 0.288, 0.432, 0.216].map { $0 * 600 }
    #expect(try agrees(Array(tally(counts, count: 4).prefix(4)), expected))
  }

  /// A phone drained only by its floor falls below 20 % and below 15 % once each.
  ///
  /// Low Power Mode follows with its probability, and a charge with probability 1/2, which ends it at 80 %; checks are
  /// every 15 min from the device's offset.
  @Test func lowBatteries() throws {
    var (saved, charged, checks) = (0, 0, [Double]())
    var isSaving = false
    // The 12.98 Wh battery at 25 mW is at 20 % after 17.3 days and at 15 % after 18.4 days, and is empty after 21.6
    // days.
    try Self.crowd(500, days: 21, power: "{overnight: 0%, low_power_mode: 30%}").live { _ in
      isSaving = false
    } _: { simulator, now, event in
      switch event {
      case .batteryCheck:
        checks.append(
          (now - .start - simulator.device.widgets.phone.accrualOffset).seconds.truncatingRemainder(dividingBy: 900))
        if simulator.battery.isSaving, !isSaving {
          isSaving = true
          saved += 1
          #expect(simulator.battery.level < Energy(nanojoules: simulator.battery.capacity.nanojoules / 5))
        }
      case .topUpEnd:
        charged += 1
        #expect(!simulator.battery.isSaving)
      default: return
      }
    }
    #expect(abs(Double(saved) - 150) < 4.5 * 10.3, "\(saved)")
    #expect(abs(Double(charged) - 250) < 4.5 * 11.2, "\(charged)")
    #expect(checks.allSatisfy { $0 == 0 } && checks.count >= 1_000)
  }
}
