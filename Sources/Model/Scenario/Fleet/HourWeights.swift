package import SimulationKernel

/// The weights of the local hours from 0 to 23; only their ratios matter (MODEL.md 2.2).
package struct HourWeights: Hashable, Sendable {
  package var weights: [Double]

  package init(weights: [Double]) {
    precondition(weights.count == 24, "a day has 24 hour weights")
    self.weights = weights
  }

  /// Returns the weights shifted by whole hours, so that the largest weight is in the hour of the given time (MODEL.md
  /// 2.2).
  package func turned(toPeakAt time: TimeOfDay) -> HourWeights {
    let peak = weights.indices.max { weights[$0] < weights[$1] } ?? 0
    let hour = Int(time.sinceMidnight.milliseconds / TimeAmount.hour.milliseconds)
    return HourWeights(weights: weights.indices.map { weights[($0 + peak - hour + 24) % 24] })
  }

  /// The first of the eight consecutive hours with the least use. Hours with more use than average count as average
  /// (MODEL.md 4.7).
  package var nightHour: Int {
    let sum = weights.reduce(0, +)
    // Rounding to whole millionths ensures that nights with the same use compare as equal.
    let use = weights.map { sum > 0 ? Int((min(24 * $0 / sum, 1) * 1_000_000).rounded()) : 0 }
    let night = { (first: Int) in (0..<ModelConstants.nightHours).reduce(0) { $0 + use[(first + $1) % 24] } }
    return (0..<24).map { (ModelConstants.usualNightHour + $0) % 24 }.min { night($0) < night($1) } ?? 0
  }

  package static let flat = HourWeights(weights: Array(repeating: 1, count: 24))
  /// The average of the user counts and packet counts in a city's cellular network from 19 to 25 August 2012
  /// (../shared/reference, 5.2).
  package static let `default` = HourWeights(weights: [
    0.915, 0.612, 0.410, 0.307, 0.261, 0.273, 0.523, 1.032, 1.283, 1.224, 1.209, 1.235,
    1.256, 1.175, 1.179, 1.192, 1.257, 1.427, 1.443, 1.297, 1.207, 1.100, 1.094, 1.085,
  ])

  /// A segment of the daily profile in which the intensity, a multiple of the daily mean, changes linearly.
  package struct Line: Hashable, Sendable {
    package var from: TimeAmount
    package var length: TimeAmount
    package var first: Double
    package var last: Double

    package var end: TimeAmount { from + length }

    /// Returns the intensity at a time, given in seconds on the same clock as `from`.
    package func intensity(at second: Double) -> Double {
      first + (last - first) * ((second - from.seconds) / length.seconds)
    }
  }

  private static let half = TimeAmount.minutes(30)

  /// The intensities at the start and end of each half hour.
  private var halves: [(first: Double, last: Double)] {
    let mean = max(weights.reduce(0, +) / 24, .leastNormalMagnitude)
    return weights.indices.flatMap { hour in
      let own = weights[hour] / mean
      let (before, after) = (weights[(hour + 23) % 24] / mean, weights[(hour + 1) % 24] / mean)
      // An hour with weight 0 has no activity, but does not reduce the intensity of neighbouring hours.
      let edge = { (other: Double) in own > 0 && other > 0 ? (own + other) / 2 : own }
      return [(edge(before), own), (own, edge(after))]
    }
  }

  /// The fraction of the day's total in each half hour.
  package var halfHours: [Double] { halves.map { ($0.first + $0.last) / 96 } }

  /// The line segments of a day without a clock change, from midnight to midnight.
  package var lines: [Line] {
    halves.enumerated().reduce(into: []) { lines, half in
      let (first, last) = half.element
      if half.offset % 2 == 0, !lines.isEmpty, lines[lines.count - 1].last == first {
        // The line extends past the full hour to the middle of the next hour.
        lines[lines.count - 1].length += Self.half
        lines[lines.count - 1].last = last
      } else {
        lines.append(Line(from: Self.half * Int64(half.offset), length: Self.half, first: first, last: last))
      }
    }
  }

  /// Returns the line segments between two local instants; times are relative to the first instant (MODEL.md 2.1).
  ///
  /// An hour that the clock skips is omitted, and a repeated hour appears twice.
  package func lines(from beginning: Instant, to end: Instant, of wall: WallClock) -> [Line] {
    let regular = lines
    var lines: [Line] = []
    var now = beginning
    while now < end {
      let local = wall.reading(at: now).sinceMidnight
      let line = regular.last { $0.from <= local } ?? regular[0]
      let change = wall.segments.indices.map { wall.segments[$0].from }.first { $0 > now } ?? .never
      let next = min(now + (line.end - local), change, end)
      lines.append(
        Line(
          from: now - beginning, length: next - now, first: line.intensity(at: local.seconds),
          last: line.intensity(at: (local + (next - now)).seconds)))
      now = next
    }
    return lines
  }
}
