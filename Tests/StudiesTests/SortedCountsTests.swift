import Testing

@testable import Studies

/// Counts in ascending order, by either sorting method.
struct SortedCountsTests {
  @Test(arguments: [
    [], [3], [2, 0, 1], [5, 5, 5], [0, 0, 0], [1_000_000, 0, 1], [-1, 0, 1, 0], [3, 1, 2, 0, 3],
    (0..<500).map { Int64($0 * $0 % 97) },
  ])
  func countsAreSortedCompletely(_ counts: [Int64]) {
    let ascending = SortedCounts(counts).ascending
    #expect(zip(ascending, ascending.dropFirst()).allSatisfy { $0 <= $1 })
    let times = { (values: [Int64]) in values.reduce(into: [:]) { $0[$1, default: 0] += 1 } }
    #expect(times(ascending) == times(counts))
  }
}
