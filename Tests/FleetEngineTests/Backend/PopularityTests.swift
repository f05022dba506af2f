import BackendModel
import Scenario
import Testing

@testable import FleetEngine

/// The classes of a CDN's keys and their shares (MODEL.md 6.6).
@Suite struct PopularityTests {
  @Test func uniformPopularityIsOneClass() {
    #expect(PopularityClasses.of(.uniform, keys: 20_000) == [KeyClass(keys: 20_000, share: 1)])
  }

  /// Each of up to 64 keys has its own class; larger numbers have at most 64 classes, by the rule.
  @Test(arguments: [1, 2, 63, 64, 65, 100, 1_000, 20_000, 1_000_000, 100_000_000_000] as [Int64])
  func sizes(keys: Int64) {
    let sizes = PopularityClasses.sizes(of: keys)
    #expect(sizes.reduce(0, +) == keys)
    #expect(sizes.count == keys || (keys > 64 && sizes.count <= 64 && sizes.count > 40), "\(sizes)")
    #expect(sizes[0] == 1)
    let isFit = (0...64).first { growth in
      var (rank, count) = (Int64(0), 0)
      while rank < keys, count <= 64 {
        rank += 1 + rank * Int64(growth) / 64
        count += 1
      }
      return count <= 64
    }
    var rank: Int64 = 0
    for size in sizes {
      #expect(size == min(1 + rank * Int64(isFit ?? -1) / 64, keys - rank))
      rank += size
    }
  }

  /// Shares agree with sums of the individual terms, which need no powers for whole exponents.
  @Test(
    arguments: [1, 6, 65, 5_000, 300_000] as [Int64], [0, 1, 2] as [Int])
  func shares(keys: Int64, exponent: Int) {
    let classes = PopularityClasses.of(.zipf(exponent: Double(exponent)), keys: keys)
    #expect(classes.reduce(0) { $0 + $1.share } == 1)
    // Small terms are added first.
    func sum(_ ranks: ClosedRange<Int64>) -> Double {
      ranks.reversed().reduce(0) { sum, rank in sum + (0..<exponent).reduce(1.0) { term, _ in term / Double(rank) } }
    }
    let all = sum(1...keys)
    var rank: Int64 = 0
    for part in classes {
      let expected = sum(rank + 1...rank + part.keys) / all
      #expect(abs(part.share - expected) < 1e-12, "behind \(rank)")
      #expect((part.share * 0x1p48).rounded() == part.share * 0x1p48)
      rank += part.keys
    }
  }

  /// Fractional exponents, including some near 1, for ranks whose terms are not added individually.
  @Test(arguments: [0.5, 0.999, 1, 1.001, 1.5]) func largeRanks(exponent: Double) {
    let whole = PopularityClasses.sum(from: 5_001, to: 50_000, exponent: exponent)
    let parts = stride(from: Int64(5_001), to: 50_000, by: 500).reduce(0.0) { sum, first in
      sum + PopularityClasses.sum(from: first, to: first + 499, exponent: exponent)
    }
    #expect(abs(whole - parts) < 1e-11 * whole)
    // The listed terms end at rank 4 096; a sum across it has both parts.
    let across = PopularityClasses.sum(from: 4_000, to: 4_200, exponent: exponent)
    let halves =
      PopularityClasses.sum(from: 4_000, to: 4_096, exponent: exponent)
      + PopularityClasses.sum(from: 4_097, to: 4_200, exponent: exponent)
    #expect(abs(across - halves) < 1e-13 * across)
    let terms = (4_097...4_200).reduce(0.0) { sum, rank in
      sum + 1 / SlowPower.of(Double(rank), exponent)
    }
    #expect(abs(PopularityClasses.sum(from: 4_097, to: 4_200, exponent: exponent) - terms) < 1e-12 * terms)
  }
}

/// Powers by repeated roots, independent of the program's own code.
enum SlowPower {
  /// Returns a power.
  ///
  /// - Parameter exponent: a non-negative number.
  static func of(_ base: Double, _ exponent: Double) -> Double {
    var (result, root, rest) = (1.0, base, exponent)
    while rest >= 1 {
      result *= base
      rest -= 1
    }
    for _ in 0..<52 {
      root = root.squareRoot()
      rest *= 2
      if rest >= 1 {
        result *= root
        rest -= 1
      }
    }
    return result
  }
}
