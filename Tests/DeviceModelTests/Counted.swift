import Scenario
import SimulationKernel

@testable import DeviceModel

/// The tallies of a device's whole life.
struct Counted {
  struct Figure: Equatable {
    var name: String
    var value: Int128
  }

  private(set) var figures: [Figure] = []
  /// The number of events taken from the queue.
  private(set) var steps = 0

  /// Simulates a device.
  ///
  /// - Parameter isWatched: whether every run takes the slow path.
  init(_ world: World, device: Int = 0, isWatched: Bool = false) {
    var simulator = DeviceSimulator(plan: world.plan(), shape: world.shape)
    if isWatched { simulator.observed = [] }
    simulator.begin(device: device, cohort: 0, replication: 0)
    while simulator.step() != nil { steps += 1 }
    simulator.finish()
    note("events", simulator.tally.eventCount)
    note("runs", simulator.tally.runCount)
    for step in 0..<world.shape.steps {
      note("arrivals \(step)", simulator.tally.arrivals[step])
      note("failures \(step)", simulator.tally.failures[step])
    }
    for cell in 0..<Cause.count * world.shape.cellsOfCause { note(simulator.tally.minutes[cell], "cell \(cell)") }
    for kind in world.kinds.indices {
      for event in 0..<world.shape.events {
        note("sent \(event)", kind == 0 ? simulator.tally.pushes[event] : 0)
        note(simulator.tally.followed[kind].eventPushes[event], "pushes of \(event) for \(kind)")
      }
      note(simulator.tally.groups[kind], "kind \(kind)")
      note(simulator.tally.rows[kind], "row \(kind)")
      note(simulator.tally.followed[kind], "followed \(kind)")
    }
    let energy = simulator.tally.energy
    note("integral", energy.integral)
    note("person", energy.person)
    note("from the battery", energy.fromBattery)
    note("from the charger", energy.fromCharger)
    note("owed", energy.undrawn)
    note("battery", simulator.tally.batteries[0].billionths)
  }

  private mutating func note(_ name: String, _ value: some BinaryInteger) {
    if value != 0 { figures.append(Figure(name: name, value: Int128(value))) }
  }

  private mutating func note(_ cell: Tally.MinuteCell, _ name: String) {
    note(name + " requests", cell.requests)
    note(name + " up", cell.bytesUp)
    note(name + " down", cell.bytesDown)
    note(name + " retries", cell.retries)
    for reason in cell.failures.indices { note(name + " failures \(reason)", cell.failures[reason]) }
  }

  private mutating func note(_ traffic: TrafficTally, _ name: String) {
    note(name + " requests", traffic.requests)
    note(name + " successes", traffic.successes)
    note(name + " up", traffic.bytesUp)
    note(name + " down", traffic.bytesDown)
    note(name + " retries", traffic.retries)
    for reason in traffic.failures.indices { note(name + " failures \(reason)", traffic.failures[reason]) }
  }

  private mutating func note(_ group: GroupTally, _ name: String) {
    for cause in Cause.allCases {
      let index = Int(cause.rawValue)
      note(name + " runs \(cause)", group.runs[index])
      note(group.traffic[index], name + " traffic \(cause)")
      for (runs, days) in group.dayHistogram(of: cause).enumerated() { note(name + " \(cause) days \(runs)", days) }
    }
    for (runs, days) in group.dayHistogram().enumerated() { note(name + " days \(runs)", days) }
    for (runs, days) in group.chargedDayHistogram().enumerated() { note(name + " charged days \(runs)", days) }
    for reason in group.waits.indices {
      note(name + " waits \(reason)", group.waits[reason])
      note(name + " waited \(reason)", group.waitMilliseconds[reason])
    }
    for bin in 0..<SpanHistogram.binCount { note(name + " lateness \(bin)", group.lateness[bin]) }
    note(name + " lateness", group.latenessMilliseconds)
    for bin in 0..<SpanHistogram.binCount { note(name + " call to run \(bin)", group.callToRun[bin]) }
    note(name + " call to run", group.callMilliseconds)
    for component in group.energy.spent.indices { note(name + " energy \(component)", group.energy.spent[component]) }
    note(name + " views", group.views)
    note(name + " stale views", group.staleViews)
    note(name + " stale after", group.staleViewsAfter)
    note(name + " cache hits", group.cacheHits)
    note(group.saved[0], name + " saved")
    for bin in 0..<SpanHistogram.binCount { note(name + " data age \(bin)", group.dataAge[bin]) }
    note(name + " data age", group.dataAgeMilliseconds)
    note(name + " alone", group.energy.aloneRadio)
    note(name + " waiting alone", group.energy.aloneWait)
  }

  private mutating func note(_ followed: FollowTally, _ name: String) {
    note(name + " time", followed.milliseconds)
    for part in AskedPart.allCases { note(name + " \(part)", followed.parts[Int(part.rawValue)]) }
    note(name + " policy", followed.policyRuns)
    note(name + " other", followed.otherRuns)
    for hour in 0..<24 {
      note(name + " time at \(hour)", followed.hours[hour].milliseconds)
      note(name + " runs at \(hour)", followed.hours[hour].runs)
      note(name + " views at \(hour)", followed.hours[hour].views)
      note(name + " stale at \(hour)", followed.hours[hour].staleViews)
      note(name + " age at \(hour)", followed.hours[hour].ageMilliseconds)
    }
    for bin in 0..<24 * BalanceBins.count { note(name + " balance \(bin)", followed.balances[bin]) }
    note(followed.pushes, name)
  }

  private mutating func note(_ pushes: PushTally, _ name: String) {
    note(name + " pushes", pushes.pushes)
    note(name + " unshown", pushes.unshown)
    note(name + " shown", pushes.milliseconds)
  }

  private mutating func note(_ row: DeviceRow, _ name: String) {
    note(name + " requests", row.requests)
    note(name + " failures", row.failures)
    note(name + " up", row.bytesUp)
    note(name + " down", row.bytesDown)
    note(name + " energy", row.nanojoules)
    note(name + " charged", row.charged)
    for cause in row.runs.indices { note(name + " runs \(cause)", row.runs[cause]) }
    for reason in row.waits.indices { note(name + " waits \(reason)", row.waits[reason]) }
  }
}
