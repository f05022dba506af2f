import CLinux
import Glibc

/// The processors that this process may use.
enum Processors {
  static var count: Int {
    var mask = cpu_set_t()
    guard sched_getaffinity(0, MemoryLayout<cpu_set_t>.size, &mask) == 0 else { return 1 }
    return max(1, withUnsafeBytes(of: mask) { $0.reduce(0) { $0 + $1.nonzeroBitCount } })
  }

  /// What each of so many ranks on this machine may use: those that its launcher bound it to, or its part of all.
  static func count(forRanks ranks: Int) -> Int {
    ranks == 1 ? count : min(count, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) / ranks))
  }
}
