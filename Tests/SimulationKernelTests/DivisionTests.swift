import SimulationKernel
import Testing

@Suite struct DivisionTests {
  /// The limits of the fast path: divisors around 2^24, dividends around 2^40, and multiples minus and plus 1.
  @Test(
    arguments: [1, 2, 3, 7, 10, 1_000, 60_000, 86_400_000, 1 << 24 - 1, 1 << 24, 1 << 24 + 1, .max] as [Int64])
  func dividerIsExactAtEdges(divisor: Int64) {
    let divider = Divider(by: divisor)
    let maximum: Int64 = 1 << 40
    var dividends: [Int64] = [0, 1, maximum - 1, maximum, maximum + 1, .max - 1, .max]
    for multiple in [1, 2, 1_000, (maximum - 1) / divisor] as [Int64] {
      let (product, overflows) = multiple.multipliedReportingOverflow(by: divisor)
      if !overflows { dividends += [product - 1, product, product &+ 1].filter { $0 >= 0 } }
    }
    for dividend in dividends { #expect(divider.quotient(dividend) == Int(dividend / divisor), "\(dividend)") }
  }

  @Test func dividerIsExactAtRandom() {
    for index in 0..<20_000 as Range<UInt32> {
      let draw = Philox.block(counter: Philox.Block(index, 0, 0, 0), key: 12)
      let divisor = Int64(draw.first >> (40 + UInt64(draw.word3 % 23))) + 1
      let dividend = Int64(draw.second >> UInt64(1 + draw.word0 % 50))
      let found = Divider(by: divisor).quotient(dividend)
      #expect(found == Int(dividend / divisor), "\(dividend) / \(divisor)")
    }
  }

  @Test(
    arguments: [(7, 3, 2), (-7, 3, -3), (-6, 3, -2), (-1, 86_400_000, -1), (0, 5, 0), (-5, 1, -5), (4, 5, 0)]
      as [(Int64, Int64, Int64)])
  func floorDivision(dividend: Int64, divisor: Int64, expected: Int64) {
    #expect(dividend.floorDivided(by: divisor) == expected)
  }
}

@Suite struct DeviceStreamTests {
  /// Every part of the key matters: no two keys share a block, and equal keys give equal blocks.
  @Test func keysAreDistinct() {
    var seen: Set<Philox.Block> = []
    var count = 0
    for seed in [0, 1, 1 << 32] as [UInt64] {
      for device in [0, 1, .max] as [UInt32] {
        for replication in [0, 1, 1 << 24 - 1] as [UInt32] {
          let stream = DeviceStream(seed: seed, device: device, replication: replication)
          for purpose in [0, 1, .max] as [UInt8] {
            for part in [0, 1] as [UInt32] {
              for index in [0, 1] as [UInt32] {
                seen.insert(stream.block(purpose: purpose, part: part, index: index))
                count += 1
              }
            }
          }
        }
      }
    }
    #expect(seen.count == count)
    let again = DeviceStream(seed: 1, device: 1, replication: 1).block(purpose: 1, part: 1, index: 1)
    #expect(seen.contains(again))
  }

  /// The counter is (device, replication and purpose, part, index), so that other programs can reproduce a draw.
  @Test func counterIsAsDocumented() {
    let block = DeviceStream(seed: 9, device: 5, replication: 3).block(purpose: 7, part: 11, index: 13)
    #expect(block == Philox.block(counter: Philox.Block(5, 3 << 8 | 7, 11, 13), key: 9))
  }
}
