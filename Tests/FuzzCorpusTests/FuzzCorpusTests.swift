import Foundation
import FuzzHarness
import Testing

/// The inputs found by fuzzing that add coverage, and the initial inputs: none breaks a promise.
struct FuzzCorpusTests {
  private static let corpus = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fuzz/Corpus")

  private static func inputs(of harness: Harness) throws -> [(name: String, bytes: [UInt8])] {
    let folder = corpus.appending(path: harness.rawValue)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    return try names.map { ($0, Array(try Data(contentsOf: folder.appending(path: $0)))) }
  }

  @Test(arguments: Harness.allCases)
  func fuzzInputsKeepAllPromises(_ harness: Harness) throws {
    let broken = try harness.prepared()
    let inputs = try Self.inputs(of: harness)
    #expect(inputs.count >= 3, "the corpus of \(harness.rawValue) is thin")
    for (name, bytes) in inputs { #expect(broken(bytes) == nil, "\(harness.rawValue)/\(name)") }
    for (number, seed) in try harness.seeds().enumerated() { #expect(broken(seed) == nil, "seed \(number)") }
    #expect(broken([]) == nil)
  }
}
