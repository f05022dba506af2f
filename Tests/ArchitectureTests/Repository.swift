import Foundation

/// The project's own files, as text.
struct Repository {
  /// A Swift file of a target.
  struct Source {
    var target: String
    /// The path from the repository root.
    var path: String
    var text: String

    /// The file name, without its extension.
    var name: String { String((path.split(separator: "/").last ?? "").split(separator: ".").first ?? "") }
    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// The first line of each doc comment, without slashes.
    var docComments: [(line: Int, text: Substring)] {
      let bare = lines.map { line in line.drop { $0 == " " } }
      return bare.indices.filter { bare[$0].hasPrefix("/// ") && ($0 == 0 || !bare[$0 - 1].hasPrefix("///")) }
        .map { (line: $0 + 1, text: bare[$0].dropFirst(4)) }
    }

    /// The names of imported modules: the word after `import`, or after the kind of declaration that follows it.
    var imports: [String] {
      let words = SwiftWords(text).words.map(\.text)
      let kinds: Set = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
      return words.indices.filter { words[$0] == "import" }.compactMap { index in
        words[(index + 1)...].first { !kinds.contains($0) }
      }
    }
  }

  let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Returns every Swift file below Sources.
  func sources() throws -> [Source] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: "Sources").path)
      .filter { $0.hasSuffix(".swift") }.sorted()
      .map { path in
        // The targets are one level down, below their layer.
        let target = String(path.split(separator: "/")[1])
        return Source(target: target, path: "Sources/" + path, text: try text(of: "Sources/" + path))
      }
  }

  /// Returns the dependencies of each target in Package.swift, except tests.
  func declaredDependencies() throws -> [String: Set<String>] {
    let manifest = try text(of: "Package.swift")
    var dependencies: [String: Set<String>] = [:]
    for match in manifest.matches(of: /\broom\(([^)]*)\)/) {
      let names = Self.quoted(match.output.1)
      if let name = names.first { dependencies[name] = Set(names.dropFirst()) }
    }
    for match in manifest.matches(of: /\.executableTarget\(\s*name: "(\w+)",\s*dependencies: \[([^\]]*)\]/) {
      dependencies[String(match.output.1)] = Set(Self.quoted(match.output.2))
    }
    for match in manifest.matches(of: /\.target\(name: "(C\w+)"(?:, dependencies: \[([^\]]*)\])?/) {
      dependencies[String(match.output.1)] = Set(Self.quoted(match.output.2 ?? ""))
    }
    for match in manifest.matches(of: /\.systemLibrary\(\s*name: "(\w+)"(?!, path: "Tests)/) {
      dependencies[String(match.output.1)] = []
    }
    return dependencies
  }

  private static func quoted(_ text: Substring) -> [String] { text.matches(of: /"(\w+)"/).map { String($0.output.1) } }
}
