import Foundation

#if canImport(UIKit)
  import UIKit
#endif

extension PhoneState {
  /// Returns the state as far as it is currently known.
  ///
  /// - Parameter lockFile: the path of a file that cannot be read on a locked phone.
  static func current(lockFile: String) -> PhoneState {
    var state = PhoneState()
    #if os(iOS)
      state.isLowPower = ProcessInfo.processInfo.isLowPowerModeEnabled
      state.isLocked = LockFile(path: lockFile).isLocked
      state.path = ProbeRecord.Path(interfaces: Interfaces.withAddress)
    #endif
    #if os(iOS) && canImport(UIKit)
      if Thread.isMainThread { state.isCharging = MainActor.assumeIsolated { isCharging } }
    #endif
    return state
  }

  #if os(iOS) && canImport(UIKit)
    /// The charging state, which may only be read on the main thread.
    @MainActor private static var isCharging: Bool? {
      let device = UIDevice.current
      if !device.isBatteryMonitoringEnabled { device.isBatteryMonitoringEnabled = true }
      switch device.batteryState {
      case .charging, .full: return true
      case .unplugged: return false
      default: return nil
      }
    }
  #endif
}

/// A one-byte file with `complete` protection, which cannot be read while the phone is locked.
struct LockFile {
  let path: String

  /// Whether the phone is locked; `nil` if the file had to be created first, or after any other error.
  var isLocked: Bool? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { make() }
      return Self.isLocked(error: errno)
    }
    defer { close(file) }
    var byte: UInt8 = 0
    let count = pread(file, &byte, 1, 0)
    if count < 0 { return Self.isLocked(error: errno) }
    return count == 1 ? false : nil
  }

  /// Returns whether a failed read means that the phone is locked: data protection returns "not permitted".
  static func isLocked(error: Int32) -> Bool? { error == EPERM ? true : nil }

  private func make() {
    #if os(iOS)
      try? Data([1]).write(to: URL(fileURLWithPath: path), options: .completeFileProtection)
    #else
      try? Data([1]).write(to: URL(fileURLWithPath: path))
    #endif
    errno = ENOENT
  }
}

/// Network interfaces.
enum Interfaces {
  /// The names of interfaces that are up and have an address.
  static var withAddress: [String] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var names: [String] = []
    var next = first
    while let interface = next?.pointee {
      let family = interface.ifa_addr.map { Int32($0.pointee.sa_family) }
      let isUp = UInt32(interface.ifa_flags) & UInt32(IFF_UP) != 0
      if isUp, family == AF_INET || family == AF_INET6 { names.append(String(cString: interface.ifa_name)) }
      next = interface.ifa_next
    }
    return names
  }
}

extension ProbeRecord.Path {
  /// Derives the path from the names of iOS interfaces: Wi-Fi is used if it has an address.
  init(interfaces: [String]) {
    if interfaces.contains("en0") {
      self = .wifi
    } else {
      self = interfaces.contains { $0.hasPrefix("pdp_ip") } ? .cellular : .none
    }
  }
}
