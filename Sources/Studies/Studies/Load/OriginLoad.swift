package import FleetEngine
package import Scenario

/// The requests that reach the origins behind CDNs, in counts that are comparable to those of devices (MODEL.md 6.6,
/// 6.8).
package enum OriginLoad {
  /// The scale of counts in thousandths of a request. Fractions occur because the fleet's requests are treated as a
  /// fluid.
  package static let scale = Scale(fleet: 1, simulated: 1_000)

  /// Returns thousandths of a request per time step, for one or all endpoints; `nil` if no backend was simulated.
  package static func stepCounts(of replication: ReplicationResult, endpoint: Int?) -> [Int64]? {
    guard let records = replication.backend?.records else { return nil }
    func counts(_ endpoint: Int) -> [Int64] { records[endpoint].map { thousandths($0.origin) } }
    return endpoint.map(counts) ?? sumsByStep(records.indices.map(counts))
  }

  /// Returns thousandths of a request per time step for one endpoint of a run that was read from a results directory.
  /// Returns `nil` if they were not recorded.
  package static func stepCounts(of replication: StoredReplication, endpoint: Int) -> [Int64]? {
    let origin = replication.load[endpoint].origin
    return origin.isEmpty ? nil : origin.map(thousandths)
  }

  /// Returns `nil` (for all endpoints together), followed by the index of each endpoint behind a CDN; empty if there is
  /// no CDN.
  package static func endpoints(of scenario: Scenario) -> [Int?] {
    let behind = scenario.endpoints.indices.filter { scenario.endpoints[$0].cdn != nil }
    return behind.isEmpty ? [] : [nil] + behind.map { Optional($0) }
  }

  /// Returns the share of requests that reach the origin. The same share of the variance remains at the origin
  /// (MODEL.md 8.1).
  package static func share(of replication: ReplicationResult, endpoint: Int?, _ result: RunResult) -> Double {
    guard let records = replication.backend?.records else { return 1 }
    let chosen = endpoint.map { [records[$0]] } ?? records
    return passingShare(chosen.joined().lazy.map { ($0.origin, $0.arrivals) })
  }

  private static func thousandths(_ requests: Double) -> Int64 { Int64((requests * 1_000).rounded()) }
}
