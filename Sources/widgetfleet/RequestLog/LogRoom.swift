import FleetEngine
import FleetReports

/// The room that a log of requests takes on the disk, beside what is free there.
struct LogRoom {
  let path: String
  /// For a request: while it is sorted, and its line.
  let bytesPerRequest: Int
  /// Bytes.
  let free: Int

  /// - Parameter format: nil: the lines go to standard output.
  init(path: String, format: RequestLogFormat?, free: Int) {
    self.path = path
    bytesPerRequest = MemoryLayout<SentRequest>.stride + (format?.bytesPerLine ?? 0)
    self.free = free
  }

  /// What is said before a simulation of some phones that may send so many requests at most; nil: they surely fit.
  func warning(requestsAtMost requests: Double, phones: Int) -> String? {
    let bytes = requests * Double(bytesPerRequest)
    guard bytes > Double(free) else { return nil }
    return "widgetfleet: '\(path.printable)' may take up to \(Failure.size(Int(min(bytes, 1e18)))), and "
      + "\(Failure.size(free)) are free there; about \(fitting(bytes, phones)) phones fit: --set run.simulate=\(fitting(bytes, phones))\n"
  }

  /// - Throws: where the requests that some phones have sent do not fit.
  func check(requests: Int, phones: Int) throws(Failure) {
    let needed = requests * bytesPerRequest
    if needed > free {
      throw .noRoom(path: path, needed: needed, free: free, fitting: fitting(Double(needed), phones))
    }
  }

  private func fitting(_ bytes: Double, _ phones: Int) -> Int {
    // A log of fewer phones has other phones in the mean: a tenth is left free.
    max(1, Int(Double(phones) * Double(free) / bytes * 0.9))
  }
}
