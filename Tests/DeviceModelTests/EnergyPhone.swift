import SimulationKernel
import Testing

@testable import DeviceModel
@testable import Scenario

/// A phone with only its energy account, with round numbers or a profile from the table.
struct EnergyPhone: ~Copyable {
  let storage = SamplerStorage()
  let plans: PreparedList<RadioPlan>
  var account: EnergyAccount

  /// A radio with round numbers, in microwatts and milliseconds, that show who pays.
  static let plain = RadioProfile(
    name: "plain", promotion: .init(.milliseconds(100), .init(microwatts: 1_000)), active: .init(microwatts: 500),
    down: .init(picojoules: 1_000), up: .init(picojoules: 2_500),
    tails: [
      .init(.milliseconds(1_000), .init(microwatts: 300)), .init(.milliseconds(500), .init(microwatts: 200)),
    ], roundTrip: .zero, evidence: .none)

  /// The phone's other radio.
  static let other = RadioProfile(
    name: "other", promotion: .init(.milliseconds(50), .init(microwatts: 3_000)), active: .init(microwatts: 700),
    down: .init(picojoules: 0), up: .init(picojoules: 0),
    tails: [.init(.milliseconds(400), .init(microwatts: 110))], roundTrip: .zero, evidence: .none)

  /// Creates a phone at instant 0, with its radio asleep on the first profile.
  init(_ profiles: [RadioProfile] = [plain, other], instances: Int = 6) {
    plans = storage.keep(profiles.map { RadioPlan($0) })
    account = EnergyAccount(plans: plans)
    account.begin(plans: plans, interface: 0, instances: instances, at: .start)
  }

  /// Sends a request of known duration, and returns the delay in milliseconds.
  @discardableResult
  mutating func send(_ slot: Int, _ at: Int64, lasting length: Int64) -> Int64 {
    let delay = account.beginFlow(slot, at: .ms(at))
    account.extendFlow(slot, to: .ms(at + length) + delay)
    return delay.milliseconds
  }

  /// Sends a request whose end is set by `answer`, and returns the delay in milliseconds.
  @discardableResult
  mutating func send(_ slot: Int, _ at: Int64) -> Int64 {
    let delay = account.beginFlow(slot, at: .ms(at))
    account.leaveOpen(slot)
    return delay.milliseconds
  }

  /// Starts the next period: charges are cleared, but the battery's debt is not.
  mutating func startPeriod(_ at: Int64) {
    account.closePeriod(at: .ms(at))
    account.forgetCharges()
  }

  /// Closes the period at `at`, after checking the account.
  mutating func close(_ at: Int64) {
    account.closePeriod(at: .ms(at))
    #expect(account.brokenInvariant == nil)
  }

  func bill(_ slot: Int) -> EnergyBill { EnergyBill(account.ledger[slot]) }
  var user: EnergyBill { EnergyBill(account.ledger.user) }
}

/// The radio's part of an account in nanojoules, and the wait in units of 150 uJ: milliseconds of unshared waiting.
struct EnergyBill: Equatable, CustomStringConvertible {
  var promotion: Int64 = 0
  var active: Int64 = 0
  var tail: Int64 = 0
  var wait: Double = 0

  init(promotion: Int64 = 0, active: Int64 = 0, tail: Int64 = 0, wait: Double = 0) {
    self.promotion = promotion
    self.active = active
    self.tail = tail
    self.wait = wait
  }

  init(_ row: EnergyRow) {
    self.init(
      promotion: row[.promotion].nanojoules, active: row[.active].nanojoules, tail: row[.tail].nanojoules,
      wait: Double(row[.wait].nanojoules) / 150_000)
  }

  static let nothing = EnergyBill()

  var description: String { "promotion \(promotion), active \(active), tail \(tail), wait \(wait)" }
}

extension EnergyRow {
  /// The radio energy saved by sharing; negative if the runs paid for others' (MODEL.md 7.4).
  var savedRadio: Energy { aloneRadio - radio }
  /// The energy saved by waiting together.
  var savedWait: Energy { aloneWait - wait }
}

extension Instant {
  static func ms(_ count: Int64) -> Instant { Instant(millisecondsSinceStart: count) }
}

extension RadioEvidence {
  static let none = RadioEvidence(
    promotionLength: .scenario, promotionPower: .scenario, active: .scenario, perBit: .scenario, tailLengths: [],
    tailPowers: [], roundTrip: .scenario)
}
