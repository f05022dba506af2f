import BackendModel
import DeviceModel
import Numerics
import Scenario
import SimulationKernel

/// A forecast of a run's peak memory in bytes, made before the run (RELIABILITY.md).
///
/// The forecast is within 20 % of the measured peak if the counts need more memory than the program itself. With many
/// small cohorts, the forecast is too high, because most pages of their histograms are never touched.
package struct MemoryForecast: Hashable, Sendable {
  /// The memory of the program and its prepared tables, in bytes.
  package var program: Int
  /// The memory of the per-thread counts, which are merged into the result at the end of a replication.
  package var threads: Int
  /// The memory of parked devices, which are needed if there is feedback.
  package var devices: Int
  /// The memory of a replication's serialized sums, which a long run stores and does not release.
  package var kept: Int
  /// The memory of the results of all replications.
  package var results: Int
  /// The additional memory needed to compute metrics and write files.
  package var files: Int

  /// The memory of the messages that rank 0 receives from other ranks and merges.
  package var gathered: Int

  /// The memory of one cohort's histograms and minute rows, in all threads and results.
  package var perCohort: Int
  /// Whether the cohorts account for more than half of the peak memory.
  package var growsWithCohorts: Bool

  /// The peak memory, given that counting, merging and writing do not overlap.
  ///
  /// The results of all earlier replications are in memory while the last one is being counted.
  package var peak: Int { program + results + kept + max(threads + devices, gathered, files) }

  /// Forecasts the memory of rank 0, which holds its share of the devices and the results of all ranks.
  ///
  /// - Parameter others: whether further scenarios of the same size are simulated, one replication of each at a time.
  /// - Parameter replications: the number of replications; `nil` to use the number in the scenario.
  package init(
    of engine: Engine, threads: Int, ranks: Int = 1, others: Bool = false, replications: Int? = nil
  ) {
    let sizes = CountSizes(of: engine)
    let replications = replications ?? engine.scenario.run.replications
    program = 32_000_000
    let cohorts = sizes.shape.cohorts
    let atOnce =
      others && ranks == 1
      ? RunsAtOnce.count(devices: engine.devicesTotal, cohorts: cohorts, threads: threads) : 1
    devices = ParkedDevices(of: engine, threads: threads, ranks: ranks).bytes * atOnce
    // Only the results of the main scenario have rows. At any time, about half of the concurrent runs are estimating
    // their loads.
    let ofOthers = sizes.result - sizes.deviceRows + (atOnce > 1 ? sizes.windows / 2 + RunsAtOnce.overhead : 0)
    results = replications * sizes.result + (others ? atOnce * ofOthers : 0)
    // This is the memory for the serialized result of one other rank, its rows, and a second copy of all rows.
    gathered = ranks > 1 ? sizes.result + 2 * sizes.deviceRows / ranks : 0
    let busy = max(min(threads, sizes.shards), 1)
    // The counts of the first thread to finish become the result.
    kept = sizes.part + sizes.groupCounts
    self.threads = busy * sizes.tally + (busy - 1) * sizes.part + sizes.groups
    let parts = results / max(sizes.result, 1) + busy
    let ofCohorts = busy * sizes.tallyOfCohorts + parts * sizes.partOfCohorts
    perCohort = ofCohorts / max(sizes.shape.cohorts, 1)
    growsWithCohorts = false
    // The windows used to compute metrics are released before the first file is written.
    files = (max(sizes.windows, sizes.largestFile) + sizes.kept) * replications
    growsWithCohorts = sizes.shape.cohorts > 1 && ofCohorts > peak / 2
  }
}

/// The sizes of the counts of one replication, in bytes.
private struct CountSizes {
  let shape: Tally.Shape
  let scenario: Scenario
  let shards: Int
  /// The number of rows in devices.csv.
  let rows: Int
  /// The number of combinations of minute, endpoint, cohort and cause that have requests.
  let causeMinutes: Int
  private let hasFeedback: Bool
  /// The size of the CDN caches' state for their keys.
  private let caches: Int

  init(of engine: Engine) {
    hasFeedback = engine.plan.hasFeedback
    let grid = engine.scenario.clock.grid
    caches = engine.plan.endpoints.indices.reduce(0) { $0 + (engine.plan.endpoints[$1].cdn?.bytes(on: grid) ?? 0) }
    shape = engine.tallyShape
    scenario = engine.scenario
    shards = DeviceShare(ofDevices: engine.devicesTotal, for: SingleRank()).shards
    rows = engine.expectedRows
    causeMinutes = Self.causeMinutes(of: engine)
  }

  /// The size of one thread's counters.
  var tally: Int { shape.endpoints * shape.steps * 2 * MemoryLayout<UInt32>.stride + tallyOfCohorts }

  /// The size of one thread's per-cohort counters.
  var tallyOfCohorts: Int {
    minuteBlocks * shape.minutes * MemoryLayout<Tally.MinuteCell>.stride
      + shape.windowsOfCells.count * shape.groups * group + batteries
  }

  /// The number of minute blocks: one for each combination of cohort, endpoint and cause that has requests.
  private var minuteBlocks: Int {
    let asking = scenario.fleet.cohorts.reduce(0) { sum, cohort in
      sum + scenario.endpoints.indices.count { scenario.runsPerDay(of: cohort, requesting: $0) > 0 }
    }
    return asking * scenario.possibleCauses
  }

  /// The size of one thread's counters after conversion to values, the form in which they are merged.
  var part: Int { shape.endpoints * shape.steps * 2 * MemoryLayout<UInt32>.stride + partOfCohorts }

  /// The size of those counts whose number depends on the number of cohorts.
  var partOfCohorts: Int { minutes + (1 + shape.windows) * shape.groups * group + batteries }

  /// The size of the result of one replication.
  var result: Int { part + deviceRows + backend + spreads }

  /// The size of the request counts by device group.
  var groupCounts: Int { shape.deviceGroups * shape.steps * shape.endpoints * MemoryLayout<UInt32>.stride }

  /// The size of the counts by device group, plus one endpoint's counts by window.
  var groups: Int {
    groupCounts + shape.deviceGroups * shape.steps * 2 * MemoryLayout<Int64>.stride
  }

  /// The size of the variances in each window, for each endpoint and for all endpoints combined. There are one ninth
  /// more windows than steps.
  private var spreads: Int {
    let series = shape.endpoints > 1 ? shape.endpoints + 1 : shape.endpoints
    return series * shape.steps * MemoryLayout<Float>.stride * 10 / 9
  }

  /// The size of the backend's records and conditions for each step; only the conditions include the warm-up.
  private var backend: Int {
    guard hasFeedback else { return 0 }
    let steps = scenario.clock.grid.count
    // The memory of the trajectory is doubled whenever it is full, and the conditions may differ in each step.
    return caches
      + shape.endpoints
      * (shape.steps * MemoryLayout<EndpointRecord>.stride
        + steps * (MemoryLayout<UInt32>.stride + MemoryLayout<Conditions>.stride) * 3 / 2)
  }

  var deviceRows: Int { rows * MemoryLayout<DeviceTable.Row>.stride }

  /// The size of the counts by step and by window, unsorted and sorted, for each endpoint and for all endpoints
  /// combined. There are one ninth more windows than steps.
  var windows: Int {
    let series = shape.steps * MemoryLayout<Int64>.stride
    return series + (shape.endpoints + 1) * series * 2 * 10 / 9 * 11 / 10
  }

  /// The size of the data retained for the report: queue lengths and counts by step.
  var kept: Int {
    shape.endpoints * shape.steps
      * (2 * MemoryLayout<Int64>.stride + (hasFeedback ? 6 * MemoryLayout<Double>.stride : 0))
  }

  /// The size of load.csv or causes.csv, whichever is larger, as a string; devices.csv is written in pieces.
  var largestFile: Int { max(shape.endpoints * shape.steps * 22, causeMinutes * 64) }

  /// The size of a group's counts: histograms of spans, pushes, minutes and runs, and balances by hour.
  private var group: Int {
    let pushes = scenario.events.contains { $0.push != nil } ? 1 + scenario.events.count(where: \.isStartedPush) : 0
    return ((3 + pushes) * SpanHistogram.binCount + GroupTally.minutesPerDay) * MemoryLayout<Int64>.stride + 12_000
      + FollowTally.hoursPerDay * BalanceBins.count * MemoryLayout<UInt32>.stride
      + shape.endpoints * Cause.count * MemoryLayout<TrafficTally>.stride
  }

  /// The size of the per-cohort histograms: days by battery share, and phone-days by number of runs.
  private var batteries: Int { shape.cohorts * (ShareHistogram.binCount + 128) * MemoryLayout<Int64>.stride }

  /// The size of the minute rows and their failure arrays, including allocator overhead.
  private var minutes: Int { causeMinutes * (MemoryLayout<CauseMinute>.stride + 96) }

  /// Returns the number of minute rows. It is the maximum for large fleets, and depends on the expected number of
  /// requests for small fleets.
  private static func causeMinutes(of engine: Engine) -> Int {
    let scenario = engine.scenario
    let minutes = Double(engine.tallyShape.minutes)
    let causes = Double(scenario.likelyCauses)
    return zip(scenario.fleet.cohorts, engine.cohortSizes).reduce(0) { sum, part in
      let (cohort, devices) = part
      return scenario.endpoints.indices.reduce(sum) { sum, endpoint in
        let perMinute = Double(devices) * scenario.runsPerDay(of: cohort, requesting: endpoint) / 1_440
        return sum + Int(minutes * causes * (1 - SteadyMath.exp(-perMinute / causes)))
      }
    }
  }
}

/// The memory of all parked devices: their blocks, their rows of devices.csv, and their pending requests by step.
private struct ParkedDevices {
  let bytes: Int

  init(of engine: Engine, threads: Int, ranks: Int) {
    guard engine.plan.hasFeedback else {
      bytes = 0
      return
    }
    let expected =
      threads * engine.scenario.clock.grid.count * engine.scenario.endpoints.count * MemoryLayout<UInt32>.stride
    let blocks =
      zip(engine.cohortSizes, DeviceSimulator.blockSizes(engine.plan)).reduce(0) {
        $0 + $1.0 * ParkedMemory.bytes(block: $1.1)
      } / ranks
    let rows = engine.devicesWithRows / ranks * engine.scenario.kinds.count * MemoryLayout<DeviceRow>.stride
    // Each thread has its own part of the devices, and all threads share one further part.
    let parts = threads == 1 ? 1 : threads + 1
    let wheels = engine.devicesTotal / ranks * TimingWheel.bytesPerDevice
    bytes = expected + parts * [blocks, rows, wheels].reduce(0) { $0 + ShardMemory.size(of: $1 / parts) }
  }
}

extension Scenario {
  /// The number of causes that are expected for more than a few runs.
  fileprivate var likelyCauses: Int {
    var causes: Set<Cause> = [.policy]
    if fleet.cohorts.contains(where: { $0.person.unlocksPerDay != .constant(0) }) { causes.insert(.view) }
    for reload in app.reloads {
      if case .backgroundRefresh = reload.occasion { causes.insert(.background) } else { causes.insert(.foreground) }
    }
    if kinds.contains(where: { $0.taps != nil }) { causes.insert(.tap) }
    if kinds.contains(where: { $0.locationChangesPerDay > 0 }) { causes.insert(.location) }
    return causes.count
  }

  /// The number of causes that runs of the kind can have, including retries after errors.
  fileprivate var possibleCauses: Int {
    likelyCauses + 1 + [fleet.growthPerDay != nil || clock.placementSpan == .zero, !events.isEmpty].count { $0 }
  }

  /// Returns the runs per day in which a device sends requests to an endpoint: about 40 per widget, fewer with a cache.
  fileprivate func runsPerDay(of cohort: Cohort, requesting endpoint: Int) -> Double {
    cohort.widgets.reduce(0) { sum, placement in
      placement.members.reduce(sum) { sum, member in
        let kind = kinds[member.kind]
        guard kind.requests.contains(where: { $0.endpoint == endpoint }) else { return sum }
        let misses = kind.cache.map { $0.ttl.map { TimeAmount.day.seconds / max($0.seconds, 1) } ?? 1 }
        return sum + placement.share.fraction * min(40, misses ?? 40)
      }
    }
  }
}
