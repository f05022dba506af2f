import FleetEngine
import SimulationKernel
import Studies

/// radios.csv: what the radios of cohorts did for widgets, scaled to the fleet: what other radios are priced from.
///
/// Silences are histograms; a bin is [from_ms, to_ms), the last one without an end; empty bins are left out.
func radiosCSV(of result: RunResult) -> [UInt8] {
  var csv = CSVWriter(header: StoredColumns.radios)
  let scale = FleetCount(Scale(of: result))
  for (number, replication) in result.replications.enumerated() {
    for (cohort, radios) in zip(result.scenario.fleet.cohorts, replication.radios) {
      for (profile, radio) in zip(cohort.network.radios, radios) {
        for quantity in RadioQuantity.allCases {
          for row in radio.rows(of: quantity) {
            csv.field(number + 1)
            for label in [cohort.name, profile.rawValue, quantity.rawValue] { csv.field(label) }
            csv.field(row.from.map { Quantity.whole(Int128($0)) })
            csv.field(row.to.map { Quantity.whole(Int128($0)) })
            csv.field(count: row.count, scale)
            csv.endRow()
          }
        }
      }
    }
  }
  return csv.bytes
}

extension RadioResult {
  fileprivate func rows(of quantity: RadioQuantity) -> [(from: Int64?, to: Int64?, count: Int64)] {
    if let total = self[total: quantity] { return total == 0 ? [] : [(nil, nil, Int64(clamping: total))] }
    let bins = self[bins: quantity]
    return bins.indices.filter { bins[$0] != 0 }.map { bin in
      let edges = SilenceBins.edges(ofBin: bin)
      return (edges?.from ?? SilenceBins.longest, edges.map { $0.from + $0.width }, bins[bin])
    }
  }
}
