import FleetReports
import FuzzHarness
import Studies
import Testing

/// Every byte in the fields of a run's file is changed in turn into numbers that no run has, under a valid checksum.
/// The page and a comparison are drawn from it, or it is refused; nothing traps.
struct StoredMutationTests {
  /// The values as encoded in fields: 0, 1, -1, 2^53, 2^62, -2^62, 2^63 - 1, -2^63; 1e300, 1e-9 and NaN; a number that
  /// does not end.
  private static let values: [[UInt8]] =
    [0, 1, -1, 1 << 53, 1 << 62, -1 << 62, Int64.max, Int64.min].map { short($0) }
    + [1e300, 1e-9, .nan].map { real($0) } + [Array(repeating: 0xFF, count: 12)]

  private static func short(_ number: Int64) -> [UInt8] {
    var (rest, bytes) = (UInt64(bitPattern: number << 1 ^ number >> 63), [UInt8]())
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  private static func real(_ number: Double) -> [UInt8] {
    [0] + withUnsafeBytes(of: number.bitPattern.littleEndian) { Array($0) }
  }

  private static let sample = Result { try SmallFolder() }

  @Test func smallFolderIsDrawn() throws {
    let fields = try Self.sample.get().results.fields
    #expect(try SmallFolder.draw(fields) > 10_000)
    #expect(fields.count > 10_000)
  }

  /// In the long form every byte after the scenario is changed, otherwise about five hundred.
  @Test func everyField() throws {
    let results = try Self.sample.get().results
    let fields = results.fields
    let first = results.content.provenance.resolvedScenario.utf8.count
    var (drawn, refused) = (0, 0)
    for place in stride(from: first, to: fields.count, by: StudySample.isLong ? 1 : max(fields.count / 500, 1)) {
      var spoiled = fields
      spoiled.replaceSubrange(place...place, with: Self.values[place % Self.values.count])
      // The total number of bytes comes first.
      spoiled.replaceSubrange(0..<8, with: withUnsafeBytes(of: UInt64(spoiled.count).littleEndian) { Array($0) })
      do {
        #expect(try SmallFolder.draw(spoiled, isCompared: place % 4 == 0) > 0, "byte \(place)")
        drawn += 1
      } catch { refused += 1 }
    }
    #expect(drawn > 0 && refused > 0)
  }
}
