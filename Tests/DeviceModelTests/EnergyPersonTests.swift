import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// Sessions, interface changes, periods and the battery in every state of the radio (MODEL.md 7.1, 7.3).
@Suite struct EnergyPersonTests {
  static let fullTail: Int64 = 400_000

  /// The state of a run sent at 1 000: on the air from 1 100 to 1 300, tails until 2 300 and 2 800.
  struct Case: CustomTestStringConvertible {
    var name: String
    /// The time at which a session or another interface starts.
    var at: Int64
    /// What the run has been charged by then.
    var paid: EnergyBill

    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "sleep", at: 500, paid: .nothing),
    Case(name: "promotion", at: 1_050, paid: EnergyBill(promotion: 50_000, wait: 50)),
    Case(name: "promotion's end", at: 1_100, paid: EnergyBill(promotion: 100_000, wait: 100)),
    Case(name: "active", at: 1_150, paid: EnergyBill(promotion: 100_000, active: 25_000, wait: 150)),
    Case(
      name: "first tail", at: 1_400,
      paid: EnergyBill(promotion: 100_000, active: 100_000, tail: 30_000, wait: 300)),
    Case(
      name: "second tail", at: 2_400,
      paid: EnergyBill(promotion: 100_000, active: 100_000, tail: 320_000, wait: 300)),
    Case(
      name: "sleep again", at: 2_800,
      paid: EnergyBill(promotion: 100_000, active: 100_000, tail: fullTail, wait: 300)),
  ]

  // MARK: Sessions

  /// From the session's start, a run pays only for its bytes; the tail after it is charged to the user.
  @Test(arguments: cases) func sessionStarts(_ moment: Case) {
    var phone = EnergyPhone()
    if moment.at < 1_000 { phone.account.startSession(at: .ms(moment.at)) }
    #expect(phone.send(0, 1_000, lasting: 200) == (moment.at < 1_000 ? 0 : 100))
    if moment.at >= 1_000 { phone.account.startSession(at: .ms(moment.at)) }
    phone.account.endSession(at: .ms(10_000))
    phone.close(20_000)
    #expect(phone.bill(0) == moment.paid)
    #expect(phone.user == EnergyBill(tail: Self.fullTail))
    #expect(phone.account.ledger.session == Battery.session * .milliseconds(10_000 - moment.at))
  }

  /// A flow that outlasts the session pays from the session's end, and is charged for the tail.
  @Test(arguments: [1_050, 1_100, 1_150] as [Int64]) func flowOutlastsTheSession(start: Int64) {
    var phone = EnergyPhone()
    phone.send(0, 1_000, lasting: 200)
    phone.account.startSession(at: .ms(start))
    phone.account.endSession(at: .ms(1_250))
    phone.close(20_000)
    let before = min(start, 1_100) - 1_000
    #expect(
      phone.bill(0)
        == EnergyBill(
          promotion: before * 1_000, active: (max(start, 1_100) - 1_100 + 50) * 500, tail: Self.fullTail,
          wait: Double(start - 1_000 + 50)))
    #expect(phone.user == .nothing)
  }

  /// If both end at the same time, the tail is charged to the user.
  @Test func flowEndsWithTheSession() {
    var phone = EnergyPhone()
    phone.account.startSession(at: .ms(0))
    #expect(phone.send(0, 100, lasting: 100) == 0)
    phone.account.endSession(at: .ms(200))
    phone.close(20_000)
    #expect(phone.bill(0) == .nothing)
    #expect(phone.user == EnergyBill(tail: Self.fullTail))
  }

  @Test func runsJoinThePersonsTail() {
    var phone = EnergyPhone()
    phone.account.startSession(at: .ms(0))
    phone.account.endSession(at: .ms(1_000))
    #expect(phone.send(0, 1_200, lasting: 100) == 0)
    phone.close(20_000)
    #expect(phone.user == EnergyBill(tail: 60_000))
    #expect(phone.bill(0) == EnergyBill(active: 50_000, tail: Self.fullTail, wait: 100))
  }

  /// A session that starts during a tail takes it over.
  @Test func aNewSessionInThePersonsTail() {
    var phone = EnergyPhone()
    phone.account.startSession(at: .ms(0))
    phone.account.endSession(at: .ms(1_000))
    phone.account.startSession(at: .ms(2_100))
    phone.account.endSession(at: .ms(3_000))
    phone.close(20_000)
    #expect(phone.user == EnergyBill(tail: 300_000 + 20_000 + Self.fullTail))
    #expect(phone.account.ledger.session == Battery.session * .milliseconds(1_900))
  }

  // MARK: Interfaces

  /// Promotion, flow and tail on the old interface end; answers in the air still count.
  @Test(arguments: cases) func interfaceChanges(_ moment: Case) {
    var phone = EnergyPhone()
    if moment.at < 1_000 { phone.account.changeInterface(to: 1, at: .ms(moment.at)) }
    phone.send(0, 1_000, lasting: 200)
    if moment.at >= 1_000 { phone.account.changeInterface(to: 1, at: .ms(moment.at)) }
    phone.close(20_000)
    var expected = moment.paid
    if moment.at < 1_000 {
      expected = EnergyBill(promotion: 150_000, active: 140_000, tail: 44_000, wait: 250)
    } else {
      expected.wait = 300
    }
    #expect(phone.bill(0) == expected)
    #expect(phone.user == .nothing)
  }

  /// After the change the new radio is asleep, whatever the old one was doing.
  @Test(arguments: cases) func newRadioStartsAsleep(_ moment: Case) {
    var phone = EnergyPhone()
    if moment.at >= 1_000 { phone.send(0, 1_000, lasting: 200) }
    phone.account.changeInterface(to: 1, at: .ms(moment.at))
    #expect(phone.send(1, moment.at + 10, lasting: 100) == 50)
    phone.close(20_000)
    let bill = phone.bill(1)
    #expect(bill.promotion == 150_000 && bill.active == 70_000 && bill.tail == 44_000)
  }

  /// Drawing the same interface again changes nothing.
  @Test func sameInterface() {
    var phone = EnergyPhone()
    phone.send(0, 1_000, lasting: 200)
    phone.account.changeInterface(to: 0, at: .ms(1_050))
    phone.account.changeInterface(to: 0, at: .ms(1_500))
    phone.close(20_000)
    #expect(phone.bill(0) == EnergyBill(promotion: 100_000, active: 100_000, tail: Self.fullTail, wait: 300))
  }

  /// After a change during a session, the user's tail is on the new interface; the earlier flow has none.
  @Test func interfaceChangesInASession() {
    var phone = EnergyPhone()
    phone.account.startSession(at: .ms(0))
    phone.send(0, 100, lasting: 1_000)
    phone.account.changeInterface(to: 1, at: .ms(500))
    phone.account.endSession(at: .ms(700))
    phone.close(20_000)
    #expect(phone.bill(0) == EnergyBill(wait: 400))
    #expect(phone.user == EnergyBill(tail: 44_000))
  }

  /// A run that sends again becomes a flow of the new interface until its last request ends.
  @Test func retriedRunMovesToTheNewInterface() {
    var phone = EnergyPhone()
    phone.send(0, 1_000, lasting: 500)
    phone.account.changeInterface(to: 1, at: .ms(1_200))
    #expect(phone.send(0, 1_300, lasting: 100) == 50)
    phone.close(20_000)
    // It is on the new interface from 1 350 until the first request ends at 1 600.
    #expect(
      phone.bill(0)
        == EnergyBill(promotion: 250_000, active: 50_000 + 175_000, tail: 44_000, wait: 600))
  }

  /// Two changes at the same instant leave the radio asleep.
  @Test func twoChangesAtOnceLeaveTheRadioAsleep() {
    var phone = EnergyPhone()
    phone.send(0, 1_000, lasting: 200)
    phone.account.changeInterface(to: 1, at: .ms(1_500))
    phone.account.changeInterface(to: 0, at: .ms(1_500))
    #expect(phone.send(1, 1_600, lasting: 100) == 100)
    phone.close(1_600)
    #expect(phone.bill(0).tail == 60_000)
  }

  // MARK: Periods and the battery

  /// Earlier charges are cleared, and a state in progress is charged from the start of the period.
  @Test(arguments: cases) func periodStarts(_ moment: Case) {
    var phone = EnergyPhone()
    if moment.at >= 1_000 { phone.send(0, 1_000, lasting: 200) }
    phone.startPeriod(moment.at)
    if moment.at < 1_000 { phone.send(0, 1_000, lasting: 200) }
    phone.close(20_000)
    let all = EnergyBill(promotion: 100_000, active: 100_000, tail: Self.fullTail, wait: 300)
    #expect(
      phone.bill(0)
        == EnergyBill(
          promotion: all.promotion - moment.paid.promotion, active: all.active - moment.paid.active,
          tail: all.tail - moment.paid.tail, wait: all.wait - moment.paid.wait))
    #expect(phone.account.ledger.floor == Battery.floor * .milliseconds(20_000 - moment.at))
  }

  /// The battery supplies the energy used so far, even in the middle of a slice, and each nanojoule once.
  @Test(arguments: cases) func battery(_ moment: Case) {
    var phone = EnergyPhone()
    if moment.at >= 1_000 { phone.send(0, 1_000, lasting: 200) }
    let paid = moment.paid
    let expected = paid.promotion + paid.active + paid.tail + Int64(paid.wait) * 150_000
    #expect(phone.account.takeFromBattery(at: .ms(moment.at)).nanojoules == expected)
    #expect(phone.account.takeFromBattery(at: .ms(moment.at)) == .zero)
    if moment.at < 1_000 { phone.send(0, 1_000, lasting: 200) }
    phone.startPeriod(max(2_000, moment.at))
    #expect(phone.account.takeFromBattery(at: .ms(30_000)).nanojoules == 45_600_000 - expected)
  }

  /// Bytes and processor time are charged to the run at once, even in sessions.
  @Test func bytesAndProcessor() {
    var phone = EnergyPhone()
    phone.account.startSession(at: .ms(0))
    _ = phone.account.beginFlow(2, at: .ms(0))
    phone.account.transferInFlight(
      2, down: ByteCount(bytes: 1_000), up: ByteCount(bytes: 100), over: phone.account.presentPlan, inSession: false)
    phone.account.extendFlow(2, to: .ms(0))
    phone.account.spendProcessor(2, .milliseconds(200))
    phone.close(0)
    #expect(phone.account.ledger[2][.transfer].nanojoules == 8_000 + 2_000)
    #expect(phone.account.ledger[2][.cpu].nanojoules == 120_000_000)
    #expect(phone.account.ledger.total.nanojoules == 120_010_000)
    #expect(phone.account.takeFromBattery(at: .ms(0)).nanojoules == 120_010_000)
  }

  /// A phone continues unchanged after being parked.
  @Test(arguments: cases) func parked(_ moment: Case) {
    var phone = EnergyPhone()
    phone.send(0, 1_000, lasting: 200)
    phone.account.advance(to: .ms(moment.at))
    phone.account.price()
    let early = phone.account.ledger[0]
    let radio = phone.account.radio
    let flow = phone.account.flows[0]
    phone.account.begin(plans: phone.plans, interface: 1, instances: 3, at: .ms(0))
    phone.send(2, 100, lasting: 100)
    phone.account.flows[0] = flow
    phone.account.resume(radio, plans: phone.plans, instances: 6, periodStart: .ms(0))
    phone.close(20_000)
    let late = phone.account.ledger[0]
    let sums = EnergyComponent.allCases.map { (early[$0] + late[$0]).nanojoules }
    #expect(sums == [100_000, 100_000, 0, Self.fullTail, 0, 45_000_000])
    #expect(phone.bill(2) == .nothing)
  }
}
