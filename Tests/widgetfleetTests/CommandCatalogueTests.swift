import Foundation
import Testing

/// Wrong command lines as people type them, each with the exit status and the first line of the response.
///
/// In `CommandCatalogue.txt`, a line of arguments, with single quotes around blanks, is followed by the indented
/// response. `make goldens` rewrites the responses: review the difference.
struct CommandCatalogueTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "CommandCatalogue.txt")
  private static let renews = ProcessInfo.processInfo.environment["WIDGETFLEET_RENEW_GOLDENS"] != nil

  private static func arguments(_ line: String) -> [String] {
    line.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { place, part in
      place % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
    }
  }

  @Test func commandMessagesAreUnchanged() throws {
    let lines = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n").map(String.init)
    let child = try Child()
    defer { child.remove() }
    #expect(try child.run(["run", "small.yaml", "-q", "--no-bracket", "--out", "done"]).status == 0)
    try child.write("not a log\n", to: "garbage.log")
    try child.write("{}", to: "empty.json")
    var answers: [String] = []
    for place in stride(from: 0, to: lines.count, by: 2) {
      let outcome = try child.run(Self.arguments(lines[place]))
      let said = outcome.error.split(separator: "\n").map(String.init)
      // Warnings and tables may precede the final error.
      let first = said.first { $0.hasPrefix("error") } ?? ""
      let answer = "  \(outcome.status) \(first)"
      answers += [lines[place], answer]
      #expect(outcome.status != 0 && !first.isEmpty, "\(lines[place])")
      if !Self.renews { #expect(answer == lines[place + 1], "\(lines[place])") }
    }
    #expect(answers.count / 2 >= 90)
    if Self.renews { try Data((answers.joined(separator: "\n") + "\n").utf8).write(to: Self.file) }
  }
}
