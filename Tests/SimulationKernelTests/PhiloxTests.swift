import SimulationKernel
import Testing

@Suite struct PhiloxTests {
  /// Random123 1.14, `kat_vectors`, the lines `philox4x32 10`.
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

  @Test func uniformsAreTheWordsInOrder() {
    let block = Philox.Block(1, 2, 3, 4)
    #expect(block.first == 0x0000_0002_0000_0001)
    #expect(block.second == 0x0000_0004_0000_0003)
  }
}
