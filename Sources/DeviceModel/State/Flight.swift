import Scenario
import SimulationKernel

/// Requests that belong together, those of a run, of a download or of a snapshot, while they are under way.
struct Flight: BitwiseCopyable, Equatable {
  /// The latest end of a try so far; once nothing is pending, the end of the flight.
  var end: Instant = .longAgo
  /// Requests that wait for their next try.
  var pending: UInt32 = 0
  /// Why the requests are sent.
  var cause: Cause
  /// Whether a request has failed for good.
  var fails = false

  init(cause: Cause) { self.cause = cause }

  init(cause: Cause, at now: Instant) {
    self.cause = cause
    end = now
  }
}

/// A flight of the present device by its number: the runs of its instances, then the downloads and the snapshots of
/// kinds.
struct FlightNumber: BitwiseCopyable, Equatable {
  var number: UInt16

  /// What a number means.
  enum Owner: BitwiseCopyable {
    case run(slot: Int)
    case download(kind: Int)
    case snapshot(kind: Int)
  }

  static func run(slot: Int) -> FlightNumber { FlightNumber(number: UInt16(truncatingIfNeeded: slot)) }

  static func download(kind: Int) -> FlightNumber {
    FlightNumber(number: UInt16(truncatingIfNeeded: DeviceSimulator.mostInstances + 2 * kind))
  }

  static func snapshot(kind: Int) -> FlightNumber {
    FlightNumber(number: UInt16(truncatingIfNeeded: DeviceSimulator.mostInstances + 2 * kind + 1))
  }

  var owner: Owner {
    let beyond = Int(number) - DeviceSimulator.mostInstances
    if beyond < 0 { return .run(slot: Int(number)) }
    return beyond & 1 == 0 ? .download(kind: beyond / 2) : .snapshot(kind: beyond / 2)
  }
}

/// Whose requests a flight sends, and which draws they take.
struct FlightSource: BitwiseCopyable {
  var kind: Int
  var family: Family
  var cause: Cause
  var purpose: Purpose
  /// Of the draws: the member, or the kind of a snapshot.
  var part: Int
  /// Of the draws: ordinal of the run or of the snapshot.
  var ordinal: UInt32
  /// Uniform of the first request's first try where it came with other draws.
  var firstUniform: UInt64?

  /// The uniform of a request's try, counted from 0; two tries share a block.
  func uniform(request: Int, attempt: Int, stream: DeviceStream) -> UInt64 {
    if request == 0, attempt == 0, let firstUniform { return firstUniform }
    let draws = stream.block(purpose, part: part | request << 8 | (attempt >> 1) << 24, index: Int(ordinal))
    return attempt & 1 == 0 ? draws.first : draws.second
  }
}

/// What a kind fetches outside its runs.
struct KindFlights: BitwiseCopyable {
  /// The download of a background session, for whom it was begun, and since when its data are there (MODEL.md 5.6).
  var download = Flight(cause: .policy)
  var isDownloading = false
  var starter: UInt8 = 0
  /// Ordinal of the run that began the download.
  var starterRun: UInt32 = 0
  var downloaded: Instant = .longAgo
  /// The present snapshot for the gallery, and how many there were.
  var snapshot = Flight(cause: .gallery)
  var snapshots: UInt32 = 0
}
