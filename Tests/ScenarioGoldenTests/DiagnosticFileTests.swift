import Foundation
import Scenario
import ScenarioFiles
import Testing

/// For every code, a small scenario with that problem and the exact text shown to users.
///
/// `WF102.yaml` is the scenario, `WF102.set` has --set arguments, one per line, and `WF102.txt` is the text. `make
/// goldens` rewrites the texts.
@Suite struct DiagnosticFileTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Diagnostics")
  private static let codes = Code.allCases
  private static let renews = ProcessInfo.processInfo.environment["WIDGETFLEET_RENEW_GOLDENS"] != nil

  private func file(_ code: Code, _ ending: String) -> URL {
    Self.folder.appending(path: code.rawValue + "." + ending)
  }

  private func outcome(of code: Code) throws -> ScenarioReader.Outcome {
    let text = [UInt8](try Data(contentsOf: file(code, "yaml")))
    let settings = (try? String(contentsOf: file(code, "set"), encoding: .utf8)) ?? ""
    return ScenarioReader.read(
      text: text, fileName: code.rawValue + ".yaml",
      settings: settings.split(separator: "\n").map { SetArgument(String($0)) }
    ).withLoadLints
  }

  @Test(arguments: codes) func textIsTheSame(code: Code) throws {
    let outcome = try outcome(of: code)
    let all = outcome.diagnostics + outcome.warnings
    let isLint = code.rawValue.hasPrefix("WF4")
    #expect((outcome.scenario == nil) != isLint)
    // There is one problem per file: the smallest that shows it.
    #expect(Set(all.map(\.code)) == [code])
    #expect(all.allSatisfy { ($0.severity == .warning) == isLint })
    if Self.renews { try Data(all.humanText.utf8).write(to: file(code, "txt")) }
    let golden = try String(contentsOf: file(code, "txt"), encoding: .utf8)
    #expect(all.humanText == golden, "if it is meant to change: make goldens, and read the difference aloud")
  }

  @Test func everyFileIsOfACode() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    let stems = Set(files.map { $0.split(separator: ".").first.map(String.init) ?? $0 })
    #expect(stems == Set(Self.codes.map(\.rawValue)))
  }

  /// The end of the caret is below the place that it marks.
  @Test(arguments: codes) func caretsAreBelowTheText(code: Code) throws {
    for diagnostic in try outcome(of: code).diagnostics {
      guard let excerpt = diagnostic.excerpt else { continue }
      #expect(excerpt.caretWidth >= 1)
      #expect(excerpt.caretColumn <= excerpt.text.unicodeScalars.count * 2)
    }
  }
}
