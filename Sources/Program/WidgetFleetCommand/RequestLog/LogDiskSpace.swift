import FleetEngine
import FleetReports

/// The disk space required by a request log, and the free disk space.
struct LogDiskSpace {
  let path: String
  /// The number of bytes on disk per request, for sorting and for the line in the log.
  let bytesPerRequest: Int
  /// The number of free bytes on the disk.
  let free: Int

  /// - Parameter format: the format of the log; `nil` if lines are written to standard output.
  init(path: String, format: RequestLogFormat?, free: Int) {
    self.path = path
    bytesPerRequest = MemoryLayout<SentRequest>.stride + (format?.bytesPerLine ?? 0)
    self.free = free
  }

  /// Returns a warning if a log with at most this many requests may not fit on the disk; `nil` if it certainly fits.
  func warning(requestsAtMost requests: Double, phones: Int) -> String? {
    let bytes = requests * Double(bytesPerRequest)
    guard bytes > Double(free) else { return nil }
    return "widgetfleet: '\(path.printable)' may take up to \(Failure.size(Int(min(bytes, 1e18)))), but only "
      + "\(Failure.size(free)) is free there; about \(fitting(bytes, phones)) phones fit: --set run.simulate=\(fitting(bytes, phones))\n"
  }

  /// Checks that the disk has enough free space.
  ///
  /// - Throws: `Failure` if the requests do not fit.
  func check(requests: Int, phones: Int) throws(Failure) {
    let needed = requests * bytesPerRequest
    if needed > free {
      throw .noSpace(path: path, needed: needed, free: free, fitting: fitting(Double(needed), phones))
    }
  }

  private func fitting(_ bytes: Double, _ phones: Int) -> Int {
    // A log of fewer phones has a different mix of phones, so 10 % of the space is reserved.
    max(1, Int(Double(phones) * Double(free) / bytes * 0.9))
  }
}
