/// A case to measure one or more times: a workload with a fleet size and a number of threads.
struct BenchCase: Hashable, Sendable {
  var workload: Workload
  /// The number of devices actually simulated.
  var devices: Int
  var threads: Int
  /// Whether backend limits apply; only `storm` has any.
  var hasLimits = true
  /// Whether phones account for energy; a case without energy shows what accounting costs.
  var keepsEnergy = true

  /// The number of measurements, whose minimum counts; a long run averages out the disturbances that affect a short
  /// one.
  var repetitions: Int {
    if devices <= 10_000 { return 5 }
    if devices <= 100_000 { return 3 }
    return workload == .renewal ? 2 : 1
  }

  /// A copy of this case on one thread, for comparison with several threads.
  var scenarioCase: BenchCase {
    var one = self
    one.threads = 1
    return one
  }

  /// The assignments; devices.csv keeps rows for at most 100 000 devices, so that versions can be compared.
  var assignments: [String] {
    workload.assignments(devices: devices) + ["run.device_rows=100k"] + (hasLimits ? [] : [workload.withoutLimits])
  }

  /// Returns all cases in ascending order of size.
  ///
  /// - Parameter threads: the number of threads to compare with one thread.
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

  /// The cases to compare with: storm without limits for the same fleet, and the others without energy accounting.
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

  /// The fleet size at which energy accounting is left out for comparison.
  static let sizeOfAccounts = 100_000

  /// Returns the thread counts to measure, including one thread unless that takes minutes.
  private static func threadCounts(_ workload: Workload, _ devices: Int, _ threads: Int) -> [Int] {
    let isLong = devices > 100_000 && workload != .renewal
    return threads == 1 || isLong ? [threads] : [1, threads]
  }
}

extension BenchCase {
  /// The difference from the standard case.
  var remark: String { hasLimits ? keepsEnergy ? "" : " without energy" : " without limits" }
}
