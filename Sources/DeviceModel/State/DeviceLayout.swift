import SimulationKernel

/// Where the parts of a device lie in one block of memory.
package struct DeviceLayout: BitwiseCopyable, Sendable {
  private var offsets = Offsets()
  /// Events that the queue holds before it takes memory of its own.
  let queueCapacity: Int
  /// Bytes of a block.
  package private(set) var bytes = 0

  /// From the beginning of the block.
  private struct Offsets: BitwiseCopyable {
    var instances = 0
    var days = 0
    var caches = 0
    var calls = 0
    var locations = 0
    var flights = 0
    var flows = 0
    var ordinals = 0
    var pushes = 0
    var queue = 0
    var person = 0
    var views = 0
  }

  /// The layout of a cohort's devices: what every event touches first, what people do last.
  init(plan: FleetPlan, cohort: Int) {
    let hasPeople = plan.cohorts[cohort].hasPeople
    let instances = plan.cohorts[cohort].members.count
    let kinds = plan.kinds.count
    queueCapacity = (hasPeople ? 8 : 4) + 2 * instances + plan.reloads.count + plan.events.count
    bytes = MemoryLayout<RestingDevice>.stride
    offsets.queue = place(DeviceQueue<DeviceEvent>.Entry.self, queueCapacity)
    offsets.flows = place(RadioFlow.self, plan.energyOwners(instances: instances))
    offsets.instances = place(InstanceState.self, instances)
    offsets.days = place(DayCounts.self, instances)
    offsets.caches = place(CacheState.self, plan.hasCaches ? kinds + instances : 0)
    offsets.calls = place(CallState.self, plan.hasCalls ? kinds : 0)
    offsets.locations = place(HourProcess.self, plan.hasMovements ? kinds : 0)
    offsets.flights = place(KindFlights.self, plan.hasKindFlights ? kinds : 0)
    offsets.ordinals = place(UInt32.self, plan.reloads.count + plan.events.count)
    offsets.pushes = place(Instant.self, plan.mostSilentPushes)
    offsets.person = place(PersonState.self, hasPeople ? 1 : 0)
    offsets.views = place(ViewHistory.self, hasPeople ? instances : 0)
  }

  /// Appends room for `count` values.
  private mutating func place<Value>(_ type: Value.Type, _ count: Int) -> Int {
    let offset = (bytes + 7) / 8 * 8
    bytes = offset + count * MemoryLayout<Value>.stride
    return offset
  }

  /// The parts of the device in a block.
  func parts(of block: UnsafeMutableRawPointer) -> DeviceParts {
    DeviceParts(
      resting: block.assumingMemoryBound(to: RestingDevice.self), instances: Self.bind(block + offsets.instances),
      days: Self.bind(block + offsets.days),
      caches: Self.bind(block + offsets.caches), calls: Self.bind(block + offsets.calls),
      locations: Self.bind(block + offsets.locations), flights: Self.bind(block + offsets.flights),
      flows: Self.bind(block + offsets.flows),
      ordinals: Self.bind(block + offsets.ordinals), pushes: Self.bind(block + offsets.pushes),
      queue: block + offsets.queue, person: Self.bind(block + offsets.person), views: Self.bind(block + offsets.views))
  }

  /// What a run of an instance touches of a block, the head left out.
  @inline(__always)
  func memory(ofSlot slot: Int, in block: UnsafeMutableRawPointer) -> TurnMemory {
    TurnMemory(
      instance: block + (offsets.instances &+ slot &* MemoryLayout<InstanceState>.stride),
      flow: block + (offsets.flows &+ slot &* MemoryLayout<RadioFlow>.stride),
      day: block + (offsets.days &+ slot &* MemoryLayout<DayCounts>.stride))
  }

  @inline(__always)
  private static func bind<Value>(_ place: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Value> {
    place.assumingMemoryBound(to: Value.self)
  }
}

/// What the next turn of a resting device will touch, as its block tells.
package struct TurnMap: BitwiseCopyable {
  /// By cohort.
  fileprivate let layouts: UnsafePointer<DeviceLayout>

  init(layouts: UnsafePointer<DeviceLayout>) { self.layouts = layouts }

  /// The memory of the instance that has the next turn in a block, whose head has been read.
  package func memory(in block: UnsafeMutableRawPointer) -> TurnMemory {
    let resting = block.assumingMemoryBound(to: RestingDevice.self)
    var slot = 0
    if case .arrival(let flight, _, _, _, _) = resting.pointee.queue.soonest {
      slot = Int(flight.number) < DeviceSimulator.mostInstances ? Int(flight.number) : 0
    }
    return (layouts + resting.pointee.state.cohort).pointee.memory(ofSlot: slot, in: block)
  }
}

/// Where the memory lies that a turn of an instance touches.
package struct TurnMemory: BitwiseCopyable {
  package let instance: UnsafeMutableRawPointer
  package let flow: UnsafeMutableRawPointer
  package let day: UnsafeMutableRawPointer

  package static var instanceBytes: Int { MemoryLayout<InstanceState>.stride }
  package static var dayBytes: Int { MemoryLayout<DayCounts>.stride }
}

/// The parts of a device, each a list of its own.
struct DeviceParts: BitwiseCopyable {
  /// What stands at the beginning of the block.
  let resting: UnsafeMutablePointer<RestingDevice>
  let instances: UnsafeMutablePointer<InstanceState>
  let days: UnsafeMutablePointer<DayCounts>
  /// By kind, for caches that a kind's instances share; then by instance.
  let caches: UnsafeMutablePointer<CacheState>
  /// By kind.
  let calls: UnsafeMutablePointer<CallState>
  /// By kind.
  let locations: UnsafeMutablePointer<HourProcess>
  /// By kind.
  let flights: UnsafeMutablePointer<KindFlights>
  /// By slot, then of the gallery's snapshots.
  let flows: UnsafeMutablePointer<RadioFlow>
  /// How often something came, which keys its draws: by reload of the app, then by event.
  let ordinals: UnsafeMutablePointer<UInt32>
  /// The last silent pushes delivered, in a ring as long as the limit of an hour.
  let pushes: UnsafeMutablePointer<Instant>
  /// The first memory of the queue.
  let queue: UnsafeMutableRawPointer
  /// Where the cohort has people; as the views by slot.
  let person: UnsafeMutablePointer<PersonState>
  let views: UnsafeMutablePointer<ViewHistory>
}
