import Testing

@testable import SimulationKernel

@Suite struct PhiloxTests {
  /// The vectors in Random123 1.14's `kat_vectors`, on the lines `philox4x32 10`.
  @Test(arguments: [
    (
      Philox.Block(0, 0, 0, 0), UInt64(0),
      Philox.Block(0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8)
    ),
    (
      Philox.Block(.max, .max, .max, .max), UInt64.max,
      Philox.Block(0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd)
    ),
    (
      Philox.Block(0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344), UInt64(0x299f_31d0_a409_3822),
      Philox.Block(0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1)
    ),
  ])
  func publishedVectors(counter: Philox.Block, key: UInt64, expected: Philox.Block) {
    #expect(Philox.block(counter: counter, key: key) == expected)
  }

  /// Eight blocks at a time equal the blocks of eight counters, with and without vector instructions, even where words
  /// overflow.
  @Test(arguments: [0, 1, 1_000, .max - 7, .max - 6, .max] as [UInt32], [0, 0x299f_31d0_a409_3822, .max] as [UInt64])
  func eightAtATime(index: UInt32, key: UInt64) {
    let counter = Philox.Block(77, 0xFFFF_FFFE, 0xFFFF_FFFF, index)
    var steps = Philox.EightSteps()
    for lane in 0..<8 as Range<UInt32> { steps[Int(lane)] = (lane % 3, lane / 4 &* index, lane) }
    var (blocks, plain) = (Philox.EightBlocks(), Philox.EightBlocks())
    Philox.makeEight(&blocks, from: counter, steps: &steps, key: key)
    Philox.makeEightPlainly(&plain, from: counter, steps: &steps, key: key)
    #expect(blocks == plain)
    for lane in 0..<8 as Range<UInt32> {
      let words = (0xFFFF_FFFE &+ lane % 3, 0xFFFF_FFFF &+ lane / 4 &* index, index &+ lane) as (UInt32, UInt32, UInt32)
      let one = Philox.block(counter: Philox.Block(77, words.0, words.1, words.2), key: key)
      #expect(blocks.firsts[Int(lane)] == one.first)
      #expect(blocks.seconds[Int(lane)] == one.second)
    }
  }

  /// Draws made ahead, or in any order, equal the stream's, and so do their durations.
  ///
  /// One call may compute durations from tables together with the draws, and others separately.
  @Test(arguments: [true, false]) func drawsMadeAheadEqualTheStream(ofTables: Bool) {
    var ahead = DrawsAhead()
    let storage = SamplerStorage()
    let tables = [0.3, 1e6].map { scale in
      SpanSampler.table(
        storage.table(
          cells: (0..<QuantileTable.cellCount).map {
            QuantileTable.Cell(c0: scale * Double($0 - 300), c1: -scale * 0.7, c2: scale * 1.3, c3: scale / 3)
          }))
    }
    let first = ofTables ? tables[0] : .uniform(from: .second, to: .hour)
    let second = ofTables ? tables[1] : .uniform(from: .zero, to: .day)
    let indices = [0, 1, 2, 3, 4, 5, 9, 8, 15, 16, 31, 100, 3, 0] + Array(100..<600) + [4_294_967_263] as [UInt32]
    for device in [3, 4] as [UInt32] {
      let stream = DeviceStream(seed: 12, device: device, replication: 2)
      ahead.reset()
      for index in indices {
        if !ahead.has(index) { ahead.make(stream, purpose: 4, part: 7, index: index, spans: (first, second)) }
        let draws = ahead.uniforms(index)
        let block = stream.block(purpose: 4, part: 7, index: index)
        #expect(draws.first == block.first && draws.second == block.second, "index \(index)")
        #expect(ahead.firstSpan(index) == first.span(at: block.first), "index \(index)")
        #expect(ahead.secondSpan(index) == second.span(at: block.second), "index \(index)")
      }
    }
    withExtendedLifetime(storage) {}
  }

  @Test func uniformsAreTheWordsInOrder() {
    let block = Philox.Block(1, 2, 3, 4)
    #expect(block.first == 0x0000_0002_0000_0001)
    #expect(block.second == 0x0000_0004_0000_0003)
  }
}
