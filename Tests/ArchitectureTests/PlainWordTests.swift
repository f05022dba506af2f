import Foundation
import Testing

/// Words that plain English does without: absent people, and programs that speak.
@Suite struct PlainWordTests {
  let repository = Repository()

  /// Texts that may keep such a word, each with its reason.
  private static let exceptions: [(text: String, reason: String)] = [
    ("CANNOT TELL", "the verdict's own word"), ("Cannot tell", "the verdict's entry in the glossary"),
    ("name: everybody", "a cohort's name in examples"), ("`told`", "the name of a parameter"),
  ]

  private static func refusedWord(in line: some StringProtocol) -> Substring? {
    var text = String(line)
    for exception in exceptions { text.replace(exception.text, with: "") }
    // People who are not there, and what only people do: use the passive, or show, report, print, estimate.
    let refused =
      /\b(nobody|somebody|whoever|anyone|anybody|everybody|foretells?|foretold|tells?|told|says?|said)\b/.ignoresCase()
    return text.firstMatch(of: refused).map { Substring(String($0.output.0)) }
  }

  /// The prose of documents, the catalogue and comments, and Swift string literals.
  @Test func textsAvoidAbsentPeopleAndSpeakingPrograms() throws {
    let folders = ["Docs", "Sources/Words/CWords/catalogue"]
    let files = try folders.flatMap { folder in
      try FileManager.default.contentsOfDirectory(atPath: repository.root.appending(path: folder).path)
        .filter { $0.hasSuffix(".md") || $0.hasSuffix(".txt") }.map { folder + "/" + $0 }
    }
    for path in (files + ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]).sorted() {
      for (number, line) in try repository.text(of: path).split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        let word = Self.refusedWord(in: line)
        #expect(word == nil, "\(path):\(number + 1): \(word ?? "")")
      }
    }
    for source in try repository.sources() {
      for (number, line) in source.lines.enumerated() {
        guard let prose = Self.prose(of: line) else { continue }
        let word = Self.refusedWord(in: prose)
        #expect(word == nil, "\(source.path):\(number + 1): \(word ?? "")")
      }
    }
  }

  /// Returns the comment or string literals of a line, without interpolations; `nil` if it has neither.
  private static func prose(of line: Substring) -> String? {
    if let comment = line.firstRange(of: "//"), !line[..<comment.lowerBound].contains("\"") {
      return String(line[comment.upperBound...])
    }
    var texts = ""
    for match in line.matches(of: /"((?:[^"\\]|\\.)*)"/) { texts += " " + match.output.1.replacing(/\\\(.*/, with: "") }
    return texts.isEmpty ? nil : texts
  }

  /// A doc comment begins with a noun or a verb.
  @Test func docCommentsBeginWithANounOrVerb() throws {
    for source in try repository.sources() {
      for comment in source.docComments {
        let heads = comment.text.prefixMatch(of: /(?:What|That|Those|Where|Whoever|How|When|Who)\b/)
        #expect(heads == nil, "\(source.path):\(comment.line): \(comment.text)")
      }
    }
  }

  @Test(arguments: [
    ("/// The file tells it.", true), ("let a = \"nobody looks\"", true), ("let told = nobody", false),
    ("let a = \"\\(told) of 3\"", false), ("let word = \"CANNOT TELL\"", false), ("let a = 1  // Said.", true),
  ]) func refusedWordsAreFoundOnlyInProse(line: String, isFound: Bool) {
    #expect((Self.prose(of: line[...]).flatMap { Self.refusedWord(in: $0) } != nil) == isFound)
  }
}
