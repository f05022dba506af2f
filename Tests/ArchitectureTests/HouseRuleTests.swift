import Testing

/// Rules of the house that a compiler does not hold.
@Suite struct HouseRuleTests {
  let repository = Repository()

  /// Only the program touches files, prints, reads the clock and the environment.
  @Test func onlyTheProgramMeetsTheWorld() throws {
    let calls: Set = ["print", "debugPrint", "dump", "readLine", "fopen", "fputs", "getenv", "setenv", "clock_gettime"]
    let types: Set = [
      "FileManager", "FileHandle", "ProcessInfo", "Process", "URL", "ContinuousClock", "SuspendingClock",
    ]
    for source in try repository.sources() where source.target != "widgetfleet" {
      for word in SwiftWords(source.text).words where word.before != "." {
        let isCall = calls.contains(word.text) && word.after == "("
        #expect(!isCall && !types.contains(word.text), "\(source.path):\(word.line): \(word.text)")
      }
    }
  }

  /// No `try!`, no `as!`, no `value!`, no `fatalError`.
  @Test func nothingIsForced() throws {
    for source in try repository.sources() {
      let swift = SwiftWords(source.text)
      #expect(swift.forcedLines.isEmpty, "\(source.path)")
      #expect(!swift.words.contains { $0.text == "fatalError" }, "\(source.path)")
    }
  }

  @Test func filesAreShort() throws {
    for source in try repository.sources() { #expect(source.lines.count <= 401, "\(source.path)") }
  }

  /// What the rules see if they see anything at all.
  @Test func wordsAreFoundOutsideCommentsAndTexts() {
    let swift = SwiftWords(
      "let a = \"b! \\\" c\" // d!\n!e != f\ng! + try! h()[0]!\n\"\"\"\ni! \"j\"\n\"\"\"\nx.print(1)")
    #expect(swift.words.map(\.text) == ["let", "a", "e", "f", "g", "try", "h", "0", "x", "print", "1"])
    #expect(swift.words[9] == SwiftWords.Word(text: "print", line: 7, before: ".", after: "("))
    #expect(swift.forcedLines == [3, 3, 3])
  }
}
