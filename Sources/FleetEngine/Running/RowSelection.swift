import DeviceModel
import Scenario
import SimulationKernel

/// The devices whose rows of devices.csv a run keeps.
package enum RowSelection: Hashable, Sendable {
  case all
  case sample(RowSample)
  /// Nobody will ask for them.
  case none

  /// What a scenario asks for.
  init(of scenario: Scenario, devices: Int) {
    guard let count = scenario.run.rowSample(of: devices) else {
      self = .all
      return
    }
    self = count == 0 ? .none : .sample(RowSample(of: devices, count: count, seed: scenario.run.seed))
  }
}

/// A sample of a fleet: as many ranges of equal size as devices are wanted, of each of which one is drawn (MODEL.md 8.2).
package struct RowSample: Hashable, Sendable {
  /// Devices of the fleet.
  private let devices: Int
  /// Devices of the sample: at least one, fewer than there are.
  let count: Int
  private let seed: UInt64
  /// How far the first device lies behind the beginning of the first range.
  let shift: Int

  init(of devices: Int, count: Int, seed: UInt64) {
    self.devices = devices
    self.count = count
    self.seed = seed
    shift = Self.drawn(DeviceStream(seed: seed, device: 0, replication: 0).rowSampleDraw(part: 1), of: devices)
  }

  func contains(_ device: Int) -> Bool {
    // A place, a range and their product are below 10^9, 10^9 and 10^18.
    let shifted = device + shift
    let place = shifted < devices ? shifted : shifted - devices
    let range = ((place + 1) * count - 1) / devices
    let first = range * devices / count
    let size = (range + 1) * devices / count - first
    let stream = DeviceStream(seed: seed, device: UInt32(truncatingIfNeeded: range), replication: 0)
    return place == first + Self.drawn(stream.rowSampleDraw(), of: size)
  }

  /// A number below `size`.
  private static func drawn(_ uniform: UInt64, of size: Int) -> Int {
    Int(truncatingIfNeeded: uniform.multipliedFullWidth(by: UInt64(size)).high)
  }
}

extension Engine {
  /// This engine without rows of devices.csv, for runs that write no such file; all else is the same.
  package var withoutRows: Engine {
    var engine = self
    engine.rowSelection = .none
    return engine
  }

  /// This engine without a look at where the time of widgets goes and at their hours, for runs that tell neither; all
  /// else is the same.
  package var withoutFollowing: Engine {
    var engine = self
    engine.plan = plan.withoutFollowing
    return engine
  }

  func keepsRow(of device: Int) -> Bool {
    switch rowSelection {
    case .all: true
    case .sample(let sample): sample.contains(device)
    case .none: false
    }
  }

  /// How many devices have their rows kept.
  var devicesWithRows: Int {
    switch rowSelection {
    case .all: devicesLived
    case .sample(let sample): sample.count
    case .none: 0
    }
  }

  /// How many rows devices.csv will have; more where devices without widgets of a kind ask for it, fewer where a widget
  /// is not on every device.
  var expectedRows: Int {
    let all = zip(scenario.fleet.cohorts, cohortSizes).reduce(0.0) { sum, part in
      let kinds = Set(part.0.widgets.flatMap { $0.members.map(\.kind) })
      return sum + Double(part.1) * Double(kinds.count)
    }
    return Int(all * Double(devicesWithRows) / Double(max(devicesLived, 1)))
  }
}
