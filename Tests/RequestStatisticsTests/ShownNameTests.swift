import Testing

@testable import RequestStatistics

/// Names are shown word by word if enough senders share them on one day.
struct ShownNameTests {
  private static let day: Int64 = 86_400_000

  private typealias Lines = (path: String, senders: Range<UInt64>, day: Int64)

  /// Returns lines with paths: each from a number of senders, numbered from a first one, on a given day.
  private static func counts(
    _ lines: [Lines], _ table: NameTable
  ) -> NameCounts {
    var counts = NameCounts()
    for (path, senders, day) in lines {
      for sender in senders {
        var request = LoggedRequest(at: day * Self.day + Int64(sender))
        request.source = sender
        counts.add(table.index(of: path.utf8), request)
      }
    }
    return counts
  }

  private static func shown(_ lines: [Lines]) -> [String: Int64] {
    let table = NameTable(separatedBy: "/")
    let ranking = counts(lines, table).ranked(table)
    #expect(ranking.rest == 0)
    return Dictionary(uniqueKeysWithValues: ranking.named.map { ($0.name, $0.row.lines) })
  }

  private static func line(_ path: String, from sender: Int, to end: Int? = nil, day: Int = 0) -> Lines {
    (path, UInt64(sender)..<UInt64(end ?? sender + 1), Int64(day))
  }

  @Test func nineteenSendersAreNotACrowd() {
    #expect(Self.shown([("/a/anna", 1..<20, 0), ("/a/b", 1..<21, 0)]) == ["/a/{text}": 19, "/a/b": 20])
  }

  /// A phone with a different address each day does not count as many senders.
  @Test func sendersCountPerDay() {
    let days = (0..<40).map { Self.line("/anna", from: $0 + 1, day: $0) }
    #expect(Self.shown(days) == ["/{text}": 40])
  }

  /// Words that are common elsewhere do not reveal a rare word before them.
  @Test func rareWordHidesAllFollowingWords() {
    let lines: [Lines] = [
      ("/users/anna/inbox", 1..<3, 0), ("/users/otto/inbox", 3..<30, 0),
      ("/users/erna/inbox", 30..<31, 0), ("/anna", 1..<30, 0), ("/users/erna/", 30..<31, 0),
    ]
    #expect(
      Self.shown(lines)
        == ["/users/{text}/{text}": 3, "/users/{text}/": 1, "/users/otto/inbox": 27, "/anna": 29])
  }

  /// If words are hidden, the senders that share what follows are counted together.
  @Test func hiddenWordsShareOneCrowd() {
    let lines = (1..<31).map { Self.line("/users/u\($0)x/inbox", from: $0) }
    #expect(Self.shown(lines) == ["/users/{text}/inbox": 30])
  }

  @Test func unknownSendersAreNotACrowd() {
    let lines = (0..<50).map { _ in Self.line("/anna/{id}", from: 0) }
    #expect(Self.shown(lines) == ["/{text}/{id}": 50])
  }

  /// Threads see lines in any order: the sums over two equal those of one.
  @Test func partsAddUp() {
    let lines = (0..<200).map { number in
      Self.line("/\(number % 7 < 3 ? "a" : "b")/\(number % 11)x", from: number, to: number + 3, day: number % 3)
    }
    let table = NameTable(separatedBy: "/")
    let whole = Self.counts(lines, table).ranked(table).named
    var parts = Self.counts(lines.filter { $0.senders.lowerBound % 2 == 1 }.reversed(), table)
    parts.merge(Self.counts(lines.filter { $0.senders.lowerBound % 2 == 0 }.shuffled(), table))
    #expect(parts.ranked(table).named.map(\.name) == whole.map(\.name))
    #expect(parts.ranked(table).named.map(\.row.lines) == whole.map(\.row.lines))
  }

  @Test func permittedRareNamesAreShown() {
    let table = NameTable(separatedBy: "/", showsRare: true)
    #expect(Self.counts([("/anna", 1..<2, 0)], table).ranked(table).named.map(\.name) == ["/anna"])
    let other = NameTable(separatedBy: "/")
    _ = other.index(ofGiven: "api")
    #expect(Self.counts([("api", 1..<2, 0)], other).ranked(other).named.map(\.name) == ["api"])
  }
}
