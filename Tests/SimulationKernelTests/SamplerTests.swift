import Testing

@testable import SimulationKernel

@Suite struct SamplerTests {
  @Test func constants() {
    #expect(SpanSampler.constant(.minute).span(at: .max) == .minute)
    #expect(SpanSampler.constant(.minute).isConstant)
    #expect(SpanSampler.uniform(from: .minute, to: .minute).isConstant)
    #expect(!SpanSampler.uniform(from: .zero, to: .minute).isConstant)
    #expect(NumberSampler.constant(2.5).number(at: 7) == 2.5)
    #expect(NumberSampler.constant(2.5).isConstant)
  }

  /// Each of ten milliseconds has exactly a tenth of the uniforms.
  @Test func uniformIsExact() {
    let sampler = SpanSampler.uniform(from: .milliseconds(5), to: .milliseconds(15))
    #expect(sampler.span(at: 0) == .milliseconds(5))
    #expect(sampler.span(at: .max) == .milliseconds(14))
    for millisecond in 1..<10 as Range<UInt64> {
      // The first u for which 10 u >= millisecond 2^64.
      let first = UInt64.max / 10 * millisecond + (UInt64.max % 10 * millisecond + millisecond + 9) / 10
      #expect(sampler.span(at: first) == .milliseconds(5 + Int64(millisecond)))
      #expect(sampler.span(at: first - 1) == .milliseconds(4 + Int64(millisecond)))
    }
  }

  @Test func zeroWidthGivesAConstant() {
    #expect(SpanSampler.uniform(from: .second, width: .zero).span(at: .max) == .second)
  }

  @Test func uniformNumbers() {
    let sampler = NumberSampler.uniform(from: 40, width: 30)
    #expect(sampler.number(at: 0) == 40)
    #expect(sampler.number(at: 1 << 63) == 55)
    #expect(sampler.number(at: .max) <= 70)
    #expect(sampler.number(at: .max) > 69.999_999_999)
  }

  /// Shares of 1/4, 1/2 and 1/4 in ascending order of the values are exact; values without weight never occur.
  @Test func choiceIsExact() {
    let storage = SamplerStorage()
    let choice = storage.choice(of: [
      (TimeAmount.hour, 1.0), (.second, 1), (.minute, 2), (.zero, 0), (.day, 0),
    ])
    let sampler = SpanSampler.choice(choice)
    #expect(!sampler.isConstant)
    let quarter = UInt64(1) << 62
    for (u, expected) in [
      (0, .second), (quarter - 1, .second), (quarter, .minute), (3 * quarter - 1, .minute), (3 * quarter, .hour),
      (.max, .hour),
    ] as [(UInt64, TimeAmount)] {
      #expect(sampler.span(at: u) == expected)
    }
    withExtendedLifetime(storage) {}
  }

  @Test func oneChoice() {
    let storage = SamplerStorage()
    let choice = storage.choice(of: [(3.0, 0.1)])
    #expect(NumberSampler.choice(choice).number(at: 0) == 3)
    #expect(NumberSampler.choice(choice).number(at: .max) == 3)
    withExtendedLifetime(storage) {}
  }
}

@Suite struct QuantileTableTests {
  /// The position of a uniform: half, octave (from the leading zeros), one of 32 cells, the remaining bits.
  @Test(
    arguments: [
      (1 << 62, 0, 0.0), (1 << 62 | 1 << 61, 16, 0), (UInt64.max >> 1, 31, 1 - 0x1p-32), (1 << 61, 32, 0),
      (0, 39 * 32, 0), (1 << 23, 39 * 32, 0), (1 << 24, 38 * 32, 0), (.max, 1_280 + 39 * 32, 0),
      (1 << 63, 1_280 + 31, 1 - 0x1p-32), (1 << 62 | 1 << 56, 0, 0.5),
    ] as [(UInt64, Int, Double)])
  func places(u: UInt64, cell: Int, t: Double) {
    let place = QuantileTable.place(of: u)
    #expect(place.cell == cell)
    #expect(place.t == t)
  }

  /// Values are rounded to whole milliseconds, half up; those below 0 count as 0, those above the max duration as the
  /// max.
  @Test(arguments: [(2.4, 2), (2.5, 3), (0.5, 1), (0.49, 0), (-7, 0), (1e18, 1 << 46)] as [(Double, Int64)])
  func rounding(value: Double, expected: Int64) {
    let storage = SamplerStorage()
    let cell = QuantileTable.Cell(c0: value, c1: 0, c2: 0, c3: 0)
    let table = storage.table(cells: Array(repeating: cell, count: QuantileTable.cellCount))
    #expect(table.span(at: 12_345) == .milliseconds(expected))
    #expect(table.number(at: 12_345) == max(value, 0))
    withExtendedLifetime(storage) {}
  }

  /// Eight durations at a time equal those of single uniforms, whatever vector instructions this processor has.
  ///
  /// This is tested at and between the edges of all octaves, and for values that are rounded, below 0 or too long.
  @Test func eightAtATime() {
    let storage = SamplerStorage()
    let cells = (0..<QuantileTable.cellCount).map { cell in
      let scale = [0.3, 7, 1e6, 1e15][cell % 4]
      return QuantileTable.Cell(c0: scale * Double(cell - 300), c1: -scale * 0.7, c2: scale * 1.3, c3: scale / 3)
    }
    let edges = (0..<64 as Range<UInt64>).flatMap { bit in [(1 << bit) - 1, 1 << bit, (1 << bit) + 1] as [UInt64] }
    let stream = DeviceStream(seed: 5, device: 9, replication: 0)
    let between = (0..<2_000 as Range<UInt32>).map { index in
      stream.block(purpose: 1, part: 0, index: index).first >> UInt64(index % 50)
    }
    let uniforms = edges + edges.map { ~$0 } + between + between.map { ~$0 }
    let samplers: [SpanSampler] = [
      .table(storage.table(cells: cells)), .constant(.minute), .uniform(from: .second, to: .day),
      .choice(storage.choice(of: [(TimeAmount.hour, 1.0), (.second, 1), (.minute, 2)])),
    ]
    for sampler in samplers {
      for first in stride(from: 0, to: uniforms.count, by: 8) {
        var eight = InlineArray<8, UInt64> { uniforms[(first + $0) % uniforms.count] }
        var spans = InlineArray<8, TimeAmount>(repeating: .zero)
        sampler.makeEight(&spans, at: &eight)
        for lane in 0..<8 { #expect(spans[lane] == sampler.span(at: eight[lane]), "\(eight[lane])") }
      }
    }
    withExtendedLifetime(storage) {}
  }

  /// Every cell of the table belongs to some uniform, and the cubic is evaluated at the right point.
  @Test func cubic() {
    let storage = SamplerStorage()
    let cells = (0..<QuantileTable.cellCount).map {
      QuantileTable.Cell(c0: Double($0), c1: 1, c2: 2, c3: 4)
    }
    let table = storage.table(cells: cells)
    #expect(table.number(at: 1 << 62 | 1 << 56) == 1.5)  // 0 + 1/2 + 2/4 + 4/8
    #expect(table.number(at: ~(1 << 62 | 1 << 56)) == 1_281.5)
    withExtendedLifetime(storage) {}
  }
}
