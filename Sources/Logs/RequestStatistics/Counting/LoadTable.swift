/// The number of lines per time bin for several series. Bins are stored only for days with lines.
package struct LoadTable: Sendable {
  package let millisecondsPerBin: Int64
  package let seriesCount: Int
  /// The position of the first bin for each series and day.
  private var places: [Int64: Int] = [:]
  private var bins: [UInt32] = []
  /// The day to which lines of each series were last added, with the position of the day's first bin.
  private var recent: [(day: Int64, place: Int)]

  private static let millisecondsPerDay: Int64 = 86_400_000

  /// - Parameter millisecondsPerBin: the bin width, a divisor of a day.
  package init(series: Int, millisecondsPerBin: Int64) {
    precondition(series > 0 && Self.millisecondsPerDay % millisecondsPerBin == 0, "a day has whole bins")
    seriesCount = series
    self.millisecondsPerBin = millisecondsPerBin
    recent = Array(repeating: (day: -1, place: 0), count: series)
  }

  package var binsPerDay: Int { Int(Self.millisecondsPerDay / millisecondsPerBin) }

  /// - Parameter time: non-negative milliseconds since 1970.
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

  /// Subtracts lines that should not have been counted.
  mutating func remove(_ count: UInt32, _ series: Int, at time: Int64) {
    let day = time / Self.millisecondsPerDay
    guard let place = places[day * Int64(seriesCount) + Int64(series)] else { return }
    let bin = place + Int((time - day * Self.millisecondsPerDay) / millisecondsPerBin)
    bins[bin] -= min(bins[bin], count)
  }

  /// The days with lines, counted from 1970 and in ascending order.
  package var days: [Int64] { Set(places.keys.map { $0 / Int64(seriesCount) }).sorted() }

  /// Returns the number of lines in each bin of `range` (whole bins, in milliseconds since 1970), summed over several
  /// series.
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

extension LoadTable {
  /// Returns the number of lines in each step of `range` (whole steps, in milliseconds since 1970), summed over several
  /// series.
  ///
  /// - Parameter length: the length of a step in milliseconds, a multiple of the bin width.
  package func counts(in range: Range<Int64>, per length: Int64, of series: [Int]) -> [Int64] {
    let bins = counts(in: range, of: series)
    let each = Int(length / millisecondsPerBin)
    return stride(from: 0, to: bins.count, by: each).map { bins[$0..<$0 + each].reduce(0, +) }
  }
}

extension Range<Int64> {
  /// Returns the range of whole steps that covers a range of non-negative times.
  package func wholeSteps(of length: Int64) -> Range<Int64> {
    lowerBound / length * length..<(upperBound + length - 1) / length * length
  }
}

/// The number of requests in each time step, without gaps, as stored by monitoring systems.
package struct CountedLoad: Sendable {
  /// The start of the first step in milliseconds since 1970.
  package let start: Int64
  /// The length of a step in milliseconds, a divisor of a day.
  package let step: Int64
  package let counts: [Double]
  /// The steps missing from the table, which are filled with the mean of the same step on other days.
  package let missing: [Range<Int64>]

  private static let day: Int64 = 86_400_000
  /// The maximum number of steps in a table of counts, which corresponds to two years of minutes.
  private static let maximum = 2 * 366 * 1_440
  /// The maximum number of requests per step. It exceeds the load of any fleet, and ensures that the sum over all steps
  /// fits into 64 bits.
  package static let maxPerStep = 1e12

  /// - Parameters:
  ///   - bins: bins in any order; the counts of bins at the same instant are summed.
  ///   - days: the days to include, where 1 is the UTC day of the first step; `nil` for all.
  /// - Returns: `nil` if there are fewer than two bins or too many steps, or if the step length does not divide a day.
  package init?(_ bins: [(time: Int64, count: Int64)], step: Int64, days: ClosedRange<Int>? = nil) {
    guard let earliest = bins.map(\.time).min() else { return nil }
    let bins = bins.filter { bin in
      days.map { $0.contains(Int(bin.time / Self.day - earliest / Self.day) + 1) } ?? true
    }
    guard step > 0, Self.day % step == 0, bins.count > 1, let first = bins.map(\.time).min(),
      let last = bins.map(\.time).max(), (last - first) / step < Self.maximum
    else { return nil }
    var sums = [Double?](repeating: nil, count: Int((last - first) / step) + 1)
    for bin in bins {
      let place = Int((bin.time - first) / step)
      sums[place] = (sums[place] ?? 0) + Double(bin.count)
    }
    guard sums.allSatisfy({ $0 ?? 0 <= Self.maxPerStep }) else { return nil }
    start = first
    self.step = step
    missing = sums.indices.filter { sums[$0] == nil }.map { place in
      first + Int64(place) * step..<first + Int64(place + 1) * step
    }
    counts = Self.filled(sums, perDay: Int(Self.day / step))
  }

  private static func filled(_ sums: [Double?], perDay: Int) -> [Double] {
    let known = sums.compactMap { $0 }
    let mean = known.reduce(0, +) / Double(known.count)
    return sums.indices.map { place in
      if let count = sums[place] { return count }
      let others = stride(from: place % perDay, to: sums.count, by: perDay).compactMap { sums[$0] }
      return others.isEmpty ? mean : others.reduce(0, +) / Double(others.count)
    }
  }

  package var total: Double { counts.reduce(0, +) }
  /// The length of a time step in seconds.
  package var stepSeconds: Double { Double(step) / 1_000 }
  /// The mean rate in requests per second.
  package var meanRate: Double { total / Double(counts.count) / stepSeconds }
  package var peakRate: Double { (counts.max() ?? 0) / stepSeconds }

  /// The UTC midnight before the first step, in milliseconds since 1970.
  package var firstDay: Int64 { start / Self.day * Self.day }

  package var span: Range<Int64> { start..<start + Int64(counts.count) * step }

  /// Returns the number of requests in bins of a given length, starting with the bin that contains the first step. The
  /// result is `nil` if the bin length is not a multiple of the step.
  package func counts(per length: Int64) -> (start: Int64, counts: [Double])? {
    guard length % step == 0 else { return nil }
    let first = start / length * length
    var sums = [Double](repeating: 0, count: Int((span.upperBound - first + length - 1) / length))
    for (place, count) in counts.enumerated() { sums[Int((start + Int64(place) * step - first) / length)] += count }
    return (first, sums)
  }
}
