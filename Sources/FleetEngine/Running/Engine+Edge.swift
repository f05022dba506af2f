import BackendModel
import Scenario
import SimulationKernel

extension Engine {
  /// Requests that the CDN of an endpoint lets through where none of them fails; all of them where it has none.
  ///
  /// - Parameter arrivals: of the fleet, by step of a day that comes again and again.
  package func edgeMisses(of arrivals: [Int64], endpoint: Int) -> [Double] {
    guard let plan = plan.endpoints[endpoint].cdn, let cdn = scenario.endpoints[endpoint].cdn else {
      return arrivals.map { Double($0) }
    }
    var keys = FreshKeys(plan, grid: scenario.clock.grid)
    let steps = cdn.ttl.seconds / scenario.clock.step.seconds
    // What was fetched in the day before is there for two lives at most.
    for count in arrivals.suffix(Int(min(2 * steps, Double(arrivals.count)))) {
      _ = keys.misses(of: count)
      keys.close(count, answered: .all)
    }
    return arrivals.map { count in
      defer { keys.close(count, answered: .all) }
      return keys.misses(of: count)
    }
  }
}
