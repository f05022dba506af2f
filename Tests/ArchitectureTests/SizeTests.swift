import Testing

/// The max size of a type and of a call.
@Suite struct SizeTests {
  let repository = Repository()

  private static let maxLines = 600

  /// No type has more than 600 lines, extensions included.
  @Test func typesAreShort() throws {
    let lines = try repository.sources().reduce(into: [String: Int]()) { lines, source in
      // The library has types of its own with names of inner ones, such as Scenario.
      let prefix = source.path.contains("/Library/") ? "WidgetFleet." : ""
      for (name, count) in SwiftShapes(source.lines).typeLines { lines[prefix + name, default: 0] += count }
    }
    for (name, count) in lines {
      #expect(count <= Self.maxLines, "\(name) has \(count) lines over all its extensions")
    }
  }

  private static let maxParameters = 6

  /// No function has more than six parameters, except initializers that only store them.
  @Test func functionsHaveFewParameters() throws {
    for source in try repository.sources() {
      for function in SwiftShapes(source.lines).functions where !function.isMemberwise {
        let count = function.parameters.count
        #expect(count <= Self.maxParameters, "\(source.path):\(function.line): \(function.name)")
      }
    }
  }

  /// The rules find violations.
  @Test func longTypesAndParameterListsAreDetected() {
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
