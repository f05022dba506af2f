import Testing

/// House rules that the compiler does not check.
@Suite struct HouseRuleTests {
  let repository = Repository()

  /// Only the program touches files, prints, or reads the clock and environment; Platform holds the calls it uses for
  /// that, and WidgetFleetFiles reads scenario files.
  @Test func onlyTheProgramTouchesFilesAndClocks() throws {
    let calls: Set = ["print", "debugPrint", "dump", "readLine", "fopen", "fputs", "getenv", "setenv", "clock_gettime"]
    let types: Set = [
      "FileManager", "FileHandle", "ProcessInfo", "Process", "URL", "ContinuousClock", "SuspendingClock",
    ]
    let program: Set = ["WidgetFleetCommand", "Platform"]
    for source in try repository.sources() where !program.contains(source.target) {
      let types = source.target == "WidgetFleetFiles" ? types.subtracting(["URL"]) : types
      for word in SwiftWords(source.text).words where word.before != "." {
        let isCall = calls.contains(word.text) && word.after == "("
        #expect(!isCall && !types.contains(word.text), "\(source.path):\(word.line): \(word.text)")
      }
    }
  }

  /// No `try!`, no `as!`, no `value!`, no `fatalError`.
  @Test func sourcesContainNoForcedUnwraps() throws {
    for source in try repository.sources() {
      let swift = SwiftWords(source.text)
      #expect(swift.forcedLines.isEmpty, "\(source.path)")
      #expect(!swift.words.contains { $0.text == "fatalError" }, "\(source.path)")
    }
  }

  /// The pointers of a device stay behind accessors, and no rule goes around them.
  @Test func deviceRulesUseAccessorsInsteadOfPointers() throws {
    let behind: Set = ["DeviceBlock", "SessionDraws", "EnergyLedger", "UnperturbedPlan"]
    let rules = try repository.sources().filter {
      $0.target == "DeviceModel" && !$0.path.contains("/Tallies/") && !behind.contains($0.name)
    }
    #expect(rules.count > 30)
    for source in rules {
      for word in SwiftWords(source.text).words where word.text == "pointee" {
        Issue.record("\(source.path):\(word.line) reaches through a pointer")
      }
    }
  }

  /// An operating system's scheduler inputs are read only in its own folder, during preparation, and in pictures.
  @Test func systemRulesAreReadOnlyInTheirFolder() throws {
    let sources = try repository.sources().filter { $0.target == "DeviceModel" }
    let reading = sources.filter { source in
      SwiftWords(source.text).words.contains { $0.text == "system" && $0.before == "." && $0.after == "." }
    }
    #expect(reading.contains { $0.path.contains("/WidgetKit/") })
    for source in reading {
      let isHome = ["/WidgetKit/", "/Plan/", "/Diary/"].contains { source.path.contains($0) }
      #expect(isHome, "\(source.path) reads the system's rules")
    }
  }

  private static let maxLines = 600

  @Test func filesAreShort() throws {
    for source in try repository.sources() {
      #expect(source.lines.count <= Self.maxLines + 1, "\(source.path)")
    }
  }

  /// The contents of a folder can be seen at a glance.
  @Test func foldersAreSmall() throws {
    let folders = Dictionary(grouping: try repository.sources()) { source in
      source.path.split(separator: "/").dropLast().joined(separator: "/")
    }
    for (folder, sources) in folders { #expect(sources.count <= 12, "\(folder) has \(sources.count) files") }
  }

  /// The length runs from the line that names a function to its closing brace.
  @Test func functionsAreShort() throws {
    for source in try repository.sources() {
      for (name, lines) in functions(of: source.lines) {
        #expect(lines <= 50, "\(source.path): \(name) has \(lines) lines")
      }
    }
  }

  /// Returns the functions; the formatter aligns a function's closing brace with its first letter.
  private func functions(of lines: [Substring]) -> [(name: Substring, lines: Int)] {
    lines.indices.compactMap { start in
      let line = lines[start]
      guard let match = line.firstMatch(of: /^(\s*)(?:[\w@]+(?:\([\w\s:]*\))? )*func (\w+)/), !line.hasSuffix("}")
      else {
        return nil
      }
      // A protocol requirement has no body: a brace after the protocol's own belongs to another function.
      let head = lines[start...].prefix(12).prefix { $0 != "}" }
      guard let open = head.firstIndex(where: { $0.hasSuffix("{") }),
        let end = lines[open...].firstIndex(of: match.output.1 + "}")
      else { return nil }
      return (match.output.2, end - start + 1)
    }
  }

  @Test func functionLengthsAreMeasured() {
    let text =
      "protocol P {\n  func e()\n}\n"
      + "struct S {\n  func a() { 1 }\n  private func b(\n    _ c: Int\n  ) {\n    d()\n  }\n}"
    let found = functions(of: text.split(separator: "\n"))
    #expect(found.map(\.name) == ["b"] && found.map(\.lines) == [5])
  }

  /// A doc comment starts with its subject, because it may be read without the one before it.
  @Test func docCommentsStandAlone() throws {
    for source in try repository.sources() {
      for comment in source.docComments {
        #expect(!leans(comment.text), "\(source.path):\(comment.line): \(comment.text)")
      }
    }
  }

  private func leans(_ comment: Substring) -> Bool { comment.prefixMatch(of: /(?:Of|The same)\b/) != nil }

  /// The rules find violations.
  @Test func wordsAreFoundOutsideCommentsAndTexts() {
    let swift = SwiftWords(
      "let a = \"b! \\\" c\" // d!\n!e != f\ng! + try! h()[0]!\n\"\"\"\ni! \"j\"\n\"\"\"\nx.print(1)")
    #expect(swift.words.map(\.text) == ["let", "a", "e", "f", "g", "try", "h", "0", "x", "print", "1"])
    #expect(swift.words[9] == SwiftWords.Word(text: "print", line: 7, before: ".", after: "("))
    #expect(swift.forcedLines == [3, 3, 3])
  }

  @Test func docCommentStartsAreFound() {
    let text = "/// Of a.\nlet a = 1\n  /// B,\n  /// Of c.\n  ///\n  /// Of d.\nlet b = 2\n// Of e.\n/// The same;"
    let comments = Repository.Source(target: "T", path: "t.swift", text: text).docComments
    #expect(comments.map(\.line) == [1, 3, 9])
    #expect(comments.map(\.text) == ["Of a.", "B,", "The same;"])
    #expect(comments.map { leans($0.text) } == [true, false, true])
    #expect(!leans("Offline.") && !leans("The sameness of bytes."))
  }
}
