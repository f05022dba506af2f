import SimulationKernel
import Testing

@testable import FleetEngine

@Suite struct CohortSizesTests {
  @Test(
    arguments: [
      ([1], 7, [7]),
      ([0.5, 0.5], 3, [2, 1]),
      ([0.3, 0.3, 0.4], 10, [3, 3, 4]),
      ([0.33, 0.33, 0.34], 100, [33, 33, 34]),
      ([0.333, 0.667], 10, [3, 7]),
      ([0.15, 0.35, 0.5], 10, [2, 3, 5]),
      ([0.55, 0.45], 30, [17, 13]),
      ([0.07, 0.93], 50, [4, 46]),
      ([0.1, 0.2, 0.7], 1, [0, 0, 1]),
      ([0, 1], 5, [0, 5]),
      ([0.001, 0.196, 0.803], 2_500, [3, 490, 2_007]),
      ([0.001, 0.326, 0.673], 1_500, [2, 489, 1_009]),
      ([1.0 / 3, 1.0 / 3, 1.0 / 3], 100_000_000, [33_333_334, 33_333_333, 33_333_333]),
    ] as [([Double], Int, [Int])])
  func largestRemainder(shares: [Double], devices: Int, expected: [Int]) {
    #expect(CohortSizes.sizes(of: shares.map(Share.init(fraction:)), devices: devices) == expected)
  }

  /// The sizes add up, and each is within one of its quota.
  @Test(arguments: 0..<200 as Range<UInt32>)
  func sizesAddUp(key: UInt32) {
    let draws = (0..<UInt32(1 + key % 7)).map {
      Philox.block(counter: Philox.Block(key, $0, 0, 0), key: 31).word0 % 1_000 + 1
    }
    let total = Double(draws.reduce(0, +))
    let shares = draws.map { Share(fraction: Double($0) / total) }
    let devices = Int(key) * 997 + 1
    let sizes = CohortSizes.sizes(of: shares, devices: devices)
    #expect(sizes.reduce(0, +) == devices, "key \(key)")
    for (size, share) in zip(sizes, shares) {
      #expect(abs(Double(size) - share.fraction * Double(devices)) < 1 + 1e-5, "key \(key)")
    }
  }
}
