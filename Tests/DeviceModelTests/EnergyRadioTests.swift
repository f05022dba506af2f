import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// The states of the radio and who pays for them (MODEL.md 7.1 to 7.3), on a radio with round numbers.
///
/// Promotion 100 ms at 1 000 uW, active 500 uW, tails of 1 000 ms at 300 uW and 500 ms at 200 uW.
@Suite struct EnergyRadioTests {
  /// The energy of both tails.
  static let fullTail: Int64 = 400_000

  @Test func singleRunIsChargedForEverything() {
    var phone = EnergyPhone()
    #expect(phone.send(0, 1_000, lasting: 200) == 100)
    phone.close(5_000)
    #expect(phone.bill(0) == EnergyBill(promotion: 100_000, active: 100_000, tail: Self.fullTail, wait: 300))
    #expect(phone.user == .nothing)
    #expect(phone.account.ledger.floor == Battery.floor * .milliseconds(5_000))
    #expect(phone.account.ledger.session == .zero)
  }

  /// Intermediate updates only end states that are already over.
  @Test(arguments: [[1_050], [1_100], [1_200, 1_300], [2_000], [2_500, 2_799], [2_800]] as [[Int64]])
  func intermediateUpdatesDoNotChangeEnergy(at looks: [Int64]) {
    var phone = EnergyPhone()
    phone.send(0, 1_000, lasting: 200)
    for look in looks { phone.account.advance(to: .ms(look)) }
    phone.close(5_000)
    #expect(phone.bill(0) == EnergyBill(promotion: 100_000, active: 100_000, tail: Self.fullTail, wait: 300))
  }

  @Test func sleepingRadioIsNotCharged() {
    var phone = EnergyPhone()
    phone.close(1_000_000)
    for slot in 0..<6 { #expect(phone.bill(slot) == .nothing) }
    #expect(phone.account.ledger.total == Battery.floor * .seconds(1_000))
  }

  /// The delay of a second request, after a first at 1 000 that is on the air from 1 100 to 1 300.
  @Test(
    arguments: [
      (1_000, 100), (1_001, 99), (1_099, 1), (1_100, 0), (1_299, 0), (1_300, 0), (2_299, 0), (2_300, 0), (2_799, 0),
      (2_800, 0), (2_801, 100), (9_000, 100),
    ] as [(Int64, Int64)])
  func delays(at: Int64, delay: Int64) {
    var phone = EnergyPhone()
    phone.send(0, 1_000, lasting: 200)
    #expect(phone.send(1, at, lasting: 1) == delay)
  }

  /// The promotion is shared equally by all flows that waited for it.
  @Test func joinInPromotion() {
    var phone = EnergyPhone()
    phone.send(0, 1_000, lasting: 200)
    #expect(phone.send(1, 1_060, lasting: 100) == 40)
    phone.close(5_000)
    #expect(
      phone.bill(0)
        == EnergyBill(promotion: 50_000, active: 75_000, tail: Self.fullTail, wait: 60 + 70 + 100))
    #expect(phone.bill(1) == EnergyBill(promotion: 50_000, active: 25_000, tail: 0, wait: 70))
  }

  /// A remainder goes to the first instance, whatever the order of arrival.
  @Test func remainderToTheFirstInstance() {
    var phone = EnergyPhone()
    for slot in [5, 4, 2] { phone.send(slot, 0, lasting: 1) }
    phone.close(5_000)
    #expect(phone.bill(2).promotion == 33_334)
    #expect(phone.bill(4).promotion == 33_333)
    #expect(phone.bill(5).promotion == 33_333)
    #expect([2, 4, 5].map { phone.bill($0).active } == [168, 166, 166])
    // Three flows ended together and share the tail's segments equally.
    #expect([2, 4, 5].map { phone.bill($0).tail } == [133_334, 133_333, 133_333])
  }

  @Test func twoFlows() {
    var phone = EnergyPhone()
    phone.send(0, 0, lasting: 300)
    #expect(phone.send(1, 200, lasting: 500) == 0)
    phone.close(5_000)
    // On the air: 0 from 100 to 400, 1 from 200 to 700.
    #expect(phone.bill(0) == EnergyBill(promotion: 100_000, active: 100_000, tail: 0, wait: 200 + 100))
    #expect(phone.bill(1) == EnergyBill(promotion: 0, active: 200_000, tail: Self.fullTail, wait: 100 + 300))
  }

  @Test func joinInTheFirstTail() {
    var phone = EnergyPhone()
    phone.send(0, 1_000, lasting: 200)
    #expect(phone.send(1, 1_800, lasting: 100) == 0)
    phone.close(5_000)
    #expect(phone.bill(0) == EnergyBill(promotion: 100_000, active: 100_000, tail: 150_000, wait: 300))
    #expect(phone.bill(1) == EnergyBill(promotion: 0, active: 50_000, tail: Self.fullTail, wait: 100))
  }

  @Test func joinInTheSecondTail() {
    var phone = EnergyPhone()
    phone.send(0, 1_000, lasting: 200)
    #expect(phone.send(1, 2_500, lasting: 100) == 0)
    phone.close(5_000)
    #expect(phone.bill(0) == EnergyBill(promotion: 100_000, active: 100_000, tail: 340_000, wait: 300))
    #expect(phone.bill(1) == EnergyBill(promotion: 0, active: 50_000, tail: Self.fullTail, wait: 100))
  }

  /// The exact end of the last tail still belongs to it (O2: a promotion if the gap is longer than the tail).
  @Test(arguments: [[], [2_500], [2_800], [2_800, 2_800]] as [[Int64]])
  func joinAtTheVeryEnd(looks: [Int64]) {
    var phone = EnergyPhone()
    phone.send(0, 1_000, lasting: 200)
    for look in looks { _ = phone.account.takeFromBattery(at: .ms(look)) }
    #expect(phone.send(1, 2_800, lasting: 100) == 0)
    // Two requests at the same instant find the radio in the same state.
    #expect(phone.send(2, 2_800, lasting: 100) == 0)
    phone.close(9_000)
    #expect(phone.bill(0).tail == Self.fullTail)
    #expect(phone.bill(1) == EnergyBill(active: 25_000, tail: Self.fullTail / 2, wait: 50))
  }

  @Test(arguments: [[], [2_800], [2_801]] as [[Int64]]) func requestAfterTheTailNeedsAPromotion(looks: [Int64]) {
    var phone = EnergyPhone()
    phone.send(0, 1_000, lasting: 200)
    for look in looks { phone.account.advance(to: .ms(look)) }
    #expect(phone.send(1, 2_801, lasting: 100) == 100)
    phone.close(9_000)
    #expect(phone.bill(0).tail == Self.fullTail)
    #expect(phone.bill(1) == EnergyBill(promotion: 100_000, active: 50_000, tail: Self.fullTail, wait: 200))
  }

  /// During a run's backoff its radio is in the tail, without waiting.
  @Test func flowWithAGap() {
    var phone = EnergyPhone()
    phone.send(0, 0, lasting: 100)
    #expect(phone.send(0, 700, lasting: 50) == 0)
    phone.close(5_000)
    #expect(
      phone.bill(0) == EnergyBill(promotion: 100_000, active: 75_000, tail: 150_000 + Self.fullTail, wait: 250))
  }

  /// The flow of a run lasts until its last request ends.
  @Test(arguments: [[100, 300, 200], [300, 100], [300]] as [[Int64]])
  func severalRequestsAreOneFlow(lengths: [Int64]) {
    var phone = EnergyPhone()
    for length in lengths { #expect(phone.send(0, 0, lasting: length) == 100) }
    phone.close(5_000)
    #expect(phone.bill(0) == EnergyBill(promotion: 100_000, active: 150_000, tail: Self.fullTail, wait: 400))
  }

  /// A later request extends the flow; a shorter one does not cut it off.
  @Test func requestsOfOneRunOverlap() {
    var phone = EnergyPhone()
    phone.send(0, 0, lasting: 300)
    phone.send(0, 200, lasting: 50)
    phone.send(0, 350, lasting: 250)
    phone.close(5_000)
    #expect(phone.bill(0) == EnergyBill(promotion: 100_000, active: 250_000, tail: Self.fullTail, wait: 600))
  }

  /// Ends may be reported when they occur or slightly earlier.
  @Test(arguments: [0, 1, 150] as [Int64])
  func endsMayBeReportedEarly(before: Int64) {
    var phone = EnergyPhone()
    #expect(phone.send(0, 0) == 100)
    #expect(phone.send(0, 0) == 100)
    phone.account.advance(to: .ms(400 - before))
    phone.account.answer(0, at: .ms(400))
    phone.account.advance(to: .ms(600 - before))
    phone.account.answer(0, at: .ms(600))
    phone.close(5_000)
    #expect(phone.bill(0) == EnergyBill(promotion: 100_000, active: 250_000, tail: Self.fullTail, wait: 600))
  }

  /// A flow continues until its end is reported.
  @Test func openFlowContinuesUntilItsEnd() {
    var phone = EnergyPhone()
    phone.send(0, 0)
    phone.close(1_000_100)
    #expect(phone.bill(0) == EnergyBill(promotion: 100_000, active: 500_000_000, tail: 0, wait: 1_000_100))
  }

  /// An answer cannot arrive before its request was on the air.
  @Test func answersDoNotArriveDuringPromotion() {
    var phone = EnergyPhone()
    phone.send(0, 0)
    phone.account.answer(0, at: .ms(50))
    phone.close(5_000)
    #expect(phone.bill(0) == EnergyBill(promotion: 100_000, active: 0, tail: Self.fullTail, wait: 100))
  }

  /// A flow of zero length still restarts the tail.
  @Test func emptyFlowRestartsTheTail() {
    var phone = EnergyPhone()
    phone.send(0, 0, lasting: 0)
    phone.send(1, 500, lasting: 0)
    phone.send(2, 500, lasting: 0)
    phone.close(5_000)
    #expect(phone.bill(0) == EnergyBill(promotion: 100_000, active: 0, tail: 120_000, wait: 100))
    #expect(phone.bill(1) == .nothing)
    #expect(phone.bill(2) == EnergyBill(tail: Self.fullTail))
  }

  /// A run that joined another's flight waits without a flow of its own.
  @Test func joinedFlight() {
    var phone = EnergyPhone()
    phone.send(0, 0, lasting: 200)
    phone.account.follow(1, 0, at: .ms(150))
    phone.close(5_000)
    #expect(
      phone.bill(0) == EnergyBill(promotion: 100_000, active: 100_000, tail: Self.fullTail, wait: 150 + 75))
    #expect(phone.bill(1) == EnergyBill(wait: 75))
  }

  @Test(arguments: [0, 63]) func everySlotIsBilledSeparately(slot: Int) {
    var phone = EnergyPhone(instances: 64)
    phone.send(slot, 1_000, lasting: 200)
    phone.close(5_000)
    #expect(phone.bill(slot) == EnergyBill(promotion: 100_000, active: 100_000, tail: Self.fullTail, wait: 300))
    #expect(phone.user == .nothing)
  }

  /// Without promotion or tails, a radio is either active or asleep.
  @Test func radioWithoutPromotionAndTail() {
    var bare = EnergyPhone.plain
    bare.promotion.length = .zero
    bare.tails = [.init(.zero, .init(microwatts: 300))]
    var phone = EnergyPhone([bare])
    #expect(phone.send(0, 0, lasting: 200) == 0)
    #expect(phone.send(1, 300, lasting: 100) == 0)
    phone.close(5_000)
    #expect(phone.bill(0) == EnergyBill(active: 100_000, wait: 200))
    #expect(phone.bill(1) == EnergyBill(active: 50_000, wait: 100))
  }

  /// Negative instants lie in the warm-up.
  @Test func warmUp() {
    var phone = EnergyPhone()
    phone.account.begin(plans: phone.plans, interface: 0, instances: 6, at: .ms(-100_000))
    phone.send(0, -90_000, lasting: 200)
    phone.send(1, -88_900, lasting: 100)
    phone.close(0)
    #expect(phone.bill(0).tail == 240_000)
    #expect(phone.bill(1).tail == Self.fullTail)
  }
}
