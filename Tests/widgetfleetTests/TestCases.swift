import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// JUnit XML as read by a CI tool.
struct TestCases {
  /// The outcomes by name: the element inside, or `pass`.
  var outcomes: [String: String] = [:]
  /// The attributes of the suites that hold counts.
  var counts: [String: String] = [:]

  init(_ path: String) throws {
    let document = try XMLDocument(contentsOf: URL(fileURLWithPath: path))
    let root = document.rootElement()
    for attribute in root?.attributes ?? [] where attribute.name != "name" {
      counts[attribute.name ?? ""] = attribute.stringValue
    }
    for suite in root?.elements(forName: "testsuite") ?? [] {
      for test in suite.elements(forName: "testcase") {
        let inside = (test.children ?? []).compactMap { $0 as? XMLElement }.first?.name
        outcomes[test.attribute(forName: "name")?.stringValue ?? ""] = inside ?? "pass"
      }
    }
  }
}
