import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine

/// A run bounded in events ends at the bound, whichever of its parts would continue.
struct BoundedRunTests {
  /// Phones simulated one by one, in steps, and while learning the demand on budgets from 128 phones.
  static let samples: [FleetSample] = {
    let plain = FleetSample()
    var stepped = plain
    stepped.endpoints = "{api: {capacity: 1/s}}"
    var learning = plain
    learning.clock = "{start: 2027-01-18T00:00:00Z, settle: 1d, warmup: 1d, duration: 1d}"
    learning.os = "{idle: none, budget: {model: bucket}}"
    return [plain, stepped, learning]
  }()

  @Test(arguments: samples.indices, [1, 2]) func eventBoundStopsTheRun(sample: Int, threads: Int) throws {
    // An engine that has learned the demand does not learn it again.
    let engine = { try Self.samples[sample].engine() }
    let free = RunControl(maxEvents: .max)
    let whole = try #require(try engine().run(threads: threads, control: free))
    let counted = free.eventsCounted
    // The events of learning are counted too, and so are steps.
    #expect(counted >= whole.replications.reduce(0) { $0 + $1.eventCount })
    let bounded = RunControl(maxEvents: counted / 10)
    #expect(try engine().run(threads: threads, control: bounded) == nil)
    // Each thread may still be working on a phone, or on a step of all phones.
    let maximum = Int64(threads) * max(counted / Int64(whole.devicesSimulated) * 3, 3_000)
    #expect(bounded.eventsCounted <= counted / 10 + maximum, "\(bounded.eventsCounted) of \(counted)")
    // How often threads check within a step is a matter of chance.
    let enough = RunControl(maxEvents: 2 * counted)
    #expect(try engine().run(threads: threads, control: enough) != nil)
  }
}
