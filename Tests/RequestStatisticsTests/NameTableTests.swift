import Testing

@testable import RequestStatistics

struct NameTableTests {
  private func names(_ count: Int) -> [[UInt8]] { (0..<count).map { Array("/path/\($0)".utf8) } }

  @Test func aNameHasOnePlace() {
    let table = NameTable()
    let first = table.index(of: Array("/forecast".utf8))
    #expect(table.index(of: Array("/forecast".utf8)) == first)
    #expect(table.index(of: Array("/images".utf8)) != first)
    #expect(table[first] == "/forecast")
    #expect(table[.none] == nil)
  }

  /// The kept names of too many are equal for any order; about half remain.
  @Test func whoMakesRoomDependsOnNoOrder() {
    func kept(_ names: [[UInt8]]) -> Set<String> {
      let table = NameTable()
      return Set(names.map { table.index(of: $0) }.compactMap { table[$0] })
    }
    let all = names(3 * NameTable.capacity)
    let once = kept(all)
    #expect(once == kept(all.reversed()))
    #expect(once.count > NameTable.capacity / 2 && once.count <= NameTable.capacity)
  }
}
