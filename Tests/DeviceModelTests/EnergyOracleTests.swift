import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// Cases with exact results: the reference's O1, O2, O5 in step, O8 alone, O9, the table of MODEL.md 7.1, and the
/// savings from sharing.
@Suite struct EnergyOracleTests {
  /// The worked example of O2: T_p .26, P_p 1.21, P_a 1.3, T 11.576, P_t 1.06.
  static var example: RadioProfile {
    var profile = RadioProfile.lte2012
    profile.promotion.power = Power(microwatts: 1_210_000)
    profile.active = Power(microwatts: 1_300_000)
    return profile
  }

  private func millijoules(_ energy: Energy) -> Double { Double(energy.nanojoules) / 1e6 }

  /// O1 for every profile: one promotion, 300 ms active and all tails, in microjoules.
  @Test(arguments: [
    ("wifi", 79 * 124 + 300 * 133 + 238 * 119),
    ("lte-2012", 314_782 + 386_412 + 11_576 * 1_060),
    ("lte-2021-vz", 260 * 600 + 300 * 480 + 10_200 * 178),
    ("lte-2021-tmo", 260 * 600 + 300 * 480 + 5_000 * 66),
    ("5g-nsa-low", 260 * 900 + 300 * 700 + 10_200 * 249),
    ("5g-sa", 260 * 800 + 300 * 700 + 10_200 * 593 + 4_800 * 50),
    ("5g-mmwave", 260 * 1_700 + 300 * 2_880 + 11_000 * 1_092),
  ]) func isolated(name: String, microjoules: Int) throws {
    let profile = try #require(RadioProfile(rawValue: name))
    var phone = EnergyPhone([profile])
    #expect(phone.send(0, 5_000, lasting: 300) == profile.promotion.length.milliseconds)
    phone.account.noteAlone(0, airTime: .milliseconds(300), over: phone.account.presentPlan)
    phone.close(100_000)
    #expect(phone.account.ledger[0].radio.nanojoules == Int64(microjoules) * 1_000)
    // A single run saves nothing.
    #expect(phone.account.ledger[0].savedRadio == .zero)
    #expect(phone.account.ledger[0].savedWait == .zero)
  }

  /// O2: a period below the tail costs 10.696 J each, without further promotions; above it, 13.10516 J each.
  @Test(arguments: [(10, 1), (30, 100)] as [(Int64, Int64)]) func periodic(seconds: Int64, promotions: Int64) {
    var phone = EnergyPhone([Self.example])
    for index in 0..<100 as Range<Int64> { phone.send(0, index * seconds * 1_000, lasting: 400) }
    phone.close(5_000_000)
    let row = phone.account.ledger[0]
    #expect(row[.promotion].nanojoules == promotions * 314_600_000)
    #expect(row[.active].nanojoules == 100 * 520_000_000)
    // The promotion takes its share of the first gap.
    let tails: Int64 = promotions == 1 ? 9_340 + 98 * 9_600 + 11_576 : 100 * 11_576
    #expect(row[.tail].nanojoules == tails * 1_060_000)
    let each = millijoules(row.radio) / 100
    #expect(abs(each - (promotions == 1 ? 10_696 + (314.6 + 1_060 * 1.716) / 100 : 13_105.16)) < 1e-6)
  }

  /// O5 in step: one tail and one promotion for six runs, a sixth each; 12.3 J.
  @Test func sixTogether() {
    var phone = EnergyPhone([.lte2012])
    for slot in 0..<6 {
      phone.send(slot, 0, lasting: 300)
      phone.account.noteAlone(slot, airTime: .milliseconds(300), over: phone.account.presentPlan)
    }
    phone.close(1_800_000)
    let tail = (0..<6).reduce(Energy.zero) { $0 + phone.account.ledger[$1][.tail] }
    #expect(tail.nanojoules == 12_270_560_000)
    let promotion = (0..<6).reduce(Energy.zero) { $0 + phone.account.ledger[$1][.promotion] }
    #expect(promotion.nanojoules == 314_782_000)
    let saved = (0..<6).reduce(Energy.zero) { $0 + phone.account.ledger[$1].savedRadio }
    #expect(saved.nanojoules == 5 * (314_782_000 + 386_412_000 + 12_270_560_000))
    let waits = (0..<6).reduce(Energy.zero) { $0 + phone.account.ledger[$1].savedWait }
    #expect(waits.nanojoules == 5 * 560 * 150_000)
  }

  /// Two runs half a second apart save one promotion and the overlap of their tails.
  @Test func overlappingRunsShareEnergy() {
    var phone = EnergyPhone([.lte2012])
    for (slot, at) in [(0, 0), (1, 1_000)] as [(Int, Int64)] {
      phone.send(slot, at, lasting: 300)
      phone.account.noteAlone(slot, airTime: .milliseconds(300), over: phone.account.presentPlan)
    }
    phone.close(100_000)
    // The first has its tail to itself from 560 to 1 000; the second has no promotion.
    #expect(phone.account.ledger[0].savedRadio.nanojoules == (11_576 - 440) * 1_060_000)
    #expect(phone.account.ledger[1].savedRadio.nanojoules == 314_782_000)
    #expect(phone.account.ledger[1].savedWait.nanojoules == 260 * 150_000)
  }

  /// O8: 5g-sa drops from its first tail into the second, where a request still needs no promotion.
  @Test func severalTails() {
    var phone = EnergyPhone([.standalone5G])
    phone.send(0, 0, lasting: 100)
    #expect(phone.send(1, 360 + 10_200 + 1_000, lasting: 100) == 0)
    #expect(phone.send(2, 360 + 10_200 + 1_100 + 15_001, lasting: 100) == 260)
    phone.close(100_000)
    #expect(phone.account.ledger[0][.tail].nanojoules == 10_200 * 593_000 + 1_000 * 50_000)
    #expect(phone.account.ledger[1][.tail].nanojoules == 10_200 * 593_000 + 4_800 * 50_000)
    #expect(phone.account.ledger[2][.promotion].nanojoules == 260 * 800_000)
  }

  /// O9: at half the rate, the active time doubles while the bytes cost the same.
  @Test func byteEnergyIsIndependentOfTheRate() {
    var rows: [EnergyRow] = []
    for length in [400, 800] as [Int64] {
      var phone = EnergyPhone([.lte2021Verizon])
      phone.send(0, 0, lasting: length)
      phone.account.transferInFlight(
        0, down: ByteCount(bytes: 20_000), up: ByteCount(bytes: 3_000), over: phone.account.presentPlan,
        inSession: false)
      phone.close(100_000)
      rows.append(phone.account.ledger[0])
    }
    #expect(rows[0][.transfer] == rows[1][.transfer])
    #expect(rows[1][.active].nanojoules == 2 * rows[0][.active].nanojoules)
    #expect(rows[0][.tail] == rows[1][.tail])
    // 160 kbit at 11.5 nJ and 24 kbit at 76.7 nJ.
    #expect(rows[0][.transfer].nanojoules == 1_840_000 + 1_840_800)
  }

  /// One sum per answer, rounded to the nanojoule: alpha x bits.
  @Test(
    arguments: [
      (0, 0, 0), (1, 0, 1_096), (0, 1, 2_265), (1, 1, 3_361), (125_000_000, 0, 137_010_000_000),
    ] as [(Int64, Int64, Int64)])
  func transfersOnWifi(down: Int64, up: Int64, nanojoules: Int64) {
    // 137.01 x 8 = 1 096.08, 283.17 x 8 = 2 265.36 nJ; their sum is 3 361.44.
    let plan = RadioPlan(.wifi)
    #expect(plan.transfer(down: ByteCount(bytes: down), up: ByteCount(bytes: up)).nanojoules == nanojoules)
  }

  /// Halves are rounded up, for the sum rather than its parts.
  @Test func transfersRoundOnce() {
    func cost(_ picojoules: Int64) -> EnergyPerBit { EnergyPerBit(picojoules: picojoules) }
    let byte = ByteCount(bytes: 1)
    #expect(EnergyPerBit.transfer(cost(62), byte, cost(0), byte).nanojoules == 0)
    #expect(EnergyPerBit.transfer(cost(63), byte, cost(0), byte).nanojoules == 1)
    #expect(EnergyPerBit.transfer(cost(31), byte, cost(32), byte).nanojoules == 1)
  }

  /// The memory of a million parked phones.
  @Test func footprint() {
    #expect(EnergyAccount.footprint.device == 48)
    #expect(EnergyAccount.footprint.instance == 16)
    #expect(MemoryLayout<EnergyRow>.stride == 64)
    #expect(MemoryLayout<Flight>.stride == 16)
    #expect(MemoryLayout<RunFlight>.stride == 24)
    #expect(MemoryLayout<RunState>.stride == 24)
    #expect(MemoryLayout<Scheduler<WidgetKitRules>.State>.stride == AllowanceBuffer.size)
    #expect(MemoryLayout<WidgetRow>.stride == 112)
    #expect(MemoryLayout<ChargingSchedule>.stride == 16)
    #expect(MemoryLayout<PhoneState>.stride == 40)
    #expect(MemoryLayout<DeviceHead>.stride == 184)
    #expect(DeviceSimulator.footprint.device == 264)
    #expect(DeviceSimulator.footprint.instance == 144)
  }

  /// Two widgets on a phone that is never charged: the size of its state, whose events always fit.
  @Test func restingPhone() {
    var world = World()
    world.add(.after(minutes: 5))
    world.add(.after(minutes: 7))
    let plan = world.plan()
    let layout = DeviceLayout(plan: plan, cohort: 0)
    #expect(layout.bytes - 2 * MemoryLayout<DayCounts>.stride <= 250 + 2 * 150)
    var simulator = DeviceSimulator(plan: plan, shape: world.shape)
    simulator.begin(device: 0, cohort: 0, replication: 0)
    while simulator.step() != nil { #expect(!simulator.device.widgets.phone.queue.hasGrown) }
    simulator.finish()
  }

  /// The profiles have distinct names, and every tail has its citations.
  @Test func tableIsCited() {
    #expect(Set(RadioProfile.allCases.map(\.rawValue)).count == RadioProfile.allCases.count)
    for profile in RadioProfile.allCases {
      #expect(RadioProfile(rawValue: profile.rawValue) == profile)
      #expect(profile.evidence.tailLengths.count == profile.tails.count)
      #expect(profile.evidence.tailPowers.count == profile.tails.count)
    }
    #expect(RadioProfile(rawValue: "lte-2022") == nil)
  }
}
