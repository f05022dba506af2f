import Testing

@testable import Scenario

@Suite struct KeyTableTests {
  let table = KeyTable.standard

  @Test func everyKeyPathIsUnique() {
    #expect(Set(table.entries.map(\.path)).count == table.entries.count)
  }

  @Test func everyPathHasItsParent() {
    for entry in table.entries {
      let parent = entry.path.split(separator: ".").dropLast().joined(separator: ".")
      #expect(parent.isEmpty || table[parent] != nil, "\(entry.path)")
    }
  }

  @Test func everyHelpIsOneLine() {
    for entry in table.entries + table.planEntries {
      #expect(!entry.help.isEmpty && entry.help.count < 100, "\(entry.path)")
    }
  }

  @Test func namesMatchPatterns() {
    #expect(table.child("weather", of: "kinds")?.path == "kinds.*")
    #expect(table.child("jiter", of: "kinds.*") == nil)
  }
}
