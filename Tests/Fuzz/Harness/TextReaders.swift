import Scenario

@testable import ScenarioFiles

/// Readers of texts typed by users: scenarios, settings, goals, change conditions, profiles.
enum TextReaders {
  static func scenario(_ bytes: [UInt8]) -> String? {
    let outcome = ScenarioReader.read(text: bytes, fileName: "a.yaml", checksStudies: true)
    guard let scenario = outcome.scenario else { return unexplained(outcome.diagnostics) }
    guard outcome.diagnostics.isEmpty else { return "a scenario and errors: \(outcome.diagnostics.humanText)" }
    let text = scenario.resolvedText
    let again = ScenarioReader.read(text: Array(text.utf8), fileName: "resolved.json")
    guard let same = again.scenario else { return "resolved text is refused: \(again.diagnostics.humanText)" }
    return same.resolvedText == text ? nil : "resolved text says something else when it is read"
  }

  static func settings(_ bytes: [UInt8]) -> String? {
    let settings = bytes.split(separator: UInt8(ascii: "\n")).prefix(20).map {
      SetArgument(String(decoding: $0, as: UTF8.self))
    }
    let text = Array(SmallFolder.text.utf8)
    let outcome = ScenarioReader.read(text: text, fileName: "a.yaml", settings: Array(settings), checksStudies: true)
    return outcome.scenario == nil ? unexplained(outcome.diagnostics) : nil
  }

  static func goal() throws -> ([UInt8]) -> String? {
    let names = LabelNames(of: try SmallFolder.scenario())
    return { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      do throws(AssertionProblem) { _ = try AssertionReader.read(text, names) } catch {
        guard error.range.upperBound <= max(text.unicodeScalars.count, 1) + 1 else { return "a place behind the text" }
        return error.problem.sentence.isEmpty ? "an error without a sentence" : nil
      }
      return nil
    }
  }

  static func change() throws -> ([UInt8]) -> String? {
    let scenario = try SmallFolder.scenario()
    return { bytes in
      let outcome = ChangeConditionReader.read(String(decoding: bytes, as: UTF8.self), of: scenario)
      return outcome.condition == nil ? unexplained(outcome.diagnostics) : nil
    }
  }

  static func profile(_ bytes: [UInt8]) -> String? {
    let files = NamedFiles { _ in .success(bytes) }
    let settings = [SetArgument("os.profile=profile.yaml")]
    let outcome = ScenarioReader.read(
      text: Array(SmallFolder.text.utf8), fileName: "small.yaml", settings: settings, files: files)
    return outcome.scenario == nil ? unexplained(outcome.diagnostics) : nil
  }

  /// Returns what is wrong with the errors about a refused input.
  private static func unexplained(_ diagnostics: [Diagnostic]) -> String? {
    guard diagnostics.contains(where: { $0.severity == .error }) else { return "refused without an error" }
    let text = diagnostics.humanText
    let raw = text.unicodeScalars.first { scalar in
      (scalar.value < 0x20 && scalar != "\n") || (0x7F..<0xA0).contains(scalar.value)
        || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }
    return raw.map { "U+\(String($0.value, radix: 16)) reaches the terminal" }
  }
}
