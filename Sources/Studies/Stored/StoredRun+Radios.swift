package import FleetEngine
import Scenario
import SimulationKernel

/// What radios.csv says of a cohort's radio, one quantity a row; silences by the bins of `SilenceBins`.
package enum RadioQuantity: String, CaseIterable, Sendable {
  case bursts
  case activeTime = "active_ms"
  case bytesDown = "bytes_down"
  case bytesUp = "bytes_up"
  case wokenAgain = "silences_woken_again"
  case left = "silences_left"
  case wokenAfterOthers = "silences_woken_after_others"

  /// Where a result keeps its bins; nil: it has none.
  fileprivate var bins: WritableKeyPath<RadioResult, [Int64]>? {
    switch self {
    case .bursts, .activeTime, .bytesDown, .bytesUp: nil
    case .wokenAgain: \.wokenAgain
    case .left: \.left
    case .wokenAfterOthers: \.wokenAfterOthers
    }
  }

  /// Whether its counts stay within 64 bits, all together.
  fileprivate var isSmall: Bool { self == .bursts || bins != nil }
}

extension StoredColumns {
  package static let radios = ["replication", "cohort", "radio", "quantity", "from_ms", "to_ms", "count"]
}

extension RadioResult {
  /// A quantity without bins.
  package subscript(total quantity: RadioQuantity) -> Int128? {
    switch quantity {
    case .bursts: Int128(bursts)
    case .activeTime: activeMilliseconds
    case .bytesDown: bytesDown
    case .bytesUp: bytesUp
    case .wokenAgain, .left, .wokenAfterOthers: nil
    }
  }

  /// The bins of a quantity; empty for those without.
  package subscript(bins quantity: RadioQuantity) -> [Int64] {
    quantity.bins.map { self[keyPath: $0] } ?? []
  }

  /// Nothing yet, with room in every bin.
  static var nothing: RadioResult {
    var result = RadioResult()
    let bins = Array(repeating: Int64(0), count: SilenceBins.count)
    (result.wokenAgain, result.left, result.wokenAfterOthers) = (bins, bins, bins)
    return result
  }

  fileprivate mutating func add(_ count: Int64, of quantity: RadioQuantity, bin: Int) {
    if let bins = quantity.bins { self[keyPath: bins][bin] += count }
    switch quantity {
    case .bursts: bursts += count
    case .activeTime: activeMilliseconds += Int128(count)
    case .bytesDown: bytesDown += Int128(count)
    case .bytesUp: bytesUp += Int128(count)
    case .wokenAgain, .left, .wokenAfterOthers: break
    }
  }
}

extension StoredRun {
  /// Sums over the replications: by cohort, then by the interfaces of its network.
  static func radios(of result: RunResult) -> [[RadioResult]] {
    result.scenario.fleet.cohorts.enumerated().map { index, cohort in
      cohort.network.radios.indices.map { interface in
        result.replications.reduce(into: RadioResult.nothing) { sum, replication in
          if index < replication.radios.count { sum += replication.radios[index][interface] }
        }
      }
    }
  }

  /// Reads radios.csv.
  static func radios(
    _ bytes: [UInt8], _ scenario: Scenario, _ scale: Scale, replications: Int
  ) throws(StoredFileError) -> [[RadioResult]] {
    var csv = try CSVReader(bytes, file: Files.radios, columns: StoredColumns.radios)
    let cohorts = scenario.fleet.cohorts
    var sums = cohorts.map { $0.network.radios.map { _ in RadioResult.nothing } }
    var total = StoredTotal()
    while try csv.next() {
      guard try csv.integer(0) <= Int64(replications) else { throw csv.damaged("no such replication", 0) }
      let (name, radio, word) = (try csv.text(1), try csv.text(2), try csv.text(3))
      guard let cohort = cohorts.firstIndex(where: { $0.name == name }),
        let interface = cohorts[cohort].network.radios.firstIndex(where: { $0.rawValue == radio }),
        let quantity = RadioQuantity(rawValue: word)
      else { throw csv.damaged("a cohort, radio or quantity that the scenario does not have") }
      let from = csv.isBlank(4) ? 0 : try csv.integer(4)
      let count = try csv.count(6, scale)
      if quantity.isSmall { try total.add(count, csv, 6) }
      sums[cohort][interface].add(count, of: quantity, bin: SilenceBins.bin(of: from))
    }
    return sums
  }
}
