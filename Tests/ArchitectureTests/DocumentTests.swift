import Foundation
import Testing

/// Documents that code and other documents cite.
@Suite struct DocumentTests {
  let repository = Repository()

  /// No document is cited that is not there.
  @Test func everyCitedDocumentExists() throws {
    let name = /[A-Za-z][A-Za-z-]*\.md\b/
    for path in try texts() {
      // Some broken scenarios are no UTF-8 on purpose.
      let text = String(decoding: try Data(contentsOf: repository.root.appending(path: path)), as: UTF8.self)
      for citation in text.matches(of: name) {
        let document = String(citation.output)
        let isThere = ["", "Docs/"].contains { exists($0 + document) }
        #expect(isThere, "\(path) cites \(document)")
      }
    }
  }

  /// Swift sources, scripts, scenarios and documents, but this file, whose pattern would find itself.
  private func texts() throws -> [String] {
    let folders = ["Sources", "Tests", "Scripts", "Scenarios", "Docs", "Bench"]
    let endings: Set = ["swift", "md", "py", "sh", "yaml"]
    let found = try folders.flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: repository.root.appending(path: folder).path)
        .map { folder + "/" + $0 }
    }
    return (found + ["README.md", "ARCHITECTURE.md", "Makefile", "Package.swift"])
      .filter { endings.contains(URL(filePath: $0).pathExtension) || !$0.contains("/") }
  }

  private func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: repository.root.appending(path: path).path)
  }
}
