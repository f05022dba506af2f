import CLinux
import Glibc

/// The processors that this process may use.
enum Processors {
  static var count: Int {
    var mask = cpu_set_t()
    guard sched_getaffinity(0, MemoryLayout<cpu_set_t>.size, &mask) == 0 else { return 1 }
    return max(1, withUnsafeBytes(of: mask) { $0.reduce(0) { $0 + $1.nonzeroBitCount } })
  }
}
