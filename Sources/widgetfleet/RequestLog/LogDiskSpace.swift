import FleetEngine
import FleetReports

/// The disk space required for a request log, and the free space.
struct LogDiskSpace {
  let path: String
  /// The number of bytes per request, for sorting and for its line.
  let bytesPerRequest: Int
  /// The number of free bytes.
  let free: Int

  /// - Parameter format: the format; `nil` if lines are written to standard output.
  init(path: String, format: RequestLogFormat?, free: Int) {
    self.path = path
    bytesPerRequest = MemoryLayout<SentRequest>.stride + (format?.bytesPerLine ?? 0)
    self.free = free
  }

  /// Returns a warning that the log of at most this many requests may not fit; `nil` if it certainly fits.
  func warning(requestsAtMost requests: Double, phones: Int) -> String? {
    let bytes = requests * Double(bytesPerRequest)
    guard bytes > Double(free) else { return nil }
    return "widgetfleet: '\(path.printable)' may take up to \(Failure.size(Int(min(bytes, 1e18)))), but only "
      + "\(Failure.size(free)) is free there; about \(fitting(bytes, phones)) phones fit: --set run.simulate=\(fitting(bytes, phones))\n"
  }

  /// Checks that the free space is sufficient.
  ///
  /// - Throws: `Failure` if the phones' requests do not fit.
  func check(requests: Int, phones: Int) throws(Failure) {
    let needed = requests * bytesPerRequest
    if needed > free {
      throw .noSpace(path: path, needed: needed, free: free, fitting: fitting(Double(needed), phones))
    }
  }

  private func fitting(_ bytes: Double, _ phones: Int) -> Int {
    // A log for fewer phones contains a different mix of phones, so a tenth of the space is left free.
    max(1, Int(Double(phones) * Double(free) / bytes * 0.9))
  }
}
