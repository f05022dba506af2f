import Platform

/// The memory limits and usage of this process.
enum MachineMemory {
  /// The limit in bytes: the memory of the machine, or a lower limit set by a control group or for the process.
  static var limit: Int {
    let machine = Machine.memory ?? .max
    return ([machine, Machine.addressSpace] + groupLimits).min() ?? machine
  }

  /// The peak memory usage of this process in bytes; `nil` if unknown.
  static var peak: Int? {
    if let peak = Machine.peak { return peak }
    let line = text("/proc/self/status").split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 * 1_024 }
  }

  /// The limits set by control groups (versions 1 and 2), in order from the group of this process to the root.
  private static var groupLimits: [Int] {
    let membership = text("/proc/self/cgroup")
    return limitFiles(membership: membership).compactMap { limit(text($0)) }
  }

  /// Returns the files that may contain a memory limit for a process, given the content of its /proc/self/cgroup.
  static func limitFiles(membership: String) -> [String] {
    membership.split(separator: "\n").flatMap { line -> [String] in
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { return [] }
      let isUnified = fields[0] == "0" && fields[1].isEmpty
      guard isUnified || fields[1].split(separator: ",").contains("memory") else { return [] }
      let root = isUnified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory"
      let file = isUnified ? "/memory.max" : "/memory.limit_in_bytes"
      return ancestors(of: String(fields[2])).map { root + $0 + file }
    }
  }

  /// Returns a path and its parents; for `/a/b`, these are `/a/b`, `/a` and the root.
  private static func ancestors(of path: String) -> [String] {
    let parts = path.split(separator: "/")
    return (0...parts.count).reversed().map { parts.prefix($0).map { "/" + $0 }.joined() }
  }

  /// Parses the content of a control group's limit file; returns `nil` for `max`.
  static func limit(_ text: String) -> Int? { Int(text.filter { !$0.isWhitespace }) }

  /// Returns the content of a small system file; empty if the file cannot be read.
  private static func text(_ path: String) -> String {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { return "" }
    defer { close(number) }
    guard case .success(let bytes) = Descriptor(number: number).read(atMost: 1 << 16) else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The processors that this process may use.
enum Processors {
  static var count: Int { Machine.usableProcessors }

  /// Returns the number of processors for each rank on this machine. These are the processors to which the launcher has
  /// bound the rank, or the rank's equal share of all processors.
  static func count(forRanks ranks: Int) -> Int {
    ranks == 1 ? count : min(count, max(1, Machine.processors / ranks))
  }
}
