package import Scenario
package import SimulationKernel

/// One cohort prepared for the event path.
package struct CohortPlan: BitwiseCopyable, Sendable {
  /// The number of the cohort's first device.
  package var firstDevice: Int
  package var devices: Int
  /// Draws an index into the cohort's zones.
  package var zone: ChoiceTable<Int>
  /// Zone numbers by index into the cohort's zones.
  package var zoneNumbers: PreparedList<Int>
  /// Draws an index into the cohort's phones.
  package var phone: ChoiceTable<Int>
  package var members: PreparedList<MemberPlan>
  package var system: SystemPlan
  package var roundTrip: TimeAmount
  /// From sending a request to its arrival.
  package var halfRoundTrip: TimeAmount
  package var power: PowerPlan

  package init(
    firstDevice: Int, devices: Int, zone: ChoiceTable<Int>, zoneNumbers: PreparedList<Int>,
    phone: ChoiceTable<Int>, members: PreparedList<MemberPlan>, system: SystemPlan, roundTrip: TimeAmount,
    power: PowerPlan
  ) {
    self.firstDevice = firstDevice
    self.devices = devices
    self.zone = zone
    self.zoneNumbers = zoneNumbers
    self.phone = phone
    self.members = members
    self.system = system
    self.roundTrip = roundTrip
    halfRoundTrip = .milliseconds(roundTrip.milliseconds / 2)
    self.power = power
  }
}

/// A widget that a cohort's devices may have placed, alone or in a stack.
package struct MemberPlan: BitwiseCopyable, Sendable {
  package var kind: Int
  package var family: Family
  /// The member's placement: members of one stack are placed together.
  package var placement: Int
  package var share: Chance
  /// The budget's capacity C per day.
  package var capacity: CapacityPlan

  package init(kind: Int, family: Family, placement: Int, share: Chance, capacity: CapacityPlan) {
    self.kind = kind
    self.family = family
    self.placement = placement
    self.share = share
    self.capacity = capacity
  }
}

/// How an instance comes to its budget's capacity C per day (MODEL.md 4.7).
package enum CapacityPlan: BitwiseCopyable, Sendable {
  case fixed(RunMillionths)
  /// Uniform per instance.
  case range(RunMillionths, RunMillionths)
}

/// The scheduler's constants prepared (MODEL.md 4).
package struct SystemPlan: BitwiseCopyable, Sendable {
  package var minSpacing: TimeAmount
  package var policyDelay: SpanSampler
  package var backgroundDelay: SpanSampler
  package var coalescingWindow: TimeAmount
  package var atEndGap: TimeAmount
  package var idle: Idle?
  package var budget: BudgetPlan

  package init(
    minSpacing: TimeAmount, policyDelay: SpanSampler, backgroundDelay: SpanSampler, coalescingWindow: TimeAmount,
    atEndGap: TimeAmount, idle: Idle?, budget: BudgetPlan
  ) {
    self.minSpacing = minSpacing
    self.policyDelay = policyDelay
    self.backgroundDelay = backgroundDelay
    self.coalescingWindow = coalescingWindow
    self.atEndGap = atEndGap
    self.idle = idle
    self.budget = budget
  }
}

/// The budget's law prepared (MODEL.md 4.7).
package struct BudgetPlan: BitwiseCopyable, Sendable {
  package var model: Budget.Model
  package var accrual: Budget.Accrual
  /// Days of capacity that a balance holds at most, in whole millionths.
  package var carryOverMillionths: Int64

  package init(model: Budget.Model, accrual: Budget.Accrual, carryOverMillionths: Int64) {
    self.model = model
    self.accrual = accrual
    self.carryOverMillionths = carryOverMillionths
  }
}

/// Charging habits prepared (MODEL.md 3.2).
package enum PowerPlan: BitwiseCopyable, Sendable {
  case mains
  /// The probability of each night, and the clock times, since midnight, of plugging in and out.
  case overnight(Chance, plug: SpanSampler, unplug: SpanSampler)
}
