import Scenario
import SimulationKernel

/// One phone: what its instances share.
///
/// Fields stand in an order that leaves few gaps: small ones where a struct's tail leaves room.
struct DeviceState: BitwiseCopyable {
  /// Within the fleet.
  private let numberInFewBits: UInt32
  private let replication: UInt32
  var presence = Presence()
  /// At which the clock shows a fixed budget renewed.
  let resetHour: UInt8
  private var instances: UInt8 = 0
  /// Whether a check of the battery is pending.
  var isBatteryWatched = false
  private let cohortIndex: UInt16
  var network: NetworkState
  /// U(0, 15 min), in milliseconds.
  private let accrualMilliseconds: UInt32
  var energyDay: EnergyDay
  var battery: Battery
  private let zoneNumber: UInt16

  /// A device at the beginning of its world, without instances.
  init(plan: FleetPlan, cohort index: Int, number: Int, replication: Int) {
    let owner = plan.cohorts.pointer(at: index)
    numberInFewBits = UInt32(truncatingIfNeeded: number)
    self.replication = UInt32(truncatingIfNeeded: replication)
    let stream = DeviceStream(seed: plan.seed, device: numberInFewBits, replication: self.replication)
    let choices = owner.pointee.choices(of: stream)
    let budget = stream.block(.traits, index: 1)
    let zone = owner.pointee.zoneNumbers[choices.zone]
    accrualMilliseconds = UInt32(
      truncatingIfNeeded: SpanSampler.part(of: AccrualClock.quarter, at: budget.first).milliseconds)
    resetHour = UInt8(
      truncatingIfNeeded: SpanSampler.part(of: .day, at: budget.second).milliseconds / TimeAmount.hour.milliseconds)
    cohortIndex = UInt16(truncatingIfNeeded: index)
    zoneNumber = UInt16(truncatingIfNeeded: zone)
    network = NetworkState(owner.pointee.network, stream: stream, wall: plan.clocks[zone], beginning: plan.beginning)
    battery = Battery(capacity: owner.pointee.power.capacity(phone: choices.phone), at: plan.beginning)
    energyDay = EnergyDay(first: plan)
  }

  /// The device's random numbers.
  @inline(__always)
  func stream(seed: UInt64) -> DeviceStream {
    DeviceStream(seed: seed, device: numberInFewBits, replication: replication)
  }

  /// Device number within the fleet.
  var number: Int { Int(numberInFewBits) }
  var cohort: Int { Int(cohortIndex) }
  /// Number of the device's zone in the plan.
  var zone: Int { Int(zoneNumber) }
  /// Offset of the device's quarter hours, below 15 minutes.
  var accrualOffset: TimeAmount { .milliseconds(Int64(accrualMilliseconds)) }

  /// At most `DeviceSimulator.mostInstances`.
  var instanceCount: Int {
    get { Int(instances) }
    set { instances = UInt8(truncatingIfNeeded: newValue) }
  }
}

extension CohortPlan {
  /// A device's choices among the cohort's zones and phones.
  @inline(__always)
  func choices(of stream: DeviceStream) -> (zone: Int, phone: Int) {
    let draws = stream.block(.traits)
    return (zone.value(at: draws.first), phone.value(at: draws.second))
  }
}

/// What a random number is for; each purpose has its own keys, so that policies never disturb people (MODEL.md, head).
enum Purpose: UInt8 {
  /// Zone and phone (index 0), accrual offset and reset hour (1), plug and unplug times (2).
  case traits
  /// Whether a placement (part) is on the device.
  case placement
  /// Placement instant and first balance of an instance (part) at index 0, its capacity at index 1.
  case instance
  /// Start delay of the ticket after an instance's run (part, index), and the jitter.
  case schedule
  /// Latency of the first request of an instance's run, and the policy's date.
  case provider
  /// Latencies of further requests and tries of an instance's run.
  case latency
  /// Whether an instance's run crashes.
  case crash
  /// Jitter of a kind (part), once per device.
  case deviceJitter
  /// Outcome of a check of the battery (index): a charge to 80 %, Low Power Mode.
  case battery
  /// Whether the device charges in the night of a date (index).
  case night
  /// Gap before a background refresh (part), by its ordinal.
  case backgroundRefresh
  /// A device's unlock rate.
  case person
  /// The day factor of a date (index).
  case dayFactor
  /// Unlocks: gap and session length, by date and ordinal (part).
  case unlock
  case glance
  /// Number of visits in a session (part) and whether the app opens (index 0), when and for how long (1).
  case session
  /// Time and depth of a visit in a session (part), by ordinal.
  case homeVisit
  /// Member that a stack (index) shows in a session (part).
  case stack
  /// Bursts of taps on an instance (index) in a session (part).
  case taps
  /// Changes in the app visit of a session (part), by reload and number (index).
  case change
  case audio
  /// Foreground latency of a kind (part), by call (index).
  case foreground
  /// Location changes of a kind (index), by date and ordinal (part).
  case location
  /// Whether an overdue view (index) of an instance (part) reloads.
  case view
  /// Draws of the interface (index): the gap before it, and wifi or not.
  case interface
  /// Spells online and offline, by their number (index).
  case offline
  /// Whether the device is in the audience of an event (part), on a local day (index); in a named group (part).
  case audience
  case audienceGroup
  /// When an event (part) comes over the device, on a local day (index).
  case eventTime
  /// Gap before one of a device's own pushes (part), by ordinal (index).
  case pushGap
  /// Whether a silent push of an event (part) is delivered, by ordinal (index).
  case pushDelivery
  /// Whether a snapshot (index) of a kind (part) sends requests; their latencies.
  case gallery
  case snapshotLatency
  /// What the backend does with requests, by request and try (part): misses and outages, limits and refusals.
  case backend
  case backendLimits
  case snapshotBackend
  case snapshotLimits
  /// Views of an instance (part) on a date before its placement (index).
  case history
}

extension DeviceStream {
  @inline(__always)
  func block(_ purpose: Purpose, part: Int = 0, index: Int = 0) -> Philox.Block {
    block(purpose: purpose.rawValue, part: UInt32(truncatingIfNeeded: part), index: UInt32(truncatingIfNeeded: index))
  }
}

extension PowerPlan {
  /// Energy of a full battery; a phone on mains needs none.
  fileprivate func capacity(phone: Int) -> Energy {
    switch self {
    case .mains: .zero
    case .battery(let battery): battery.capacities[phone]
    }
  }
}
