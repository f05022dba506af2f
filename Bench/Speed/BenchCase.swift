/// What is measured once or several times: a workload at a size, on some threads.
struct BenchCase: Hashable, Sendable {
  var workload: Workload
  /// Really simulated.
  var devices: Int
  var threads: Int
  /// Whether the limits of the backend hold; only `storm` has any.
  var hasLimits = true
  /// Whether phones keep an account of their energy; without one it is seen what the account costs.
  var keepsEnergy = true

  /// Measured so often; the least counts. A long run averages what disturbs a short one.
  var repetitions: Int {
    if devices <= 10_000 { return 5 }
    if devices <= 100_000 { return 3 }
    return workload == .renewal ? 2 : 1
  }

  /// This case on one thread, against which several threads are compared.
  var scenarioCase: BenchCase {
    var one = self
    one.threads = 1
    return one
  }

  /// Rows of devices.csv are kept of 100 000 devices at most, as always here: times of versions can be compared.
  var assignments: [String] {
    workload.assignments(devices: devices) + ["run.device_rows=100k"] + (hasLimits ? [] : [workload.withoutLimits])
  }

  /// Every case, from small to large.
  ///
  /// - Parameter threads: compared with one thread.
  static func all(_ workloads: [Workload], threads: Int, isQuick: Bool) -> [BenchCase] {
    workloads.flatMap { workload in
      workload.sizes.prefix(isQuick ? 1 : .max).flatMap { devices in
        threadCounts(workload, devices, threads).flatMap { count in
          let one = BenchCase(workload: workload, devices: devices, threads: count)
          return [one] + one.counterparts
        }
      }
    }
  }

  /// What it is compared with: storm with the same fleet without limits, the others with phones without an account.
  private var counterparts: [BenchCase] {
    var other = self
    if workload == .storm {
      other.hasLimits = false
      return [other]
    }
    guard devices == Self.sizeOfAccounts, threads == 1 else { return [] }
    other.keepsEnergy = false
    return [other]
  }

  /// The fleet in which the account of energy is taken away.
  static let sizeOfAccounts = 100_000

  /// One thread besides, unless that takes minutes.
  private static func threadCounts(_ workload: Workload, _ devices: Int, _ threads: Int) -> [Int] {
    let isLong = devices > 100_000 && workload != .renewal
    return threads == 1 || isLong ? [threads] : [1, threads]
  }
}

extension BenchCase {
  /// What is different about it.
  var remark: String { hasLimits ? keepsEnergy ? "" : " without energy" : " without limits" }
}
