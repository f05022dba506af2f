import Testing

/// How much one type and one call may ask of a reader.
@Suite struct SizeTests {
  let repository = Repository()

  private static let mostLines = 600

  /// No type has more than 600 lines over all its extensions.
  @Test func typesAreShort() throws {
    let lines = try repository.sources().reduce(into: [String: Int]()) { lines, source in
      lines.merge(SwiftShapes(source.lines).typeLines) { $0 + $1 }
    }
    for (name, count) in lines {
      #expect(count <= Self.mostLines, "\(name) has \(count) lines over all its extensions")
    }
  }

  /// Functions that had more parameters when the rule came: the list only shrinks.
  private static let knownFunctions: Set = ["Scenario/KeyEntry.swift: key"]
  private static let mostParameters = 6

  /// No function has more than six parameters, but for initializers that only keep them.
  @Test func functionsHaveFewParameters() throws {
    var known: Set<String> = []
    for source in try repository.sources() {
      for function in SwiftShapes(source.lines).functions where function.parameters.count > Self.mostParameters {
        guard !function.isMemberwise else { continue }
        let name = source.path.dropFirst("Sources/".count) + ": " + function.name
        if Self.knownFunctions.contains(String(name)) {
          known.insert(String(name))
        } else {
          Issue.record("\(name) has \(function.parameters.count) parameters, line \(function.line)")
        }
      }
    }
    #expect(known == Self.knownFunctions, "some are short by now: take them off the list")
  }

  /// What the rules see if they see anything at all.
  @Test func shapesAreFound() {
    let text = """
      package struct A: B {
        struct C {}
        init(a: Int, of b: [Int: (Int, Int)] = [:], _ c: (Int, Int) -> Void) {
          self.a = a
          bInFewBits = UInt8(b)
          self.c = c.sorted()
        }
      }
      extension A { var d: Int { 1 } }
      extension A.C {
        @inline(__always) static func == <T>(
          left: T, right: T
        ) -> Bool { self.init(1, 2, 3) }
        init?(e: Int) {
          f(e)
        }
      }
      """
    let shapes = SwiftShapes(text.split(separator: "\n", omittingEmptySubsequences: false))
    #expect(shapes.typeLines == ["A": 9, "A.C": 8])
    #expect(shapes.functions.map(\.name) == ["init", "==", "init"])
    #expect(shapes.functions.map(\.parameters) == [["a", "b", "c"], ["left", "right"], ["e"]])
    #expect(shapes.functions.map(\.isMemberwise) == [true, false, false])
  }
}
