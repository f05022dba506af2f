import Foundation
import Scenario
import Testing

@testable import ScenarioFiles

/// The examples of the YAML 1.2 standard: each is read as libfyaml reads it, or refused for a reason that it holds.
///
/// `make test` fetches them (Tests/Tools/yaml-examples.txt) and installs libfyaml's `fy-tool`, which tells what a text
/// means in the words of the yaml-test-suite.
@Suite struct SpecificationExampleTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
  private static let archive = root.appending(path: ".build/yaml-examples/yamllint-1.38.0.tar.gz").path

  /// Examples that the standard allows and libyaml, a reader of YAML 1.1, refuses, by what stands in them.
  private static let unreadable: [String: [String]] = [
    "a plain text that begins with a colon": ["7.10", "7.21"],
    "a key or a value that is left out": ["7.3", "7.17", "8.18"],
    "a tab behind a dash, or in a line of blanks": ["6.2", "6.3", "8.2"],
    "directives of other versions": ["6.13", "6.14", "9.5"],
    "a line that begins with %": ["9.3", "9.4"],
    "a key over two lines, which the example calls invalid": ["7.22"],
  ]
  /// Examples of what no reader takes, by the standard's own words, and 5.13, whose escapes only libfyaml refuses.
  private static let invalid: Set = ["5.10", "5.13", "5.14", "6.15", "6.17", "6.27", "8.3"]

  @Test func examplesAreReadAsTheStandardSaysOrRefusedWithAReason() throws {
    let folder = try Self.examples()
    defer { try? FileManager.default.removeItem(at: folder) }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names.count == 132)
    var (read, refused, unread) = (0, 0, Set<String>())
    for name in names {
      let file = folder.appending(path: name)
      let standard = try Self.standard(of: file)
      let (tree, codes) = Self.reading(of: Array(try Data(contentsOf: file)))
      if let tree {
        read += 1
        if let standard { #expect(Self.events(of: tree) == standard.events, "\(name)") }
      } else if let standard, codes.isSubset(of: standard.reasons) {
        refused += 1
        // A text of comments alone holds nothing, which is told by who wanted a scenario.
        #expect(!codes.isEmpty || standard.events.isEmpty, "\(name)")
      } else {
        #expect(standard == nil || codes == [.syntax], "\(name): \(codes), and it holds \(standard?.reasons ?? [])")
        unread.insert(String(name.dropFirst("example-".count)))
      }
    }
    #expect((read, refused) == (68, 43))
    #expect(unread == Self.invalid.union(Self.unreadable.values.joined()))
  }

  /// The tree of a text, or why there is none.
  private static func reading(of bytes: [UInt8]) -> (tree: Node?, codes: Set<Code>) {
    var problems = ProblemList(file: SourceText(name: "example", bytes: TextCheck.withoutMark(bytes)))
    let tree = TreeReader.read(source: 0, problems: &problems)
    let codes = Set(problems.diagnostics.map(\.code))
    return (codes.isEmpty ? tree : nil, codes)
  }

  /// What a text means, and what in it a scenario must not hold.
  private struct Standard {
    var events: [String] = []
    var reasons: Set<Code> = []
  }

  /// A folder of the examples, to be removed.
  private static func examples() throws -> URL {
    try #require(FileManager.default.fileExists(atPath: archive), "Scripts/setup.sh test fetches \(archive)")
    let folder = FileManager.default.temporaryDirectory.appending(path: "yaml-examples-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let inside = "yamllint-1.38.0/tests/yaml-1.2-spec-examples"
    _ = try output("tar", "xzf", archive, "-C", folder.path, "--strip-components=3", inside)
    return folder
  }

  /// What libfyaml says of a file; nil: it is no YAML.
  private static func standard(of file: URL) throws -> Standard? {
    guard let text = try output("fy-tool", "--testsuite", "--disable-flow-markers", file.path) else { return nil }
    var standard = Standard()
    var documents = 0
    var keys = KeyPlaces()
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      let (name, rest) = (parts[0], parts.count > 1 ? parts[1] : "")
      if name == "+DOC" { documents += 1 }
      if keys.take(name) { standard.reasons.insert(.complexKey) }
      if name == "=ALI" || rest.hasPrefix("&") { standard.reasons.insert(.anchor) }
      if rest.contains(#/^(&\S+ )?</#) { standard.reasons.insert(.tag) }
      if ["+MAP", "-MAP", "+SEQ", "-SEQ"].contains(name) { standard.events.append(name) }
      if name == "=VAL" { standard.events.append("=VAL " + unescaped(value(of: rest))) }
      if rest.contains("\\b") { standard.reasons.insert(.controlCharacter) }
    }
    if documents > 1 { standard.reasons.insert(.secondDocument) }
    if (try String(contentsOf: file, encoding: .utf8)).contains("%TAG") { standard.reasons.insert(.tag) }
    return standard
  }

  /// Which events are keys: in a mapping each second node.
  private struct KeyPlaces {
    private var open: [(isMapping: Bool, count: Int)] = []

    /// - Returns: whether the event begins a list or mapping that is a key, or refers to what may be one.
    mutating func take(_ name: String) -> Bool {
      if name.hasPrefix("-") {
        _ = open.popLast()
        return false
      }
      guard ["=VAL", "=ALI", "+MAP", "+SEQ"].contains(name) else { return false }
      let isKey = open.last.map { $0.isMapping && $0.count % 2 == 0 } ?? false
      if !open.isEmpty { open[open.count - 1].count += 1 }
      if name.hasPrefix("+") { open.append((name == "+MAP", 0)) }
      return isKey && name != "=VAL"
    }
  }

  /// The text behind an anchor, a tag and the mark of its style.
  private static func value(of rest: String) -> String {
    var left = Substring(rest)
    while left.hasPrefix("&") || left.hasPrefix("<") {
      left = left.firstIndex(of: " ").map { left[left.index(after: $0)...] } ?? ""
    }
    return String(left.dropFirst())
  }

  private static func unescaped(_ text: String) -> String {
    text.replacing(#/\\(.)/#) { ["n": "\n", "t": "\t", "r": "\r", "b": "\u{8}"][$0.1] ?? String($0.1) }
  }

  private static func events(of node: Node) -> [String] {
    switch node.content {
    case .scalar(let text, isPlain: _): ["=VAL " + text]
    case .list(let items): ["+SEQ"] + items.flatMap(events) + ["-SEQ"]
    case .mapping(let pairs): ["+MAP"] + pairs.flatMap { ["=VAL " + $0.key] + events(of: $0.value) } + ["-MAP"]
    case .refused: ["=ALI"]
    }
  }

  /// What a program prints; nil where it fails.
  private static func output(_ words: String...) throws -> String? {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
  }
}
