import RandomScenario
import Scenario
import Testing

@testable import ScenarioFiles

/// Random scenarios are valid, and use every key.
@Suite struct CoverageTests {
  private static let block = 50

  /// Every text is read without problems, and its resolved form means the same.
  @Test(arguments: 0..<8) func everyScenarioIsValid(_ block: Int) throws {
    for seed in block * Self.block..<(block + 1) * Self.block {
      let text = RandomScenario(seed: UInt64(seed)).text
      let outcome = ScenarioReader.read(text: Array(text.utf8), fileName: "random-\(seed).yaml")
      let scenario = try #require(outcome.scenario, "seed \(seed): \(outcome.diagnostics.humanText)\n\(text)")
      let again = ScenarioReader.read(text: Array(scenario.resolvedText.utf8), fileName: "resolved.yaml")
      #expect(again.scenario == scenario, "seed \(seed): \(again.diagnostics.humanText)")
    }
  }

  @Test func everyKeyOccurs() throws {
    var paths: Set<String> = []
    for seed in 0..<400 { paths.formUnion(try Self.paths(of: RandomScenario(seed: UInt64(seed)).text)) }
    let missing = KeyTable.standard.entries.map(\.path).filter {
      !paths.contains($0) && !RandomScenario.keysLeftOut.contains($0)
    }
    #expect(missing == [])
  }

  /// Only a few keys are left out, and all of them are listed.
  @Test func fewKeysAreLeftOut() {
    let allowed = ["sweep", "tune", "calibrate", "kinds.*.reload.provider", "kinds.*.reload.version"]
    for path in RandomScenario.keysLeftOut {
      #expect(allowed.contains { path == $0 || path.hasPrefix($0 + ".") }, "\(path)")
    }
  }

  /// The same seed gives the same text, a different seed a different one.
  @Test func seedsReplay() {
    #expect(RandomScenario(seed: 7).text == RandomScenario(seed: 7).text)
    #expect(Set((0..<50).map { RandomScenario(seed: $0).text }).count == 50)
  }

  /// Returns the table paths of the keys in a text.
  private static func paths(of text: String) throws -> Set<String> {
    var problems = ProblemList(file: SourceText(name: "random", bytes: Array(text.utf8)))
    let root = try #require(TreeReader.read(source: 0, problems: &problems))
    var paths: Set<String> = []
    walk(root, "", &paths)
    return paths
  }

  private static func walk(_ node: Node, _ path: String, _ paths: inout Set<String>) {
    let table = KeyTable.standard
    for item in node.items ?? [] where table[path + ".*"] != nil {
      paths.insert(path + ".*")
      walk(item, path + ".*", &paths)
    }
    for pair in node.pairs ?? [] {
      guard let entry = table.child(pair.key, of: path) else { continue }
      paths.insert(entry.path)
      walk(pair.value, entry.path, &paths)
    }
  }
}
