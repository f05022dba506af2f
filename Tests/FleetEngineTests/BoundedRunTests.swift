import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine

/// A run with a bound in events ends there, whichever of its parts would go on.
struct BoundedRunTests {
  /// Phones one by one, in steps, and learning from 128 phones what budgets are asked for.
  static let samples: [FleetSample] = {
    let plain = FleetSample()
    var stepped = plain
    stepped.endpoints = "{api: {capacity: 1/s}}"
    var learning = plain
    learning.clock = "{start: 2027-01-18T00:00:00Z, settle: 1d, warmup: 1d, duration: 1d}"
    learning.os = "{idle: none, budget: {model: bucket}}"
    return [plain, stepped, learning]
  }()

  @Test(arguments: samples.indices, [1, 2]) func aBoundEndsIt(sample: Int, threads: Int) throws {
    let engine = try Self.samples[sample].engine()
    let free = RunControl(mostEvents: .max)
    let whole = try #require(try engine.run(threads: threads, control: free))
    let counted = free.eventsCounted
    // What learning takes is counted, too; so are steps.
    #expect(counted >= whole.replications.reduce(0) { $0 + $1.eventCount })
    let bounded = RunControl(mostEvents: counted / 10)
    #expect(try engine.run(threads: threads, control: bounded) == nil)
    // Of each thread a phone, or a step of all of them, may be under way.
    let most = Int64(threads) * max(counted / Int64(engine.devicesLived) * 3, 3_000)
    #expect(bounded.eventsCounted <= counted / 10 + most, "\(bounded.eventsCounted) of \(counted)")
    // How often threads come around within a step is chance.
    let enough = RunControl(mostEvents: 2 * counted)
    #expect(try engine.run(threads: threads, control: enough) != nil)
  }
}
