import SimulationKernel

/// Bins of balances, from -1 run on: of a hundredth of a run up to 0.28, from there on at most 1/64 of what is above -1.
package enum BalanceBins {
  package static var count: Int { SilenceBins.count }

  package static func bin(of balance: RunMillionths) -> Int {
    SilenceBins.bin(of: (balance.count + 1_000_000) / 10_000)
  }

  /// The first balance of a bin, in runs, and the bin's width; the last one has none.
  package static func edges(ofBin bin: Int) -> (from: Double, width: Double) {
    guard let edges = SilenceBins.edges(ofBin: bin) else { return (Double(SilenceBins.longest) / 100 - 1, 0) }
    return (Double(edges.from) / 100 - 1, Double(edges.width) / 100)
  }
}
