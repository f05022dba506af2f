package import Scenario
import SimulationKernel

/// The purpose of a random number; each one has its own keys, so that policies do not disturb people (MODEL.md, head).
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
  /// Number of visits in a session (part) and whether the app opens (index 0), with its time and length (1).
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
  /// Draws of the interface (index): the gap before it, and the choice of wifi.
  case interface
  /// Spells online and offline, by their number (index).
  case offline
  /// Whether the device is in the audience of an event (part), on a local day (index); in a named group (part).
  case audience
  case audienceGroup
  /// Time of an event (part) on the device, on a local day (index).
  case eventTime
  /// Gap before one of a device's own pushes (part), by ordinal (index).
  case pushGap
  /// Whether a silent push of an event (part) is delivered, by ordinal (index).
  case pushDelivery
  /// Whether a snapshot (index) of a kind (part) sends requests; their latencies.
  case gallery
  case snapshotLatency
  /// Backend decisions by request and try (part): misses and outages, limits and refusals.
  case backend
  case backendLimits
  case snapshotBackend
  case snapshotLimits
  /// Views of an instance (part) on a date before its placement (index).
  case history
  /// The device of a range (device) that has its rows in devices.csv, and, in part 1, the start of the ranges.
  case rowSample
  /// The capacity of the budgets of a kind's (part) instances, once per device.
  case capacity
  /// The day factor of a date (index), of the fleet.
  case fleetDayFactor
  /// Time of a device's addition or removal, between those before and after it.
  case life
  /// Demand on an instance's (part) budget on four dates before its placement (index).
  case pastDemand
}

extension DeviceStream {
  /// Returns the draw of a range of devices for the sample of devices.csv; in part 1 that of the start of the ranges.
  package func rowSampleDraw(part: Int = 0) -> UInt64 { block(.rowSample, part: part).first }

  /// Returns the draw of the factor of a date that all devices share, from the stream of the fleet (`ofFleet`).
  package func commonDraw(of date: LocalDay) -> UInt64 { block(.fleetDayFactor, index: Int(date.number)).first }

  @inline(__always)
  func block(_ purpose: Purpose, part: Int = 0, index: Int = 0) -> Philox.Block {
    block(purpose: purpose.rawValue, part: UInt32(truncatingIfNeeded: part), index: UInt32(truncatingIfNeeded: index))
  }
}
