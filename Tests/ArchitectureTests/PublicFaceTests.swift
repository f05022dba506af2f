import Testing

/// The library is documented for its users: each public name has a comment, and each type has an example.
@Suite struct PublicFaceTests {
  private static let face: Set = ["WidgetFleet", "WidgetFleetFiles", "WidgetFleetCommand"]

  private let repository = Repository()

  /// A public declaration, with the lines of the comment before it.
  private struct Declaration {
    var line: Int
    var text: Substring
    var comment: [Substring]

    var isType: Bool {
      text.firstMatch(of: #/^public (?:final )?(?:struct|class|enum|protocol|actor|typealias) /#) != nil
    }
  }

  /// Returns the public declarations, which include the cases of public enumerations, of a file.
  private func declarations(in lines: [Substring]) -> [Declaration] {
    let bare = lines.map { line in line.drop { $0 == " " } }
    let indents = lines.map { line in line.prefix { $0 == " " }.count }
    // The indentation of the public enumeration that contains a line.
    var enumeration: Int?
    return bare.indices.compactMap { index in
      let line = bare[index]
      if let indent = enumeration, line.hasPrefix("}"), indents[index] == indent { enumeration = nil }
      let isCase = enumeration.map { line.hasPrefix("case ") && indents[index] == $0 + 2 } ?? false
      guard isCase || line.hasPrefix("public "), !line.hasPrefix("public import ") else { return nil }
      if line.hasPrefix("public enum "), line.hasSuffix("{") { enumeration = indents[index] }
      let comment = bare[..<index].reversed().drop { $0.hasPrefix("@") }.prefix { $0.hasPrefix("///") }
      return Declaration(line: index + 1, text: line, comment: comment.reversed())
    }
  }

  @Test func eachPublicNameHasAComment() throws {
    var count = 0
    for source in try repository.sources() where Self.face.contains(source.target) {
      for declaration in declarations(in: source.lines) {
        count += 1
        #expect(!declaration.comment.isEmpty, "\(source.path):\(declaration.line): \(declaration.text)")
      }
    }
    #expect(count > 80)
  }

  @Test func eachPublicTypeHasAnExample() throws {
    var count = 0
    for source in try repository.sources() where Self.face.contains(source.target) {
      for declaration in declarations(in: source.lines) where declaration.isType {
        // A type inside another is part of its example.
        guard source.lines[declaration.line - 1].hasPrefix("public") else { continue }
        count += 1
        let hasExample = declaration.comment.contains { $0.contains("```swift") }
        #expect(hasExample, "\(source.path):\(declaration.line): \(declaration.text)")
      }
    }
    #expect(count > 12)
  }

  /// A user of the library can name each type in the declarations of the types that it exports.
  @Test func typesOfExportedDeclarationsAreExported() throws {
    let sources = try repository.sources()
    let names = try #require(sources.first { $0.path.hasSuffix("/WidgetFleet/Names.swift") }).text
    let exported = Set(names.matches(of: #/@_exported public import \w+ \w+\.(\w+)/#).map { String($0.output.1) })
    let below = sources.filter { ["Scenario", "SimulationKernel"].contains($0.target) }
    let types = #/(?m)^public (?:final )?(?:struct|class|enum|protocol) (\w+)/#
    let known = Set(below.flatMap { $0.text.matches(of: types).map { String($0.output.1) } })
      // The table is for the package's own programs.
      .subtracting(["ProviderTable"])
    #expect(exported.isSubset(of: known) && exported.contains("TimelineContext"))
    var count = 0
    for source in below where source.path.contains("/Providers/") {
      for declaration in declarations(in: source.lines) where !declaration.isType {
        let used = Set(declaration.text.matches(of: #/[A-Z]\w+/#).map { String($0.output) }).intersection(known)
        count += used.count
        #expect(used.isSubset(of: exported), "\(source.path):\(declaration.line): \(declaration.text)")
      }
    }
    #expect(count > 20)
  }

  /// The parser finds declarations with and without comments.
  @Test func declarationsAreFound() {
    let text = """
      public import A
      /// B.
      @frozen
      public struct B {
        public let c = 1
        var d = 2
      }
      public enum E {
        case f
        /// G.
        case g
      }
      enum H { case i }
      """
    let found = declarations(in: text.split(separator: "\n", omittingEmptySubsequences: false))
    #expect(found.map(\.line) == [4, 5, 8, 9, 11])
    #expect(found.map(\.comment.isEmpty) == [false, true, true, true, false])
    #expect(found.map(\.isType) == [true, false, true, false, false])
  }
}
