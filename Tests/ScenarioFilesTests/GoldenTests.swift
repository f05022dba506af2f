import Scenario
import Testing

@testable import ScenarioFiles

/// A scenario text and the exact messages it should get.
struct Golden: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: [UInt8]
  let settings: [String]
  let expected: String

  var testDescription: String { name }

  init(_ name: String, bytes: [UInt8], settings: [String] = [], expected: String) {
    (self.name, self.bytes, self.settings, self.expected) = (name, bytes, settings, expected)
  }

  init(_ name: String, text: String, settings: [String] = [], expected: String) {
    self.init(name, bytes: Array(text.utf8), settings: settings, expected: expected)
  }

  /// Creates a golden test from the minimal scenario with some texts replaced.
  init(_ name: String, edits: [(String, String)], settings: [String] = [], expected: String) {
    let text = edits.reduce(Samples.minimal) { $0.replacing($1.0, with: $1.1, maxReplacements: 1) }
    self.init(name, text: text, settings: settings, expected: expected)
  }

  var outcome: ScenarioReader.Outcome {
    ScenarioReader.read(text: bytes, fileName: "a.yaml", settings: settings.map { SetArgument($0) })
  }
}

@Suite struct GoldenTests {
  static let all = one + two + three + four + five + six + seven

  @Test(arguments: all) func messages(_ golden: Golden) {
    #expect(golden.outcome.diagnostics.humanText == golden.expected)
    #expect(golden.outcome.scenario == nil)
  }

  @Test func everyCodeIsShown() {
    let shown = Set(GoldenTests.all.flatMap { $0.outcome.diagnostics.map(\.code) })
    // Lints do not stop a scenario; ScenarioGoldenTests/Diagnostics shows them.
    let errors = Code.allCases.filter { !$0.isLint }
    #expect(Set(errors).subtracting(shown).map(\.rawValue).sorted() == [])
  }
}
