import Foundation
import Testing

@testable import WidgetFleetProbe

@Suite struct SummaryTests {
  private static let allDays = 0..<100_000

  @Test func aDayIsSummedUp() throws {
    let sample = try Sample()
    try sample.run(next: 900)
    sample.wait(seconds: 1_000)
    try sample.run(next: 900, .cache)
    try sample.recorder.note(.tap)
    try sample.run(next: 900, .error)
    _ = try sample.recorder.begin(Sample.widget("weather", "systemLarge"), due: nil)
    let entry = try #require(ProbeSummary(try sample.recorder.content(), days: Self.allDays).entries.first)
    #expect(entry.day == 0 && entry.kind == "weather" && entry.phones == 1 && entry.widgets == 2)
    // Scheduled, call, tap, push, other; unfinished, network, cache, error.
    #expect(entry.causes == [1, 0, 2, 0, 1])
    #expect(entry.outcomes == [1, 1, 1, 1])
    // The run is 100 s late; the gaps are 1 000.5 s and 0.5 s.
    #expect(Self.filled(entry.late) == [15: 1])
    #expect(Self.filled(entry.gaps) == [21: 1, 1: 1])
    #expect(Self.filled(entry.ages) == [1: 3])
    #expect(Self.filled(entry.lateUnlocked).isEmpty)
  }

  private static func filled(_ histogram: LogHistogram) -> [Int: Int] {
    histogram.counts.indices.reduce(into: [:]) { if histogram.counts[$1] > 0 { $0[$1] = histogram.counts[$1] } }
  }

  /// Each span lies between the edges of its bin, and edges grow by a factor of the square root of two.
  @Test func binsAreBetweenTheirEdges() {
    for exponent in stride(from: -3.0, through: 24, by: 0.37) {
      let seconds = pow(2, exponent)
      let bin = LogHistogram.bin(of: seconds)
      #expect(LogHistogram.lowerEdge(ofBin: bin) <= seconds)
      if bin + 1 < LogHistogram.binCount { #expect(seconds < LogHistogram.lowerEdge(ofBin: bin + 1)) }
    }
    for bin in 2..<LogHistogram.binCount {
      let exact = pow(2, Double(bin - 2) / 2)
      #expect(abs(LogHistogram.lowerEdge(ofBin: bin) / exact - 1) < 1e-12)
    }
    #expect(LogHistogram.bin(of: -0.001) == 0 && LogHistogram.bin(of: 0) == 1)
    #expect(LogHistogram.bin(of: .infinity) == 41)
  }

  /// The days of three phones give the same summary in any order and grouping.
  @Test func mergingIsASum() throws {
    var parts: [ProbeSummary] = []
    for phone in 0..<3 {
      let sample = try Sample()
      for run in 0..<40 {
        try sample.run(run % 3 == phone ? "news" : "weather", next: 900)
        sample.wait(seconds: 5_000)
      }
      let content = try sample.recorder.content()
      let days = (0..<4).map { ProbeSummary(content, days: $0..<$0 + 1) }
      var sum = ProbeSummary()
      for day in days { sum.merge(day) }
      #expect(sum == ProbeSummary(content, days: 0..<4))
      parts += days
    }
    var forwards = ProbeSummary()
    for part in parts { forwards.merge(part) }
    var backwards = ProbeSummary()
    for start in stride(from: 8, through: 0, by: -4) {
      var four = ProbeSummary()
      for part in parts[start..<start + 4].reversed() { four.merge(part) }
      backwards.merge(four)
    }
    #expect(forwards == backwards)
    #expect(forwards.entries.flatMap(\.outcomes).reduce(0, +) == 3 * 40)
    let keys = forwards.entries.map { [String($0.day), $0.kind] }
    #expect(Set(keys).count == keys.count)
    #expect(forwards.entries.map(\.phones).max() == 3)
  }

  @Test func aSummaryComesBackFromItsJSON() throws {
    let sample = try Sample()
    for _ in 0..<20 {
      try sample.run(next: 900)
      sample.wait(seconds: 1_000)
    }
    let summary = ProbeSummary(try sample.recorder.content(), days: Self.allDays)
    let bytes = try JSONEncoder().encode(summary)
    #expect(try JSONDecoder().decode(ProbeSummary.self, from: bytes) == summary)
    for text in ["[[42,1]]", "[[-1,1]]", "[[1,-1]]", "[[1]]", "[[1,2,3]]", "{}"] {
      #expect(throws: DecodingError.self) { try JSONDecoder().decode(LogHistogram.self, from: Data(text.utf8)) }
    }
  }

  /// A full ring of eight kinds with delays from a second to three hours takes 2 kB per day.
  @Test func aDayOfEightKindsIsSmall() throws {
    let sample = try Sample()
    var numbers = Numbers(state: 4)
    for run in 0..<400 {
      try sample.run("kind \(run % 8)", next: Double.random(in: 300...900, using: &numbers))
      sample.wait(seconds: Double.random(in: 60...300, using: &numbers))
    }
    let summary = ProbeSummary(try sample.recorder.content(), days: 0..<1)
    #expect(summary.entries.count == 8)
    #expect(try JSONEncoder().encode(summary).count <= 2_048)
  }
}
