#if os(Linux)
  internal import CLinux
#endif

/// The machine's resources and the limits of this process.
package enum Machine {
  /// The number of online processors.
  package static var processors: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }

  /// The number of processors that this process may use, at least one.
  package static var usableProcessors: Int {
    #if os(Linux)
      var mask = cpu_set_t()
      guard sched_getaffinity(0, MemoryLayout<cpu_set_t>.size, &mask) == 0 else { return 1 }
      return max(1, withUnsafeBytes(of: mask) { $0.reduce(0) { $0 + $1.nonzeroBitCount } })
    #else
      return max(1, processors)
    #endif
  }

  /// The machine's memory in bytes; `nil` if the system does not report it.
  package static var memory: Int? {
    #if os(Linux)
      let (bytes, isTooMuch) = sysconf(Int32(_SC_PHYS_PAGES)).multipliedReportingOverflow(
        by: sysconf(Int32(_SC_PAGESIZE)))
      // glibc returns a made-up value if the system does not report the memory size.
      return bytes > 0 && !isTooMuch ? bytes : nil
    #else
      var bytes: UInt64 = 0
      var size = MemoryLayout<UInt64>.size
      guard sysctlbyname("hw.memsize", &bytes, &size, nil, 0) == 0 else { return nil }
      return Int(clamping: bytes)
    #endif
  }

  /// The maximum size of this process's address space, in bytes.
  package static var addressSpace: Int {
    var limits = rlimit()
    #if os(Linux)
      let status = getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limits)
    #else
      let status = getrlimit(RLIMIT_AS, &limits)
    #endif
    return status == 0 ? Int(clamping: limits.rlim_cur) : .max
  }

  /// The peak memory of this process in bytes; `nil` on Linux, where it is read from a file (`MachineMemory`).
  package static var peak: Int? {
    #if os(Linux)
      return nil
    #else
      var usage = rusage()
      return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : nil
    #endif
  }

  /// Requests large pages, which affect only speed; does nothing on macOS, which does not support them.
  package static func wantLargePages(_ start: UnsafeMutableRawPointer, bytes: Int) {
    #if os(Linux)
      madvise(start, bytes, Int32(WF_LARGE_PAGES))
    #endif
  }
}
