import Foundation

/// The phone's clocks.
struct Clocks: Sendable {
  /// The wall clock in milliseconds since 1970.
  var wall: @Sendable () -> Int64 = { milliseconds(CLOCK_REALTIME) }
  /// The time since the phone was booted, in milliseconds, including sleep.
  var continuous: @Sendable () -> Int64 = { milliseconds(sleeplessClock) }
  /// A hash that differs after every boot of the phone; 0 if unknown.
  var boot: UInt16 = bootHash

  #if canImport(Darwin)
    /// A clock that keeps running while the phone sleeps.
    private static let sleeplessClock = CLOCK_MONOTONIC_RAW
  #else
    private static let sleeplessClock = CLOCK_BOOTTIME
  #endif

  private static func milliseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    guard clock_gettime(clock, &time) == 0 else { return 0 }
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  private static let bootHash: UInt16 = {
    guard let id = bootID else { return 0 }
    return UInt16(truncatingIfNeeded: SteadyHash.of([id], salt: 0)) | 1
  }()

  private static var bootID: String? {
    #if canImport(Darwin)
      var bytes = Array(repeating: UInt8(0), count: 64)
      var count = bytes.count
      guard sysctlbyname("kern.bootsessionuuid", &bytes, &count, nil, 0) == 0, count > 1 else { return nil }
      return String(decoding: bytes[..<(count - 1)], as: UTF8.self)
    #else
      return try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
    #endif
  }
}
