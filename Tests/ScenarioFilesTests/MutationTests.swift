import Scenario
import Testing

@testable import ScenarioFiles

/// A small random number generator: splitmix64.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// A thousand broken scenarios: none crashes, none is refused without a reason, and valid ones read back.
///
/// A valid scenario must equal the one read from its resolved form.
@Suite(.serialized) struct MutationTests {
  private static let samples = [Samples.minimal, Samples.rich, Samples.reference]
  private static let words = [
    "none", "0", "-1", "1e999", ".nan", "010", "1:30", "yes", "null", "~", "{}", "[]", "{a: 1}", "[1]", "5", "5%",
    "5min",
    "100%", "99999999999999999999", "never", "at-end", "local", "\"", "'", ": ", "- ", "# ", "&a ", "*a", "!!str ",
    "\t",
    "\u{FEFF}", "\u{202E}", "\u{0}", "\u{1B}", "日本", "👩‍👩‍👧", "---\n", "...\n", "%YAML 1.1\n", "|", ">", "? ", "<<: ",
    "x-a: 1",
  ]

  @Test(arguments: 0..<20) func mutationsDoNotCrash(_ block: Int) {
    print("mutations \(block * 50)..<\(block * 50 + 50): run mutationsDoNotCrash with argument \(block) to replay")
    for seed in (block * 50)..<(block * 50 + 50) {
      let text = MutationTests.mutated(seed: UInt64(seed))
      let outcome = ScenarioReader.read(text: text, fileName: "mutated.yaml")
      let shown = outcome.diagnostics.humanText + outcome.diagnostics.json + outcome.diagnostics.gitHubAnnotations
      #expect((outcome.scenario == nil) == !outcome.diagnostics.isEmpty, "seed \(seed)")
      #expect(!shown.unicodeScalars.contains { $0.isHidden && $0 != "\n" }, "seed \(seed)")
      guard let scenario = outcome.scenario else { continue }
      let again = Samples.read(scenario.resolvedText)
      #expect(again.scenario == scenario, "seed \(seed): \(again.diagnostics.humanText)")
      #expect(zoneTables(for: scenario).count > 0, "seed \(seed)")
    }
  }

  /// Returns a sample with one to four random changes.
  private static func mutated(seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(state: seed)
    var bytes = Array((samples.randomElement(using: &generator) ?? "").utf8)
    for _ in 0..<Int.random(in: 1...4, using: &generator) { wound(&bytes, &generator) }
    return bytes
  }

  private static func wound(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
    guard bytes.count > 10 else { return }
    let place = Int.random(in: 0..<bytes.count, using: &generator)
    let word = Array((words.randomElement(using: &generator) ?? "").utf8)
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
    case 1: bytes.remove(at: place)
    case 2: bytes.insert(contentsOf: word, at: place)
    case 3: bytes.replaceSubrange(value(in: bytes, from: place), with: word)
    case 4: swapLines(&bytes, &generator)
    case 5: bytes.replaceSubrange(line(in: bytes, at: place), with: [])
    case 6: bytes.insert(contentsOf: bytes[line(in: bytes, at: place)], at: line(in: bytes, at: place).lowerBound)
    default: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &generator)))
    }
  }

  /// Returns the range after the next colon or blank, up to a comma, a bracket or the end of the line.
  private static func value(in bytes: [UInt8], from place: Int) -> Range<Int> {
    let start = bytes[place...].firstIndex { $0 == 0x20 }.map { $0 + 1 } ?? place
    let stop = bytes[start...].firstIndex { [0x2C, 0x7D, 0x5D, 0x0A].contains($0) } ?? bytes.count
    return start..<stop
  }

  private static func line(in bytes: [UInt8], at place: Int) -> Range<Int> {
    let start = bytes[..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let stop = bytes[place...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
    return start..<stop
  }

  private static func swapLines(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    lines.swapAt(
      lines.indices.randomElement(using: &generator) ?? 0, lines.indices.randomElement(using: &generator) ?? 0)
    bytes = Array(lines.joined(separator: [0x0A]))
  }
}
