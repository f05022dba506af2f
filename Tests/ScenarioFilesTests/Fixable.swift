@testable import ScenarioFiles

/// A scenario text to which the advice of a diagnostic can be applied.
struct Fixable {
  var text: String
  var settings: [String] = []

  var outcome: ScenarioReader.Outcome {
    ScenarioReader.read(
      text: Array(text.utf8), fileName: "a.yaml", settings: settings.map { SetArgument($0) }, checksStudies: true)
  }

  var diagnostics: [Diagnostic] { outcome.diagnostics + outcome.warnings }

  /// Returns the texts with a fix applied: a key is added at the carets or next to them.
  func repaired(_ diagnostic: Diagnostic, by repair: Help.Repair) -> [Fixable] {
    switch repair {
    case .replace(let text): return [replaced(diagnostic, by: text)].compactMap { $0 }
    case .set(let path, let value): return [Fixable(text: text, settings: settings + ["\(path)=\(value)"])]
    case .setAll(let values):
      return [Fixable(text: text, settings: settings + values.map { "\($0.path)=\($0.value)" })]
    case .add(let key, let value):
      return [
        added("\(key): \(value)", diagnostic, inside: true), added("\(key): \(value)", diagnostic, inside: false),
      ]
      .compactMap { $0.map { Fixable(text: $0, settings: settings) } }
    }
  }

  private func replaced(_ diagnostic: Diagnostic, by replacement: String) -> Fixable? {
    var mending = self
    if diagnostic.file == "a.yaml" {
      guard let text = Fixable.replaced(text, diagnostic, by: replacement) else { return nil }
      mending.text = text
      return mending
    }
    // The diagnostic's argument is the only one that has the problem on its own.
    for index in settings.indices {
      guard let text = Fixable.replaced(settings[index], diagnostic, by: replacement) else { continue }
      var trial = self
      trial.settings[index] = text
      if !trial.diagnostics.contains(where: { $0.isSame(as: diagnostic) }) { return trial }
    }
    return nil
  }

  /// Returns a text with the part above the carets replaced.
  static func replaced(_ text: String, _ diagnostic: Diagnostic, by replacement: String) -> String? {
    guard let line = diagnostic.line, let column = diagnostic.column else { return nil }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { Array(String($0).unicodeScalars) }
    guard lines.indices.contains(line - 1), column - 1 + diagnostic.length <= lines[line - 1].count else { return nil }
    lines[line - 1].replaceSubrange(
      column - 1..<column - 1 + diagnostic.length, with: Array(replacement.unicodeScalars))
    return lines.map { line in String(String.UnicodeScalarView(line)) }.joined(separator: "\n")
  }

  /// Returns the text with a pair added to the mapping after the carets, or to the one around them.
  private func added(_ pair: String, _ diagnostic: Diagnostic, inside: Bool) -> String? {
    guard let number = diagnostic.line, let column = diagnostic.column else { return nil }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { Array($0) }
    guard lines.indices.contains(number - 1), column <= lines[number - 1].count else { return nil }
    let line = lines[number - 1]
    let brace = inside ? line[(column - 1)...].firstIndex(of: "{") : line[..<(column - 1)].lastIndex(of: "{")
    if let brace {
      lines[number - 1].insert(contentsOf: pair + ", ", at: brace + 1)
    } else {
      let indent = line.prefix { $0 == " " }.count + (inside ? 2 : 0)
      lines.insert(Array(String(repeating: " ", count: indent) + pair), at: number)
    }
    return lines.map { String($0) }.joined(separator: "\n")
  }
}

extension Diagnostic {
  /// Returns whether another diagnostic has the same message at the same location.
  func isSame(as other: Diagnostic) -> Bool {
    code == other.code && file == other.file && line == other.line && column == other.column
  }
}
