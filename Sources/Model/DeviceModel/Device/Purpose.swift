package import Scenario
import SimulationKernel

/// The purpose of a random number. Each purpose has separate keys, so that policies do not affect the behaviour of
/// users (see the start of MODEL.md). The comments below mark the key fields with (part) and (index).
enum Purpose: UInt8 {
  /// The zone and phone model (index 0), the accrual offset (index 1), and the plug and unplug times (index 2).
  case traits
  /// Whether a placement (part) exists on the device.
  case placement
  /// The placement instant and initial balance (index 0) and the capacity (index 1) of an instance (part).
  case instance
  /// The start delay and jitter of the ticket that follows a run (index) of an instance (part).
  case schedule
  /// The latency of the first request of an instance's run, and the date that the policy requests.
  case provider
  /// The latencies of all other requests and attempts of an instance's run.
  case latency
  /// Whether an instance's run crashes.
  case crash
  /// The jitter of a kind (part), drawn once per device.
  case deviceJitter
  /// The outcome of a battery check (index): whether a charge to 80 % starts, and whether Low Power Mode is turned on.
  case battery
  /// Whether the device charges during the night of a date (index).
  case night
  /// The gap before a background refresh for a reload (part), by ordinal (index).
  case backgroundRefresh
  /// A device's unlock rate.
  case person
  /// The day factor of a date (index).
  case dayFactor
  /// The gap and the session length of an unlock, by date and ordinal (part).
  case unlock
  case glance
  /// The number of visits in a session (part) and whether the app is opened (index 0); the start and length of the
  /// app's foreground spell (index 1).
  case session
  /// The time and depth of a visit in a session (part), by ordinal.
  case homeVisit
  /// The member that a stack (index) shows in a session (part).
  case stack
  /// The bursts of taps on an instance (index) in a session (part).
  case taps
  /// The changes during the app visit of a session (part), by reload and number (index).
  case change
  case audio
  /// The foreground latency of a kind's (part) call (index).
  case foreground
  /// The location changes of a kind (index), by date and ordinal (part).
  case location
  /// Whether a view (index) of an overdue instance (part) reloads it.
  case view
  /// The gap before the interface is drawn again, and whether the new interface is Wi-Fi, by number (index).
  case interface
  /// The lengths of online and offline spells, by number (index).
  case offline
  /// Whether the device is in the audience of an event (part) on a local day (index), or in a named audience (part).
  case audience
  case audienceGroup
  /// The time of an event (part) on the device, on a local day (index).
  case eventTime
  /// The gap before a push of an event (part) that is specific to the device, by ordinal (index).
  case pushGap
  /// Whether a silent push of an event (part) is delivered, by ordinal (index).
  case pushDelivery
  /// Whether a snapshot (index) of a kind (part) sends requests, and the latencies of these requests.
  case gallery
  case snapshotLatency
  /// The backend's decisions about a request and attempt (part): misses, outages, rate limits and refusals.
  case backend
  case backendLimits
  case snapshotBackend
  case snapshotLimits
  /// The number of views of an instance (part) on a date (index) before its placement.
  case history
  /// The selection of the device in a range (device) that has rows in devices.csv, and, for part 1, the start of the
  /// ranges.
  case rowSample
  /// The budget capacity of a kind's (part) instances, drawn once per device.
  case capacity
  /// The day factor of a date (index) that the whole fleet shares.
  case fleetDayFactor
  /// The time at which a device is added or removed; it is between the times of the preceding and following devices.
  case life
  /// The demand of an instance (part) on its budget on four dates (index) before its placement.
  case pastDemand
  /// The hint that an endpoint gives to a kind (part), by the time of the data (index).
  case hint
  /// The latencies of the requests of a tap (index) on an instance (part), and the backend's decisions about them.
  case action
  case actionBackend
  case actionLimits
  /// The draws of a provider's code for a run (index) of an instance, by number (part).
  case code
}

extension DeviceStream {
  /// Returns the draw that selects the device of a range for devices.csv; for part 1, the draw for the start of the
  /// ranges.
  package func rowSampleDraw(part: Int = 0) -> UInt64 { block(.rowSample, part: part).first }

  /// Returns the draw for a date's factor, which all devices share; the stream must be that of the fleet (`ofFleet`).
  package func commonDraw(of date: LocalDay) -> UInt64 { block(.fleetDayFactor, index: Int(date.number)).first }

  @inline(__always)
  func block(_ purpose: Purpose, part: Int = 0, index: Int = 0) -> Philox.Block {
    block(purpose: purpose.rawValue, part: UInt32(truncatingIfNeeded: part), index: UInt32(truncatingIfNeeded: index))
  }
}
