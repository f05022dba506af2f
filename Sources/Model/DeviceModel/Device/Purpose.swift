package import Scenario
import SimulationKernel

/// The purpose of a random number; each purpose has its own keys, so that policies do not affect users (see the start
/// of MODEL.md).
enum Purpose: UInt8 {
  /// Zone and phone model (index 0), accrual offset (1), plug and unplug times (2).
  case traits
  /// Whether the device has a placement (part).
  case placement
  /// Placement instant and initial balance (index 0) and capacity (index 1) of an instance (part).
  case instance
  /// Start delay and jitter of the ticket after an instance's (part) run (index).
  case schedule
  /// Latency of the first request of an instance's run, and the policy's date.
  case provider
  /// Latencies of further requests and attempts of an instance's run.
  case latency
  /// Whether an instance's run crashes.
  case crash
  /// Jitter of a kind (part), drawn once per device.
  case deviceJitter
  /// Outcome of a battery check (index): whether a charge to 80 % starts, and whether Low Power Mode is turned on.
  case battery
  /// Whether the device charges during the night of a date (index).
  case night
  /// Gap before a background refresh (part), by ordinal.
  case backgroundRefresh
  /// A device's unlock rate.
  case person
  /// The day factor of a date (index).
  case dayFactor
  /// Unlocks: gap and session length, by date and ordinal (part).
  case unlock
  case glance
  /// Number of visits in a session (part) and whether the app is opened (index 0); when and for how long it is open
  /// (1).
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
  /// Whether a view (index) of an overdue instance (part) reloads it.
  case view
  /// Draws for a choice of the interface (index): the gap before it, and whether it is Wi-Fi.
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
  /// The device that is sampled from a range (device) and has rows in devices.csv; for part 1, the start of the ranges.
  case rowSample
  /// The budget capacity of a kind's (part) instances, drawn once per device.
  case capacity
  /// The fleet-wide day factor of a date (index).
  case fleetDayFactor
  /// Time at which a device is added or removed, between the times of the devices before and after it.
  case life
  /// Demand on the budget of an instance (part) on four dates before its placement (index).
  case pastDemand
  /// The hint that an endpoint gives to a kind (part), by the time of the data (index).
  case hint
  /// Latencies of the requests of an instance's (part) tap (index), and the backend's decisions about them.
  case action
  case actionBackend
  case actionLimits
}

extension DeviceStream {
  /// Returns the draw for a range of devices in the sample for devices.csv; for part 1, the draw for the start of the
  /// ranges.
  package func rowSampleDraw(part: Int = 0) -> UInt64 { block(.rowSample, part: part).first }

  /// Returns the draw for a date's factor that all devices share; the stream must be the fleet's (`ofFleet`).
  package func commonDraw(of date: LocalDay) -> UInt64 { block(.fleetDayFactor, index: Int(date.number)).first }

  @inline(__always)
  func block(_ purpose: Purpose, part: Int = 0, index: Int = 0) -> Philox.Block {
    block(purpose: purpose.rawValue, part: UInt32(truncatingIfNeeded: part), index: UInt32(truncatingIfNeeded: index))
  }
}
