import Foundation
import Testing

@testable import ScenarioFiles

/// Texts designed to be expensive; the bounds are for a debug build on a busy machine.
@Suite(.serialized) struct BombTests {
  private static let bombs: [(name: String, text: String)] = [
    ("brackets", String(repeating: "[", count: 100_000)),
    ("brackets in lines", String(repeating: "[\n", count: 100_000)),
    ("braces", "a: " + String(repeating: "{a: ", count: 100_000)),
    ("dashes", String(repeating: "- ", count: 100_000)),
    ("questions", String(repeating: "? ", count: 100_000)),
    ("unknown keys", (0..<60_000).map { "key\($0): 1\n" }.joined()),
    ("unknown keys on a line", "{" + (0..<60_000).map { "key\($0): 1, " }.joined() + "}"),
    ("many kinds", "kinds: {" + (0..<60_000).map { "k\($0): 1, " }.joined() + "}"),
    ("zones", "fleet: {cohorts: [{zones: {" + (0..<60_000).map { "Europe/Z\($0): 1%, " }.joined() + "}}]}"),
    ("choices", "app: {foreground: {choice: {" + (1..<60_000).map { "\($0)s: 1%, " }.joined() + "}}}"),
    ("a long key", String(repeating: "k", count: 3_000_000) + ": 1"),
    ("a long value", "name: " + String(repeating: "v", count: 3_000_000)),
    ("a long number", "run: {seed: " + String(repeating: "9", count: 1_000_000) + "}"),
    ("a long exponent", "app: {opens_per_day: 1e" + String(repeating: "9", count: 1_000_000) + "}"),
    ("a long duration", "clock: {step: " + String(repeating: "1s", count: 500_000) + "}"),
    ("a long range", "app: {foreground: {uniform: " + String(repeating: "..", count: 500_000) + "}}"),
    ("empty lines", String(repeating: "\n", count: 3_900_000)),
    ("too many bytes", String(repeating: " ", count: 4_000_001)),
    ("accents", "name: " + String(repeating: "é", count: 1_900_000)),
    ("marks", "name: a" + String(repeating: "\u{301}", count: 1_900_000)),
    ("notes", "{" + (0..<60_000).map { "x-\($0): 1, " }.joined() + "}"),
    ("aliases", "a: &a [1]\nb: [" + String(repeating: "*a, ", count: 60_000) + "]"),
  ]

  @Test(arguments: bombs.map(\.name)) func yamlBombIsRefusedQuickly(_ name: String) throws {
    let text = try #require(BombTests.bombs.first { $0.name == name }).text
    // Processor time of this thread, which does not depend on how busy the machine is; at most half a second was
    // observed.
    let begun = processorSeconds()
    let count = Samples.read(text).diagnostics.humanText.count
    #expect(processorSeconds() - begun < 10)
    #expect(count > 0)
    #expect(count < 100_000)
  }

  private func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test func absurdSizesAreRefused() {
    let absurd = [
      "fleet.devices=2G", "run.replications=10001", "clock.duration=500d", "clock.step=1ms",
      "kinds.weather.attempts.count=17",
      "kinds.weather.requests=[{endpoint: a, count: 600}, {endpoint: b, count: 600}]", "kinds.weather.cpu=9999999d",
      "fleet.cohorts.0.widgets=[" + String(repeating: "{kind: weather}, ", count: 65) + "]",
      "kinds.weather.phases=[" + String(repeating: "{reload: never}, ", count: 1_001) + "]",
    ]
    for setting in absurd {
      let codes = Set(Samples.read(Samples.minimal, set: setting).diagnostics.map(\.code))
      #expect(!codes.isDisjoint(with: [.tooBig, .outOfRange]), "\(setting.prefix(60)): \(codes)")
    }
  }
}
