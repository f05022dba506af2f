import Foundation
import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// The reference's O3 to O8 on random traffic: requests of zero length, and a promotion of 1 ms with the energy of 260
/// ms.
///
/// The promotion's millisecond and the rounding to whole milliseconds each shift a tail by at most 1 ms of 11 576,
/// which is the bias allowed in addition to five standard errors.
@Suite struct EnergyTrafficTests {
  static let tail = 11.576
  static let tailPower = 1.06
  static let promotion = 0.314782
  /// The energy of 2 ms of tail, in joules.
  static let bias = 0.002 * tailPower

  static var profile: RadioProfile {
    var profile = RadioProfile.lte2012
    profile.promotion = RadioSpell(.milliseconds(1), Power(microwatts: 314_782_000))
    return profile
  }

  private func joules(_ energy: Energy) -> Double { Double(energy.nanojoules) / 1e9 }

  /// Returns the tail energy and promotions of batches of 100 requests with independent gaps.
  private func renewal(
    _ profile: RadioProfile = profile, seed: UInt64, gap: (inout EnergyTraffic) -> Double
  ) -> (tail: EnergySample, promotions: EnergySample) {
    var traffic = EnergyTraffic(seed: seed)
    var phone = EnergyPhone([profile])
    var now = 0.0
    var tails = EnergySample()
    var promotions = EnergySample()
    phone.send(0, 0, lasting: 0)
    let perPromotion = joules(profile.promotion.energy)
    for _ in 0..<400 {
      phone.startPeriod(Int64(now * 1_000))
      for _ in 0..<100 {
        now += gap(&traffic)
        phone.send(0, Int64(now * 1_000), lasting: 0)
      }
      phone.account.closePeriod(at: .ms(Int64(now * 1_000)))
      tails.add(joules(phone.account.ledger[0][.tail]) / 100)
      promotions.add(joules(phone.account.ledger[0][.promotion]) / perPromotion / 100)
    }
    return (tails, promotions)
  }

  /// O3, O4: a tail of P_t (1 - e^-lT) / l and e^-lT promotions per request.
  @Test(arguments: [1.0 / 60, 1.0 / 12, 1.0 / 3]) func exponentialGaps(rate: Double) {
    let (tail, promotions) = renewal(seed: 31) { $0.exponential(rate: rate) }
    let asleep = exp(-rate * Self.tail)
    #expect(tail.fits(Self.tailPower * (1 - asleep) / rate, bias: Self.bias), "seed 31: \(tail)")
    #expect(promotions.fits(asleep, bias: 0.001), "seed 31: \(promotions)")
  }

  /// O3: k th P(k+1, T/th) + T Q(k, T/th), for shape 2 in closed form.
  @Test func gammaGaps() {
    let scale = 7.0
    let (tail, promotions) = renewal(seed: 32) { $0.gamma2(scale: scale) }
    let x = Self.tail / scale
    let upper = exp(-x) * (1 + x)
    let expected = 2 * scale * (1 - exp(-x) * (1 + x + x * x / 2)) + Self.tail * upper
    #expect(tail.fits(Self.tailPower * expected, bias: Self.bias), "seed 32: \(tail)")
    #expect(promotions.fits(upper, bias: 0.001), "seed 32: \(promotions)")
  }

  /// O3: e^(m + s^2/2) Phi((ln T - m - s^2)/s) + T (1 - Phi((ln T - m)/s)).
  @Test func lognormalGaps() {
    let (mu, sigma) = (2.3, 0.9)
    let (tail, promotions) = renewal(seed: 33) { $0.lognormal(mu: mu, sigma: sigma) }
    func below(_ z: Double) -> Double { erfc(-z / 2.0.squareRoot()) / 2 }
    let z = (log(Self.tail) - mu) / sigma
    let expected = exp(mu + sigma * sigma / 2) * below(z - sigma) + Self.tail * (1 - below(z))
    #expect(tail.fits(Self.tailPower * expected, bias: Self.bias), "seed 33: \(tail)")
    #expect(promotions.fits(1 - below(z), bias: 0.001), "seed 33: \(promotions)")
  }

  /// O8: each tail is charged for its part of the gap.
  @Test func severalTails() {
    var profile = RadioProfile.standalone5G
    profile.promotion = RadioSpell(.milliseconds(1), Power(microwatts: 208_000_000))
    let rate = 1.0 / 10
    let (tail, promotions) = renewal(profile, seed: 34) { $0.exponential(rate: rate) }
    func covered(_ span: Double) -> Double { (1 - exp(-rate * span)) / rate }
    let expected = 0.593 * covered(10.2) + 0.05 * (covered(15) - covered(10.2))
    #expect(tail.fits(expected, bias: Self.bias), "seed 34: \(tail)")
    #expect(promotions.fits(exp(-rate * 15), bias: 0.001), "seed 34: \(promotions)")
  }

  /// O5: six widgets every 30 min at different phases, 72.4 J of tail and 5.81 promotions per cycle.
  @Test func sixPhases() {
    var traffic = EnergyTraffic(seed: 35)
    var tails = EnergySample()
    var promotions = EnergySample()
    var phone = EnergyPhone([Self.profile])
    for _ in 0..<3_000 {
      phone.account.begin(plans: phone.plans, interface: 0, instances: 6, at: .start)
      let phases = (0..<6).map { _ in Int64(traffic.uniform() * 1_800_000) }.sorted()
      for (slot, phase) in phases.enumerated() { phone.send(slot, phase, lasting: 0) }
      // The first cycle leads into the second, which is the one counted.
      phone.startPeriod(1_800_000)
      for (slot, phase) in phases.enumerated() { phone.send(slot, 1_800_000 + phase, lasting: 0) }
      phone.account.closePeriod(at: .ms(3_600_000))
      let rows = (0..<6).map { phone.account.ledger[$0] }
      tails.add(rows.reduce(0) { $0 + joules($1[.tail]) })
      promotions.add(rows.reduce(0) { $0 + joules($1[.promotion]) } / Self.promotion)
    }
    let free = 1 - Self.tail / 1_800
    let expected = Self.tailPower * 1_800 * (1 - pow(free, 6))
    #expect(abs(expected - 72.4) < 0.05 && abs(6 * pow(free, 5) - 5.81) < 0.005)
    #expect(tails.fits(expected, bias: 6 * Self.bias), "seed 35: \(tails)")
    #expect(promotions.fits(6 * pow(free, 5), bias: 0.001), "seed 35: \(promotions)")
  }

  /// O6: for several independent Poisson streams, each one's share of the tail equals its share of the requests.
  @Test func lastTrigger() {
    let rates = [1.0 / 90, 1.0 / 30, 1.0 / 20]
    let total = rates.reduce(0, +)
    var traffic = EnergyTraffic(seed: 36)
    var phone = EnergyPhone([Self.profile])
    var powers = rates.map { _ in EnergySample() }
    var now = 0.0
    let batch = 2_000.0
    var next = rates.map { traffic.exponential(rate: $0) }
    for index in 0..<500 {
      let end = Double(index + 1) * batch
      while let soonest = next.min(), soonest < end, let slot = next.firstIndex(of: soonest) {
        now = soonest
        phone.send(slot, Int64(now * 1_000), lasting: 0)
        next[slot] = now + traffic.exponential(rate: rates[slot])
      }
      phone.account.closePeriod(at: .ms(Int64(end * 1_000)))
      for slot in rates.indices { powers[slot].add(joules(phone.account.ledger[slot][.tail]) / batch) }
      phone.startPeriod(Int64(end * 1_000))
    }
    for slot in rates.indices {
      let expected = rates[slot] / total * Self.tailPower * (1 - exp(-total * Self.tail))
      #expect(powers[slot].fits(expected, bias: Self.bias * rates[slot]), "seed 36, \(slot): \(powers[slot])")
    }
  }

  /// O7: one more request in Poisson traffic adds T e^-mT of tail and (1 - mT) e^-mT promotions, because it may bridge
  /// a gap.
  @Test(arguments: [0.5, 1.5]) func piggyback(perTail: Double) {
    let rate = perTail / Self.tail
    var traffic = EnergyTraffic(seed: 37)
    var phone = EnergyPhone([Self.profile])
    var tails = EnergySample()
    var promotions = EnergySample()
    for _ in 0..<10_000 {
      // Only requests within a tail of the one at 0 interact with it; earlier ones decide on their own promotions.
      var times: [Int64] = []
      var now = -3 * Self.tail + traffic.exponential(rate: rate)
      while now < 2 * Self.tail {
        times.append(Int64((now * 1_000).rounded(.down)))
        now += traffic.exponential(rate: rate)
      }
      let without = spent(times, &phone)
      let with = spent((times + [0]).sorted(), &phone)
      tails.add(with.tail - without.tail)
      promotions.add(with.promotions - without.promotions)
    }
    let meets = exp(-perTail)
    #expect(tails.fits(Self.tailPower * Self.tail * meets, bias: Self.bias), "seed 37: \(tails)")
    #expect(promotions.fits((1 - perTail) * meets, bias: 0.001), "seed 37: \(promotions)")
  }

  private func spent(_ times: [Int64], _ phone: inout EnergyPhone) -> (tail: Double, promotions: Double) {
    phone.account.begin(plans: phone.plans, interface: 0, instances: 1, at: .ms(-100_000))
    for time in times { phone.send(0, time, lasting: 0) }
    phone.account.closePeriod(at: .ms(200_000))
    let row = phone.account.ledger[0]
    return (joules(row[.tail]), joules(row[.promotion]) / Self.promotion)
  }
}
