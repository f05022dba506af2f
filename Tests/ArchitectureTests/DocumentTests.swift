import Foundation
import Testing

/// References to documents, in code and in other documents.
@Suite struct DocumentTests {
  let repository = Repository()

  /// Every cited document exists.
  @Test func everyCitedDocumentExists() throws {
    let name = /[A-Za-z][A-Za-z-]*\.md\b/
    for path in try texts() {
      // Some broken scenarios are deliberately not UTF-8.
      let text = String(decoding: try Data(contentsOf: repository.root.appending(path: path)), as: UTF8.self)
      for citation in text.matches(of: name) {
        let document = String(citation.output)
        let isPresent = ["", "Docs/"].contains { exists($0 + document) }
        #expect(isPresent, "\(path) cites \(document)")
      }
    }
  }

  /// Prose fits into any window: it is at most 120 columns wide, except for tables and commands.
  @Test func proseHas120Columns() throws {
    for path in try texts() where path.hasSuffix(".md") {
      let text = try String(contentsOf: repository.root.appending(path: path), encoding: .utf8)
      for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        let isTyped = line.hasPrefix("    ") && line.contains("widgetfleet ")
        guard !line.hasPrefix("|"), !isTyped else { continue }
        #expect(line.count <= 120, "\(path):\(number + 1) has \(line.count) columns")
      }
    }
  }

  /// Returns Swift sources, scripts, scenarios and documents, except this file, whose pattern would match itself.
  private func texts() throws -> [String] {
    let folders = ["Sources", "Tests", "Scripts", "Scenarios", "Docs", "Bench", "Probe/Sources", "Probe/Tests"]
    let endings: Set = ["swift", "md", "py", "sh", "yaml"]
    let found = try folders.flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: repository.root.appending(path: folder).path)
        .map { folder + "/" + $0 }
    }
    let others = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "Makefile", "Package.swift"]
    return (found + others + ["Probe/README.md"])
      .filter { endings.contains(URL(filePath: $0).pathExtension) || !$0.contains("/") }
  }

  private func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: repository.root.appending(path: path).path)
  }
}
