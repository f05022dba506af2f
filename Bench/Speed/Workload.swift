import Foundation

/// A workload of `make bench`, which is a file in Scenarios.
enum Workload: String, CaseIterable, Sendable {
  case renewal = "W"
  case city
  case storm

  /// The file name in Scenarios.
  var fileName: String {
    switch self {
    case .renewal: "bench-renewal.yaml"
    case .city: "bench-city.yaml"
    case .storm: "bench-storm.yaml"
    }
  }

  func text() throws -> [UInt8] {
    let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return Array(try Data(contentsOf: top.appending(path: "Scenarios/" + fileName)))
  }

  /// The fleet sizes to simulate in ascending order; `BenchCounts` has the counts for each.
  var sizes: [Int] {
    switch self {
    case .renewal: [1_000, 10_000, 100_000, 1_000_000]
    case .city: [1_000, 10_000, 100_000, 500_000]
    case .storm: [1_000, 10_000, 100_000, 1_000_000]
    }
  }

  /// Returns the assignments that set the fleet size.
  func assignments(devices: Int) -> [String] {
    switch self {
    case .renewal, .city: ["fleet.devices=\(devices)"]
    case .storm: ["run.simulate=\(devices == 1_000_000 ? "all" : String(devices))"]
    }
  }

  /// The assignment that removes all endpoint limits, so that each device is simulated independently.
  var withoutLimits: String {
    let latency = "{latency: {p50: 45ms, p99: 400ms}}"
    let names = ["forecast", "api", "images", "accounts"]
    return "backend.endpoints={" + names.map { "\($0): \(latency)" }.joined(separator: ", ") + "}"
  }
}
