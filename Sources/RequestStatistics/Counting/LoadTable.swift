/// Lines per bin of time of some series, stored for the days that have any.
package struct LoadTable: Sendable {
  package let millisecondsPerBin: Int64
  package let seriesCount: Int
  /// Where the bins of a series and day begin.
  private var places: [Int64: Int] = [:]
  private var bins: [UInt32] = []
  /// By series: the day that was counted last, and where its bins begin.
  private var recent: [(day: Int64, place: Int)]

  private static let millisecondsPerDay: Int64 = 86_400_000

  /// - Parameter millisecondsPerBin: divides a day.
  package init(series: Int, millisecondsPerBin: Int64) {
    precondition(series > 0 && Self.millisecondsPerDay % millisecondsPerBin == 0, "a day has whole bins")
    seriesCount = series
    self.millisecondsPerBin = millisecondsPerBin
    recent = Array(repeating: (day: -1, place: 0), count: series)
  }

  package var binsPerDay: Int { Int(Self.millisecondsPerDay / millisecondsPerBin) }

  /// - Parameter time: milliseconds since 1970, not before.
  @inline(__always)
  mutating func add(_ series: Int, at time: Int64) {
    let day = time / Self.millisecondsPerDay
    if recent[series].day != day { turn(series, to: day) }
    let bin = Int((time - day * Self.millisecondsPerDay) / millisecondsPerBin)
    bins[recent[series].place + bin] &+= 1
  }

  private mutating func turn(_ series: Int, to day: Int64) {
    recent[series] = (day, place(series, day))
  }

  private mutating func place(_ series: Int, _ day: Int64) -> Int {
    let key = day * Int64(seriesCount) + Int64(series)
    if let place = places[key] { return place }
    let place = bins.count
    bins.append(contentsOf: repeatElement(0, count: binsPerDay))
    places[key] = place
    return place
  }

  mutating func merge(_ other: Self) {
    for (key, from) in other.places {
      let (day, series) = key.quotientAndRemainder(dividingBy: Int64(seriesCount))
      let to = place(Int(series), day)
      for bin in 0..<binsPerDay { bins[to + bin] &+= other.bins[from + bin] }
    }
  }

  /// Takes lines away that should not have been counted.
  mutating func remove(_ count: UInt32, _ series: Int, at time: Int64) {
    let day = time / Self.millisecondsPerDay
    guard let place = places[day * Int64(seriesCount) + Int64(series)] else { return }
    let bin = place + Int((time - day * Self.millisecondsPerDay) / millisecondsPerBin)
    bins[bin] -= min(bins[bin], count)
  }

  /// Days since 1970 that have lines, in order.
  package var days: [Int64] { Set(places.keys.map { $0 / Int64(seriesCount) }).sorted() }

  /// Lines in each bin of `range` (milliseconds since 1970, whole bins), summed over some series.
  package func counts(in range: Range<Int64>, of series: some Sequence<Int>) -> [Int64] {
    var sums = [Int64](repeating: 0, count: Int((range.upperBound - range.lowerBound) / millisecondsPerBin))
    let first = range.lowerBound / millisecondsPerBin
    for series in series {
      for day in range.lowerBound / Self.millisecondsPerDay...max(range.upperBound - 1, 0) / Self.millisecondsPerDay {
        guard let place = places[day * Int64(seriesCount) + Int64(series)] else { continue }
        for bin in 0..<binsPerDay {
          let index = Int(day) * binsPerDay + bin - Int(first)
          if sums.indices.contains(index) { sums[index] += Int64(bins[place + bin]) }
        }
      }
    }
    return sums
  }
}
