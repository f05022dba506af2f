import Testing

@testable import WidgetFleetCommand

/// The table of commands, and the exit codes of failures.
struct ArgumentTableTests {
  @Test func missingArgumentsDifferFromDefaults() { #expect(Program.run([]) == 2) }

  @Test func spellingsAreUnique() {
    for command in Command.all {
      let spellings = command.options.map(\.spelling) + command.options.compactMap { $0.letter.map { "-\($0)" } }
      #expect(Set(spellings).count == spellings.count)
    }
    #expect(Set(Command.all.map(\.name)).count == Command.all.count)
  }

  @Test func helpNamesEveryOptionWithin120Columns() {
    for command in Command.all {
      let text = HelpText.text(of: command)
      for option in command.options { #expect(text.contains(option.spelling)) }
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 120 })
    }
  }

  @Test func everyFailureHasItsCode() {
    let failures: [(Failure, Int32)] = [
      (.usage("x"), 2), (.invalidScenario(problems: "x"), 2), (.unsuitableInput(path: "x", reason: "y"), 2),
      (.cannotRead(path: "x", errno: 2), 4), (.cannotWrite(path: "x", errno: 28), 4),
      (.notReplaced(path: "x", reason: "y"), 4), (.brokenPipe, 4), (.stopped(signal: 2), 130),
      (.stopped(signal: 15), 143), (.bug("x"), 3),
    ]
    for (failure, code) in failures { #expect(failure.exitCode.rawValue == code) }
    #expect(Failure.bug("x").text.contains(Version.current))
    #expect(Failure.brokenPipe.text.isEmpty)
  }
}
