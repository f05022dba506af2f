/// What the fields of a results folder may hold, by the name of the column or key.
///
/// Wider than anything that a scenario within the limits of MODEL.md 10 brings about, and so narrow that nothing that is
/// made of them leaves 64 or 128 bits.
package enum StoredBounds {
  /// A count of simulated devices, and what those of a column add up to: 2^62.
  static let mostCount = Int64(1) << 62

  /// What a CDN lets through in all: counted in thousandths, that fits 64 bits.
  static let mostOriginRequests = Int64(9_000_000_000_000_000)

  /// - Parameter field: a column or key; of one that is not listed a figure may be anything below 10^30 in size.
  static func range(of field: String) -> ClosedRange<Double> { ranges[field] ?? -1e30...1e30 }

  private static let ranges: [String: ClosedRange<Double>] = [
    "replication": 1...1e4, "replications": 1...1e4, "devices": 0...1e9, "devices_simulated": 0...1e9,
    "device_rows": 0...1e9, "share": 0...1, "max_replications": 1...1e4,
    "hour": 0...23, "stale_share": 0...1, "followed_s": 0...1e30,
    // Seconds and minutes of 400 days.
    "time_s": 0...3.456e7, "minute": 0...576_000,
    // As load of the fleet; capacities and base loads go up to 10^8 a second, for 400 days at most.
    "origin_requests": 0...Double(mostOriginRequests), "backlog": load, "reached": load, "base_load": load,
    "room": load, "capacity_per_s": load,
    "refused": load,
    // Of bins: runs, or seconds of 10 000 days with the last bin's width; milliseconds.
    "from": 0...1e12, "to": 0...1e12, "from_ms": 0...1e15, "to_ms": 0...1e15,
  ]
  private static let load = 0...1e18
}

/// What the counts of a column add up to, which must stay within bounds.
struct StoredTotal {
  private var sum: Int64 = 0
  private let most: Int64

  init(atMost most: Int64 = StoredBounds.mostCount) { self.most = most }

  mutating func add(_ count: Int64, _ csv: CSVReader, _ column: Int) throws(StoredFileError) {
    let (sum, overflows) = sum.addingReportingOverflow(count)
    guard !overflows, sum <= most else {
      throw csv.damaged("the counts up to here add up to more than anything can be counted", column)
    }
    self.sum = sum
  }
}
