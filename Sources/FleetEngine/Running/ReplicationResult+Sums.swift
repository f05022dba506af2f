import Scenario
import SimulationKernel

/// Counts that are kept in several tables and must agree, looked at once after every replication.
extension ReplicationResult {
  /// Which sums differ, in words; nil when all agree.
  ///
  /// - Parameter hasAllRows: whether `devices` has the rows of every device.
  func brokenSum(hasAllRows: Bool) -> String? {
    let requests = load.reduce(Int64(0)) { $0 + Self.sum($1.arrivals) }
    let failures = load.reduce(Int64(0)) { $0 + Self.sum($1.failures) }
    var (kinds, minutes) = (Traffic(), Traffic())
    for traffic in groups.lazy.flatMap({ $0.traffic.joined() }) { kinds += traffic }
    for minute in causeMinutes { minutes += minute.traffic }
    if kinds != minutes { return "kinds and minutes differ" }
    if kinds.requests != requests { return "requests of kinds and series differ" }
    if Self.sum(kinds.failures) != failures { return "failures of kinds and series differ" }
    return hasAllRows ? brokenRows(requests: requests, failures: failures) : nil
  }

  private func brokenRows(requests: Int64, failures: Int64) -> String? {
    if devices.sum(.requests) != requests { return "requests of rows and series differ" }
    if devices.sum(.failures) != failures { return "failures of rows and series differ" }
    if devices.sum(.instances) != Self.sum(groups.map(\.instances)) { return "instances differ" }
    if devices.sum(.cacheHits) != Self.sum(groups.map(\.cacheHits)) { return "cache hits differ" }
    var charged: Int64 = 0
    for cause in Cause.allCases {
      let runs = (0..<devices.rowCount).reduce(Int64(0)) { $0 + devices[$1, runs: cause] }
      if runs != Self.sum(groups.map { $0.runs[Int(cause.rawValue)] }) { return "runs of \(cause.name) differ" }
      if cause.isCharged { charged += runs }
    }
    return devices.sum(.charged) == charged ? nil : "charged runs and their causes differ"
  }

  private static func sum<Counts: Sequence>(_ counts: Counts) -> Int64 where Counts.Element: BinaryInteger {
    counts.reduce(Int64(0)) { $0 + Int64($1) }
  }
}

extension DeviceTable {
  /// The sum of a column.
  func sum(_ column: Column) -> Int64 { (0..<rowCount).reduce(Int64(0)) { $0 + self[$1, column] } }
}
