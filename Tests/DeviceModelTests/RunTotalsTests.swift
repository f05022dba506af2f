import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// The costs of runs that were counted together (MODEL.md 7.1-7.4).
@Suite struct RunTotalsTests {
  /// The plain radio: promotion 100 ms at 1 mW, active 0.5 mW, tails of 1 s at 0.3 mW and 0.5 s at 0.2 mW.
  ///
  /// 1 uW x 1 ms is 1 nJ.
  private static let promotion: Int64 = 100 * 1_000
  private static let tails: Int64 = 1_000 * 300 + 500 * 200

  private func totals() -> RunTotals {
    var totals = RunTotals()
    totals.lone = 3
    totals.loneAir = .milliseconds(700)
    totals.compared = 4
    totals.comparedAir = .milliseconds(900)
    totals.transfer = Energy(nanojoules: 12_345)
    return totals
  }

  private func plan(_ storage: SamplerStorage) -> PreparedList<RadioPlan> {
    storage.keep([RadioPlan(EnergyPhone.plain)])
  }

  @Test func components() {
    let storage = SamplerStorage()
    let plans = plan(storage)
    let row = totals().row(on: plans.element(at: 0))
    #expect(row.promotion.nanojoules == 3 * Self.promotion)
    #expect(row.active.nanojoules == 700 * 500)
    #expect(row.tail.nanojoules == 3 * Self.tails)
    #expect(row.transfer.nanojoules == 12_345)
    #expect(row.wait.nanojoules == (3 * 100 + 700) * 150_000)
    #expect(row.cpu == .zero)
    #expect(row.aloneRadio.nanojoules == 4 * (Self.promotion + Self.tails) + 900 * 500)
    #expect(row.aloneWait.nanojoules == (4 * 100 + 900) * 150_000)
    #expect(totals().energy(on: plans.element(at: 0)) == row.total)
    withExtendedLifetime(storage) {}
  }

  /// The sums of a fleet, whose nanojoules exceed 64 bits.
  @Test func sumsOfAFleet() {
    let phones: Int64 = 1 << 20
    var totals = totals()
    totals.lone = 1 << 20
    totals.comparedAir = .milliseconds(1 << 30)
    var use = RadioUse()
    for _ in 0..<phones { use.add(totals) }
    var tally = EnergyTally()
    tally.add(use, on: RadioPlan(EnergyPhone.plain))
    let runs = Int128(phones) << 20
    #expect(tally.spent[0] == runs * Int128(Self.promotion))
    #expect(tally.spent[1] == Int128(phones) * 700 * 500)
    #expect(tally.spent[2] == Int128(phones) * 12_345)
    #expect(tally.spent[3] == runs * Int128(Self.tails))
    #expect(tally.spent[5] == (runs * 100 + Int128(phones) * 700) * 150_000)
    #expect(
      tally.aloneRadio
        == Int128(phones) * 4 * Int128(Self.promotion + Self.tails) + Int128(phones) << 30 * 500)
    #expect(tally.aloneWait == (Int128(phones) * 400 + Int128(phones) << 30) * 150_000)
    #expect(tally.aloneWait > Int128(Int64.max))
  }
}
