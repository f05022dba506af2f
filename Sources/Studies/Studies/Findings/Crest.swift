package import Scenario
import SimulationKernel

/// The busiest time at the servers of one or all endpoints in the first replication, and whether devices cause it by
/// sending simultaneously (MODEL.md 8).
package struct Crest: Hashable, Sendable {
  /// The length of the averaging window: one minute, or five minutes if a single busiest minute could be a random peak.
  package var window: LoadWindow
  /// The first minute of the window, counted from clock.start.
  package var minute: Int
  /// The mean load during the window, in requests per second.
  package var rate: Double
  /// The mean load over the measured period, in requests per second.
  package var mean: Double
  /// The time during which the load stays above half the peak, in seconds. It extends at most an hour to either side.
  package var width: Double
  /// The load in the 15 minutes before the rise, in requests per second, which is assumed to continue during the crest.
  package var usual: Double
  /// The number of requests above `usual`, from the rise until the excess falls below a tenth of its maximum, for at
  /// most an hour.
  package var requests: Double
  /// Whether the load rose to the crest suddenly, and by more than random variation can explain.
  package var isSudden: Bool
  /// The cause of more than half of the crest's requests; `nil` if there is no such cause.
  package var cause: Cause?

  /// The ratio of the load during the crest to the mean load.
  package var timesMean: Double { rate / max(mean, 1e-9) }

  /// The minimum number of simulated requests for which a one-minute window is used; random variation is at most 5 %.
  private static let enough = 400.0

  /// - Parameter endpoint: `nil` for all endpoints together.
  package init?(_ endpoint: Int?, of run: StoredRun) {
    guard let load = MinuteLoad(endpoint, of: run), let found = Crest(load) else { return nil }
    self = found
    cause = Self.cause(endpoint, of: run, minute..<minute + window.minutes)
  }

  /// Creates the crest of the busiest window, with the rate that is estimated from the sample.
  package init?(_ endpoint: Int?, of run: StoredRun, _ summary: Summary) {
    guard let found = Crest(endpoint, of: run) else { return nil }
    self = found
    rate = summary.estimatedCrest(endpoint, window, run.scenario) ?? rate
  }

  init?(_ load: MinuteLoad) {
    let maximum = load.counts.max() ?? 0
    self.init(load, window: maximum >= Self.enough * load.cluster ? .minute : .fiveMinutes)
  }

  /// - Parameter window: one or five minutes.
  private init?(_ load: MinuteLoad, window: LoadWindow) {
    self.window = window
    let length = window.minutes
    let blocks = load.blocks(of: length)
    guard let busiest = blocks.indices.max(by: { (blocks[$0], $1) < (blocks[$1], $0) }), blocks[busiest] > 0 else {
      return nil
    }
    let reach = 60 / length
    let isHigh = { (block: Int) in blocks[block] >= blocks[busiest] / 2 }
    let first = (max(busiest - reach, 0)...busiest).reversed().prefix(while: isHigh).last ?? busiest
    let last = (busiest...min(busiest + reach, blocks.count - 1)).prefix(while: isHigh).last ?? busiest
    minute = busiest * length
    width = Double((last - first + 1) * length * 60)
    let before = blocks[max(first - 15 / length, 0)..<first]
    let going = before.reduce(0, +) / Double(max(before.count, 1))
    let flood = (first..<min(first + reach, blocks.count)).prefix {
      blocks[$0] - going >= (blocks[busiest] - going) / 10
    }
    usual = going * load.perSecond / Double(length)
    requests = flood.reduce(0.0) { $0 + blocks[$1] - going } * load.perSecond * 60
    rate = blocks[busiest] * load.perSecond / Double(length)
    mean = load.counts.reduce(0, +) / Double(max(load.counts.count, 1)) * load.perSecond
    let certain = blocks[busiest] - 3 * (blocks[busiest] * load.cluster).squareRoot()
    isSudden = !before.isEmpty && certain >= 3 * going && rate >= 1.5 * mean
  }

  /// Returns the requests per second in the busiest window of this length; `nil` if there is no full window.
  static func rate(_ endpoint: Int?, window: LoadWindow, of run: StoredRun) -> Double? {
    MinuteLoad(endpoint, of: run).flatMap { Crest($0, window: window) }?.rate
  }

  private static func cause(_ endpoint: Int?, of run: StoredRun, _ minutes: Range<Int>) -> Cause? {
    var sums = Array(repeating: Int64(0), count: Cause.count)
    for row in run.replications.first?.minutes ?? [] where minutes.contains(row.minute) {
      if endpoint == nil || row.endpoint == endpoint { sums[Int(row.cause.rawValue)] += row.requests }
    }
    let all = sums.reduce(0, +)
    return Cause.allCases.first { sums[Int($0.rawValue)] > all - sums[Int($0.rawValue)] }
  }
}

extension LoadWindow {
  /// The window's length in whole minutes.
  package var minutes: Int { Int(length.milliseconds / 60_000) }
}

/// The requests per minute at the servers of one or all endpoints in the first replication.
struct MinuteLoad {
  /// The number of requests per minute from the simulated phones or, for an endpoint behind a CDN, from the whole
  /// fleet.
  var counts: [Double]
  /// The factor that converts a count to the fleet's requests per second.
  var perSecond: Double
  /// The number of requests that always arrive together, which count as one when random variation is estimated; 0 if
  /// the load has no random variation.
  var cluster: Double

  /// Returns sums over blocks of `length` minutes, excluding an incomplete last block.
  func blocks(of length: Int) -> [Double] {
    (0..<counts.count / length).map { counts[$0 * length..<($0 + 1) * length].reduce(0, +) }
  }
}

extension MinuteLoad {
  /// Creates the load; `nil` if the time step does not divide a minute, or no minute was measured.
  init?(_ endpoint: Int?, of run: StoredRun) {
    guard let replication = run.replications.first, let steps = LoadWindow.minute.steps(of: run.scenario.clock) else {
      return nil
    }
    let scale = Scale(of: run)
    let origin = endpoint.map { replication.load[$0].origin } ?? []
    let perMinute = { (values: [Double]) -> [Double] in
      (0..<values.count / steps).map { values[$0 * steps..<($0 + 1) * steps].reduce(0, +) }
    }
    if origin.isEmpty {
      counts = perMinute(replication.stepCounts(endpoint: endpoint).map { Double($0) })
      perSecond = Double(scale.fleet) / Double(max(scale.simulated, 1)) / 60
      cluster = Double(run.scenario.maxRequestsOfARun(to: endpoint))
    } else {
      counts = perMinute(origin)
      perSecond = 1.0 / 60
      cluster = 0
    }
    if counts.isEmpty { return nil }
  }
}

extension Scenario {
  fileprivate func maxRequestsOfARun(to endpoint: Int?) -> Int {
    let counts = kinds.map { kind in
      kind.requests.reduce(0) { endpoint == nil || $1.endpoint == endpoint ? $0 + $1.count : $0 }
    }
    return max(counts.max() ?? 1, 1)
  }
}
