import Testing

@testable import RequestStatistics

struct NameTableTests {
  private func names(_ count: Int) -> [[UInt8]] { (0..<count).map { Array("/path/\($0)".utf8) } }

  @Test func nameIsStoredOnce() {
    let table = NameTable()
    let first = table.index(of: Array("/forecast".utf8))
    #expect(table.index(of: Array("/forecast".utf8)) == first)
    #expect(table.index(of: Array("/images".utf8)) != first)
    #expect(table[first] == "/forecast")
    #expect(table[.none] == nil)
  }

  /// The names kept out of too many are the same in any order; about half remain.
  @Test func removedNamesDoNotDependOnOrder() {
    func kept(_ names: [[UInt8]]) -> Set<String> {
      let table = NameTable()
      return Set(names.map { table.index(of: $0) }.compactMap { table[$0] })
    }
    let all = names(3 * NameTable.capacity)
    let once = kept(all)
    #expect(once == kept(all.reversed()))
    #expect(once.count > NameTable.capacity / 2 && once.count <= NameTable.capacity)
  }

  /// Names with six, three and one lines, and two lines without a name: with two names shown, one name and three lines
  /// are left.
  @Test func namesAreRankedByLines() {
    let table = NameTable(showsRare: true)
    var counts = NameCounts()
    for (name, lines) in [("b", 3), ("a", 6), ("c", 1), ("", 2)] {
      let index = name.isEmpty ? NameIndex.none : table.index(of: Array(name.utf8))
      for line in 0..<lines {
        var request = LoggedRequest(at: 0)
        request.bytes = line == 0 ? -1 : Int64(line)
        counts.add(index, request)
      }
    }
    let ranking = counts.ranked(table, maximum: 2)
    #expect(ranking.named.map(\.name) == ["a", "b"] && ranking.named.map(\.row.lines) == [6, 3])
    #expect(ranking.others == 1 && ranking.unnamed == 2 && ranking.rest == 3 && ranking.share(6) == 0.5)
    // The sizes 1 to 5 of six lines, and no size for one.
    #expect(ranking.named[0].row.meanBytes == 3 && counts.ranked(table, maximum: 9).named[2].row.meanBytes == nil)
    #expect(counts.ranked(table, maximum: 9).others == 0 && counts.ranked(table, maximum: 9).rest == 2)
  }
}
