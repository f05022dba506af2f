import FleetEngine
import Scenario
import SimulationKernel

/// The details of requests in a log, such as paths, queries, addresses, user agents and IDs.
///
/// Recurring details are encoded only once. Details that are specific to a phone or request are hashed with the seed as
/// the key, so that a run always produces the same log.
struct RequestScene {
  private let seed: UInt64
  private let startUnixMilliseconds: Int64
  /// The index of the first device after each cohort.
  private let cohortEnds: [Int]
  /// The user agents, by cohort and then by kind.
  private let agents: [[[UInt8]]]
  /// The request targets, by kind and then by the index of the request within a run.
  private let requests: [[Target]]
  /// The targets of requests caused by taps, by kind.
  private let tapRequests: [[Target]]
  /// The names of the kinds for the data that the probe reports.
  private let kindNames: [[UInt8]]
  private let withProbe: Bool

  /// The target of a request that a widget kind sends.
  private struct Target {
    /// The path, including its leading slash.
    var path: [UInt8]
    var down: BytesByFamily
  }

  init(_ scenario: Scenario, cohortSizes: [Int], withProbe: Bool) {
    seed = scenario.run.seed
    startUnixMilliseconds = scenario.clock.startUnixMilliseconds
    self.withProbe = withProbe
    var last = 0
    cohortEnds = cohortSizes.map { size in
      last += size
      return last
    }
    agents = scenario.fleet.cohorts.map { cohort in
      scenario.kinds.map { UserAgent.ofExtension(kind: $0.name, (cohort.os ?? scenario.os).preset) }
    }
    kindNames = scenario.kinds.map { PercentEncoding.encoded($0.name, alsoDots: true) }
    let targets = { (requests: [Request]) in
      requests.flatMap { request in
        let path = Array("/".utf8) + PercentEncoding.encoded(scenario.endpoints[request.endpoint].name)
        return Array(repeating: Target(path: path, down: request.down), count: request.count)
      }
    }
    requests = scenario.kinds.map { targets($0.requests) }
    tapRequests = scenario.kinds.map { targets($0.taps?.requests ?? []) }
  }

  /// Returns an instant as milliseconds since 1970-01-01T00:00:00Z.
  func unixMilliseconds(_ instant: Instant) -> Int64 { startUnixMilliseconds + instant.millisecondsSinceStart }

  private func target(of request: SentRequest) -> Target {
    (request.cause == .action ? tapRequests : requests)[request.kind][request.number]
  }

  func path(of request: SentRequest) -> [UInt8] { target(of: request).path }

  /// Returns the size of the response body in bytes; 0 after an error.
  func bytesDown(_ request: SentRequest) -> Int64 {
    request.failure == nil ? target(of: request).down[request.family].bytes : 0
  }

  /// Returns the User-Agent that URLSession sends with a request.
  func agent(of request: SentRequest) -> [UInt8] {
    let device = Int(request.device)
    let cohort = cohortEnds.firstIndex { device < $0 } ?? cohortEnds.count - 1
    return agents[cohort][request.kind]
  }

  /// Appends the query of a request, without the question mark.
  func appendQuery(of request: SentRequest, to text: inout TextBuffer) {
    text.append("install=")
    text.append(hexadecimal: install(of: request), digits: 16)
    if withProbe { appendProbe(of: request, to: &text) }
  }

  /// Appends the data that the probe reports about a run: the kind, the widget, the run count, the due time and the
  /// cause.
  private func appendProbe(of request: SentRequest, to text: inout TextBuffer) {
    let dot = UInt8(ascii: ".")
    text.append("&w=")
    text.append(bytes: kindNames[request.kind])
    text.append(byte: dot)
    text.append(hexadecimal: instance(of: request), digits: 8)
    text.append(byte: dot)
    text.append(Int64(request.run))
    text.append(byte: dot)
    text.append(request.dueMinute ?? 0)
    text.append(byte: dot)
    text.append(Self.reason(request.cause))
  }

  /// Returns the cause of a run, as far as the widget's code can detect it.
  private static func reason(_ cause: Cause) -> String {
    switch cause {
    case .policy, .retry: "policy"
    case .background, .foreground: "call"
    case .widgetPush: "push"
    case .tap: "tap"
    case .view: "view"
    case .location, .system: "system"
    case .placement: "new"
    case .gallery: "gallery"
    case .action: "action"
    }
  }

  // MARK: Keyed hashes

  /// The purpose of a hash. The values differ from those that the simulation uses for its random numbers.
  private enum Hash: UInt8 {
    case request = 0xFD
    case instance, install
  }

  /// Returns the installation ID of the app that sends a request.
  func install(of request: SentRequest) -> UInt64 { hash(.install, request.device, 0, 0).first }

  /// Returns the IP address of the phone that sends a request.
  func address(of request: SentRequest) -> ClientAddress {
    ClientAddress(phone: hash(.install, request.device, 0, 0).second)
  }

  /// Returns an ID for a request: 128 bits that are unique within the simulation run.
  func requestID(_ request: SentRequest) -> Philox.Block {
    let slot = UInt32(request.slot ?? 0xFF)
    let part = slot << 24 | UInt32(request.attempt) << 16 | UInt32(request.number)
    // A snapshot has no slot, so snapshots are numbered separately for each kind.
    return hash(.request, request.device, part, request.run ^ (request.slot == nil ? UInt32(request.kind) << 20 : 0))
  }

  private func instance(of request: SentRequest) -> UInt64 {
    guard let slot = request.slot else { return 0 }
    return hash(.instance, request.device, UInt32(slot), 0).first & 0xFFFF_FFFF
  }

  private func hash(_ purpose: Hash, _ device: UInt32, _ part: UInt32, _ index: UInt32) -> Philox.Block {
    DeviceStream(seed: seed, device: device, replication: 0)
      .block(purpose: purpose.rawValue, part: part, index: index)
  }
}
