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
  /// Of the device's quarter hours.
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
  /// Of an instance (part): placement instant and first balance (index 0), capacity (1).
  case instance
  /// Of an instance's run (part, index): the start delay of the next ticket and the jitter.
  case schedule
  /// Of an instance's run: the first request's latency and the policy's date.
  case provider
  /// Of an instance's run: latencies of further requests and tries.
  case latency
  /// Of an instance's run.
  case crash
  /// Of a kind (part), once per device.
  case deviceJitter
  /// Of a check of the battery (index): a charge to 80 %, Low Power Mode.
  case battery
  /// Whether the device charges in the night of a date (index).
  case night
  /// Of a background refresh (part), by its ordinal.
  case backgroundRefresh
  /// A device's unlock rate.
  case person
  /// The day factor of a date (index).
  case dayFactor
  /// Unlocks: gap and session length, by date and ordinal (part).
  case unlock
  case glance
  /// Of a session (part): number of visits and whether the app opens (index 0), when and for how long (1).
  case session
  /// Of a session (part), by ordinal: time and depth of a visit.
  case homeVisit
  /// Of a session (part): the member that a stack (index) shows.
  case stack
  /// Of a session (part): bursts on an instance (index).
  case taps
  /// Of a session's app visit (part): changes, by reload and number (index).
  case change
  case audio
  /// Of a kind (part), by call (index): foreground latency.
  case foreground
  /// Of a kind (index).
  case location
  /// Of an instance (part), by view (index): whether an overdue view reloads.
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
  /// Of a device's own pushes (part), by ordinal (index).
  case pushGap
  /// Of an event's pushes (part), by ordinal (index).
  case pushDelivery
  /// Of a kind (part), by snapshot (index): whether it sends requests; their latencies.
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
  /// Of a full battery; a phone on mains needs none.
  fileprivate func capacity(phone: Int) -> Energy {
    switch self {
    case .mains: .zero
    case .battery(let battery): battery.capacities[phone]
    }
  }
}
