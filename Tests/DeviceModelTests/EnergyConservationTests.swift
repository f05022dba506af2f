import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// The energy account compared with a radio updated every millisecond, on random lives (MODEL.md 7.3: conservation).
@Suite struct EnergyConservationTests {
  static let slots = 6
  static let horizon: Int64 = 1_500

  struct Dice {
    let key: UInt32
    var index: UInt32 = 0

    mutating func below(_ bound: Int64) -> Int64 {
      index += 1
      let word = Philox.block(counter: Philox.Block(key, index, 0, 0), key: 77).word0
      return Int64(word % UInt32(bound))
    }
  }

  /// Returns profiles whose powers are divisible by 2, 3, 4, 5 and 6, or are not.
  static func profiles(even: Bool) -> [RadioProfile] {
    func power(_ count: Int64) -> Power { Power(microwatts: even ? count * 60 : count * 60 + 7) }
    return [
      RadioProfile(
        name: "first", promotion: .init(.milliseconds(17), power(20)), active: power(9),
        down: .init(picojoules: 1), up: .init(picojoules: 1),
        tails: [.init(.milliseconds(60), power(5)), .init(.milliseconds(25), power(2))], roundTrip: .zero,
        evidence: .none),
      RadioProfile(
        name: "second", promotion: .init(.milliseconds(5), power(11)), active: power(30),
        down: .init(picojoules: 1), up: .init(picojoules: 1), tails: [.init(.milliseconds(40), power(3))],
        roundTrip: .zero, evidence: .none),
    ]
  }

  static func naive(_ profiles: [RadioProfile]) -> EnergyNaiveRadio {
    EnergyNaiveRadio(
      profiles.map { profile in
        EnergyNaiveRadio.Profile(
          promotion: (profile.promotion.length.milliseconds, profile.promotion.power.microwatts),
          active: profile.active.microwatts,
          tails: profile.tails.map { ($0.length.milliseconds, $0.power.microwatts) })
      }, slots: slots)
  }

  /// One random life in both models, up to the horizon.
  struct Life: ~Copyable {
    var phone: EnergyPhone
    var naive: EnergyNaiveRadio
    var dice: Dice
    var taken: Int64 = 0
    /// The requests whose end the account does not know yet: reporting time, slot, end.
    var untold: [(at: Int64, slot: Int, end: Int64)] = []
    var delaysDiffer = 0

    init(_ profiles: [RadioProfile], seed: UInt32) {
      phone = EnergyPhone(profiles, instances: slots)
      naive = EnergyConservationTests.naive(profiles)
      dice = Dice(key: seed)
    }

    mutating func live() {
      // Lives differ in how many events they have.
      let rarity = 5 + dice.below(60)
      for now in 0..<horizon {
        naive.begin(now)
        for request in untold where request.at == now { phone.account.answer(request.slot, at: .ms(request.end)) }
        untold.removeAll { $0.at == now }
        while dice.below(rarity) == 0 { act(now) }
        naive.pass(now)
      }
      naive.begin(horizon)
      naive.settlePromotion()
      phone.account.closePeriod(at: .ms(horizon))
      taken += phone.account.takeFromBattery(at: .ms(horizon)).nanojoules
    }

    mutating func act(_ now: Int64) {
      switch dice.below(12) {
      case 0:
        if naive.isHeld {
          naive.endSession(at: now)
          phone.account.endSession(at: .ms(now))
        } else {
          naive.startSession(at: now)
          phone.account.startSession(at: .ms(now))
        }
      case 1:
        let next = 1 - naive.interface
        naive.change(to: next, at: now)
        phone.account.changeInterface(to: next, at: .ms(now))
      case 2: phone.account.advance(to: .ms(now))
      case 3: taken += phone.account.takeFromBattery(at: .ms(now)).nanojoules
      default: send(now)
      }
    }

    mutating func send(_ now: Int64) {
      let slot = Int(dice.below(Int64(slots)))
      let length = 1 + dice.below(120)
      let expected = naive.send(slot, at: now, lasting: length)
      if dice.below(3) > 0 {
        let delay = phone.send(slot, now, lasting: length)
        if delay != expected { delaysDiffer += 1 }
      } else {
        let delay = phone.send(slot, now)
        if delay != expected { delaysDiffer += 1 }
        let end = now + expected + length
        let told = now + dice.below(end - now + 1)
        if told == now || told >= horizon {
          phone.account.answer(slot, at: .ms(end))
        } else {
          untold.append((told, slot, end))
        }
      }
    }
  }

  @Test func randomEventsMatchTheNaiveEnergyModel() {
    for seed in 0..<1_000 as Range<UInt32> {
      let isEven = seed % 4 != 3
      var life = Life(Self.profiles(even: isEven), seed: seed)
      life.live()
      let ledger = life.phone.account.ledger.total.nanojoules
      let floor = 25_000 * Self.horizon
      #expect(life.phone.account.brokenInvariant == nil, "seed \(seed)")
      #expect(ledger == life.naive.drawn + life.naive.session + floor, "seed \(seed)")
      #expect(life.phone.account.ledger.session.nanojoules == life.naive.session, "seed \(seed)")
      #expect(life.taken == life.naive.drawn, "seed \(seed)")
      #expect(life.delaysDiffer == 0, "seed \(seed)")
      guard isEven else { continue }
      #expect(life.phone.user == EnergyBill(tail: life.naive.userTail), "seed \(seed)")
      for slot in 0..<Self.slots {
        let expected = EnergyBill(
          promotion: life.naive.promotion[slot], active: life.naive.active[slot], tail: life.naive.tail[slot],
          wait: Double(life.naive.wait[slot]) / 150_000)
        #expect(life.phone.bill(slot) == expected, "seed \(seed), slot \(slot)")
      }
    }
  }

  /// The lives above have enough events for the tests.
  @Test func randomEventsCoverAllCases() {
    var components = EnergyBill()
    var shared = 0
    for seed in 0..<50 as Range<UInt32> {
      var life = Life(Self.profiles(even: true), seed: seed)
      life.live()
      components.tail += life.phone.user.tail
      for slot in 0..<Self.slots {
        let bill = life.phone.bill(slot)
        components.promotion += bill.promotion
        components.active += bill.active
        if bill.active % 540 != 0 { shared += 1 }
      }
    }
    #expect(components.promotion > 0 && components.active > 0 && components.tail > 0 && shared > 50)
  }

  /// With all powers at 0, there is no radio energy to save (MODEL.md 9).
  @Test func zeroPowerLeavesNothingToSave() {
    var silent = EnergyPhone.plain
    silent.promotion.power = Power(microwatts: 0)
    silent.active = Power(microwatts: 0)
    silent.tails = silent.tails.map { RadioSpell($0.length, Power(microwatts: 0)) }
    var phone = EnergyPhone([silent])
    for slot in 0..<6 {
      phone.send(slot, Int64(slot) * 150, lasting: 100)
      phone.account.noteAlone(slot, airTime: .milliseconds(100), over: phone.account.presentPlan)
    }
    phone.close(20_000)
    for slot in 0..<6 {
      #expect(phone.account.ledger[slot].savedRadio == .zero)
      #expect(phone.account.ledger[slot].radio == .zero)
    }
  }
}
