/// A case to measure once or several times: a workload at a size, on some threads.
struct BenchCase: Hashable, Sendable {
  var workload: Workload
  /// The number of devices really simulated.
  var devices: Int
  var threads: Int
  /// Whether the limits of the backend hold; only `storm` has any.
  var hasLimits = true
  /// Whether phones count their energy; a case without shows the cost of the account.
  var keepsEnergy = true

  /// The number of measurements, of which the min counts; a long run averages the disturbances of a short one.
  var repetitions: Int {
    if devices <= 10_000 { return 5 }
    if devices <= 100_000 { return 3 }
    return workload == .renewal ? 2 : 1
  }

  /// This case on one thread, for comparison with several threads.
  var scenarioCase: BenchCase {
    var one = self
    one.threads = 1
    return one
  }

  /// The assignments; rows of devices.csv are kept of at most 100 000 devices, so that versions can be compared.
  var assignments: [String] {
    workload.assignments(devices: devices) + ["run.device_rows=100k"] + (hasLimits ? [] : [workload.withoutLimits])
  }

  /// Returns every case, from small to large.
  ///
  /// - Parameter threads: the number to compare with one thread.
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

  /// The cases for comparison: storm with the same fleet without limits, the others without an energy account.
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

  /// The size of the fleet in which the energy account is left out.
  static let sizeOfAccounts = 100_000

  /// Returns the numbers of threads, with one thread unless that takes minutes.
  private static func threadCounts(_ workload: Workload, _ devices: Int, _ threads: Int) -> [Int] {
    let isLong = devices > 100_000 && workload != .renewal
    return threads == 1 || isLong ? [threads] : [1, threads]
  }
}

extension BenchCase {
  /// The difference from the plain case.
  var remark: String { hasLimits ? keepsEnergy ? "" : " without energy" : " without limits" }
}
