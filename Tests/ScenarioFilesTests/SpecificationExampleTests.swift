import Foundation
import Scenario
import Testing

@testable import ScenarioFiles

/// The examples of the YAML 1.2 standard: each is read as libfyaml reads it, or refused for a valid reason.
///
/// `make test` fetches them (Tests/Tools/yaml-examples.txt) and installs libfyaml's `fy-tool`, which prints the meaning
/// of a text in the notation of the yaml-test-suite.
@Suite struct SpecificationExampleTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
  private static let archive = root.appending(path: ".build/yaml-examples/yamllint-1.38.0.tar.gz").path

  /// The examples that the standard allows but libyaml, a YAML 1.1 reader, refuses, by content.
  private static let unreadable: [String: [String]] = [
    "a plain text that begins with a colon": ["7.10", "7.21"],
    "a key or a value that is left out": ["7.3", "7.17", "8.18"],
    "a tab behind a dash, or in a line of blanks": ["6.2", "6.3", "8.2"],
    "directives of other versions": ["6.13", "6.14", "9.5"],
    "a line that begins with %": ["9.3", "9.4"],
    "a key over two lines, which the example calls invalid": ["7.22"],
  ]
  /// The examples that the standard itself calls invalid, and 5.13, whose escapes only libfyaml refuses.
  private static let invalid: Set = ["5.10", "5.13", "5.14", "6.15", "6.17", "6.27", "8.3"]

  @Test func specificationExamplesAreReadOrRefusedWithAReason() throws {
    let folder = try Self.examples()
    defer { try? FileManager.default.removeItem(at: folder) }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names.count == 132)
    var (read, refused, unread) = (0, 0, Set<String>())
    for name in names {
      let file = folder.appending(path: name)
      let standard = try Self.standard(of: file)
      let (tree, codes) = StandardYAML.reading(of: try Data(contentsOf: file))
      if let tree {
        read += 1
        if let standard { #expect(StandardYAML.events(of: tree) == standard.events, "\(name)") }
      } else if let standard, codes.isSubset(of: standard.reasons) {
        refused += 1
        // A text with only comments is empty, which only the scenario reader reports.
        #expect(!codes.isEmpty || standard.events.isEmpty, "\(name)")
      } else {
        #expect(standard == nil || codes == [.syntax], "\(name): \(codes), and it holds \(standard?.reasons ?? [])")
        unread.insert(String(name.dropFirst("example-".count)))
      }
    }
    #expect((read, refused) == (68, 43))
    #expect(unread == Self.invalid.union(Self.unreadable.values.joined()))
  }

  /// Returns a folder with the examples, which the caller removes.
  private static func examples() throws -> URL {
    try #require(FileManager.default.fileExists(atPath: archive), "Scripts/setup.sh test fetches \(archive)")
    let folder = FileManager.default.temporaryDirectory.appending(path: "yaml-examples-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let inside = "yamllint-1.38.0/tests/yaml-1.2-spec-examples"
    _ = try Tool.output("tar", "xzf", archive, "-C", folder.path, "--strip-components=3", inside)
    return folder
  }

  /// Returns libfyaml's reading of a file; `nil` if it is not YAML.
  private static func standard(of file: URL) throws -> StandardYAML? {
    let events = try Tool.output("fy-tool", "--testsuite", "--disable-flow-markers", file.path)
    guard let events else { return nil }
    return StandardYAML(events: events, of: try Data(contentsOf: file))
  }
}
