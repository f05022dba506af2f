import Numerics
package import Scenario
import SimulationKernel

/// The points at which a sweep looks into its ranges, as parts of them.
package enum SweepDesign {
  /// What the draws are for, in the place of a replication's number and purpose: no device has it.
  private static let purpose: UInt32 = 0xFFFF_FFFF

  /// For each point as many coordinates as axes, each from 0 up to below 1; nil: there are no such points.
  ///
  /// Sobol's sequence as GSL has it takes up to 40 axes and no seed.
  package static func points(
    _ method: SweepMethod, _ count: Int, axes: Int, seed: UInt64
  ) -> [[Double]]? {
    switch method {
    case .grid, .zip: return nil
    case .sobol: return (try? SobolSequence.points(count, dimensions: axes)) ?? nil
    case .latinHypercube:
      let columns = (0..<axes).map { latinColumn($0, count, seed) }
      return (0..<count).map { row in columns.map { $0[row] } }
    }
  }

  /// One coordinate of each point: of as many equal parts as points each part once, in random order, and a random place in
  /// it (McKay, Beckman, Conover, Technometrics 21, 1979).
  private static func latinColumn(_ axis: Int, _ count: Int, _ seed: UInt64) -> [Double] {
    var parts = Array(0..<count)
    var places: [Double] = []
    for index in (0..<count).reversed() {
      let block = Philox.block(counter: Philox.Block(0, purpose, UInt32(axis), UInt32(index)), key: seed)
      parts.swapAt(index, Int(block.first.multipliedFullWidth(by: UInt64(index + 1)).high))
      // 53 bits: a place below 1 whatever they are.
      places.append(Double(block.second >> 11) * 0x1p-53)
    }
    return zip(parts, places).map { min((Double($0) + $1) / Double(count), 1.0.nextDown) }
  }
}
