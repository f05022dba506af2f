package import Scenario
import SimulationKernel

/// The purpose of a random number; each purpose has its own keys, so that policies do not affect users (MODEL.md, top).
enum Purpose: UInt8 {
  /// Zone and phone model (index 0), accrual offset (1), plug and unplug times (2).
  case traits
  /// Whether a placement (part) is on the device.
  case placement
  /// Placement instant and initial balance of an instance (part) at index 0, its capacity at index 1.
  case instance
  /// Start delay of the ticket after an instance's run (part, index), and the jitter.
  case schedule
  /// Latency of the first request of an instance's run, and the policy's date.
  case provider
  /// Latencies of further requests and attempts of an instance's run.
  case latency
  /// Whether an instance's run crashes.
  case crash
  /// Jitter of a kind (part), drawn once per device.
  case deviceJitter
  /// Outcome of a battery check (index): a charge to 80 %, Low Power Mode.
  case battery
  /// Whether the device charges during the night of a date (index).
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
  /// Number of visits in a session (part) and whether the app opens (index 0), with its time and length (1).
  case session
  /// Time and depth of a visit in a session (part), by ordinal.
  case homeVisit
  /// Member that a stack (index) shows in a session (part).
  case stack
  /// Bursts of taps on an instance (index) in a session (part).
  case taps
  /// Changes during the app visit of a session (part), by reload and number (index).
  case change
  case audio
  /// Foreground latency of a kind (part), by call (index).
  case foreground
  /// Location changes of a kind (index), by date and ordinal (part).
  case location
  /// Whether an overdue view (index) of an instance (part) reloads.
  case view
  /// Draws for an interface (index): the gap before it, and whether it is Wi-Fi.
  case interface
  /// Online and offline spells, by number (index).
  case offline
  /// Whether the device is in the audience of an event (part) on a local day (index), or in a named group (part).
  case audience
  case audienceGroup
  /// Time of an event (part) on the device, on a local day (index).
  case eventTime
  /// Gap before a push specific to the device (part), by ordinal (index).
  case pushGap
  /// Whether a silent push of an event (part) is delivered, by ordinal (index).
  case pushDelivery
  /// Whether a snapshot (index) of a kind (part) sends requests, and their latencies.
  case gallery
  case snapshotLatency
  /// Backend decisions by request and attempt (part): misses and outages, limits and refusals.
  case backend
  case backendLimits
  case snapshotBackend
  case snapshotLimits
  /// Views of an instance (part) on a date before its placement (index).
  case history
  /// The sampled device of a range (device), which has rows in devices.csv; in part 1, the start of the ranges.
  case rowSample
  /// The budget capacity of a kind's (part) instances, drawn once per device.
  case capacity
  /// The fleet-wide day factor of a date (index).
  case fleetDayFactor
  /// Time at which a device is added or removed, between the times of the devices before and after it.
  case life
  /// Demand on the budget of an instance (part) on four dates before its placement (index).
  case pastDemand
  /// The hint of an endpoint to a kind (part), with data of a time (index).
  case hint
  /// Latencies of a tap's requests by the number of the instance's (part) tap (index), and decisions about them.
  case action
  case actionBackend
  case actionLimits
}

extension DeviceStream {
  /// Returns the draw for a range of devices in the sample for devices.csv; in part 1, for the start of the ranges.
  package func rowSampleDraw(part: Int = 0) -> UInt64 { block(.rowSample, part: part).first }

  /// Returns the draw for a date's factor, which all devices share, from the fleet's stream (`ofFleet`).
  package func commonDraw(of date: LocalDay) -> UInt64 { block(.fleetDayFactor, index: Int(date.number)).first }

  @inline(__always)
  func block(_ purpose: Purpose, part: Int = 0, index: Int = 0) -> Philox.Block {
    block(purpose: purpose.rawValue, part: UInt32(truncatingIfNeeded: part), index: UInt32(truncatingIfNeeded: index))
  }
}
