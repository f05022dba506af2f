import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine
@testable import Studies
@testable import SyntheticResults

/// The load at the servers (MODEL.md 6.2, 8) and its names.
@Suite struct ServerLoadTests {
  private func endpoint(_ name: String, capacity: Double? = nil, base: Double? = nil, cdn: CDN? = nil) -> Endpoint {
    Endpoint.with {
      $0.name = name
      $0.capacity = capacity
      $0.baseLoad = base.map { rate in
        .with {
          $0.rate = rate
          $0.hours = .flat
        }
      }
      $0.cdn = cdn
    }
  }

  private func scenario(_ endpoints: [Endpoint]) -> Scenario {
    var scenario = SyntheticRun().scenario
    scenario.endpoints = endpoints
    return scenario
  }

  /// A CDN makes the servers' load differ more than a base load does, and that more than a capacity.
  @Test func cdnChangesServerLoadMost() {
    let cdn = CDN.with { $0.ttl = .minute }
    let ranks = [
      endpoint("a"), endpoint("a", capacity: 9), endpoint("a", base: 9), endpoint("a", capacity: 9, base: 9),
      endpoint("a", cdn: cdn),
    ].map { scenario([$0]).loadDifference }
    #expect(ranks == [0, 1, 2, 3, 4])
  }

  @Test func serverLoadIsNamedFirst() {
    let cdn = CDN.with {
      $0.keys = 800
      $0.ttl = .minute
    }
    let both = scenario([endpoint("api", capacity: 2_500, base: 900, cdn: cdn), endpoint("images")])
    #expect(LoadPoint.all(both, endpoint: 0) == [.servers, .phones])
    #expect(LoadPoint.servers.words(both, endpoint: 0) == "at the servers, base load included")
    #expect(LoadPoint.phones.words(both, endpoint: 0) == "at the CDN")
    #expect(LoadPoint.all(both, endpoint: 1) == [.only])
    // A sum over endpoints with and without a CDN is not counted at a CDN.
    #expect(LoadPoint.phones.words(both, endpoint: nil) == "sent by the phones")
    let shared = scenario([endpoint("api", capacity: 2_500, base: 900)])
    #expect(LoadPoint.phones.words(shared, endpoint: nil) == "sent by the phones")
    let alone = scenario([endpoint("api", capacity: 2_500)])
    #expect(LoadPoint.all(alone, endpoint: nil) == [.only])
    #expect(LoadPoint.only.words(alone, endpoint: nil) == "at the servers")
    #expect(LoadPoint.only.words(scenario([endpoint("api")]), endpoint: nil) == "")
  }

  /// If the servers have no load of their own, they receive exactly the phones' requests: the same goal applies to
  /// both.
  @Test func serverGoalAppliesToEqualPhoneLoad() {
    let labels = Labels().with(\.endpoint, "api").with(\.window, "1s")
    let plain = Summary(rows: [SummaryRow(.peakRPS, labels, .max, replications: [.whole(7)])])
    #expect(plain.figure(FigureName(.serverPeakRPS, .max, labels))?.value == .whole(7))
    let other = Summary(rows: plain.rows + [SummaryRow(.serverPeakRPS, labels, .max, replications: [.whole(3)])])
    #expect(other.figure(FigureName(.serverPeakRPS, .max, labels))?.value == .whole(3))
  }
}
