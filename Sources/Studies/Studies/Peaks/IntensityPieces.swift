import Numerics
import SimulationKernel

/// The spans of windows in which a sampled load is treated as constant (MODEL.md 8.1).
///
/// Every bump or gap that cannot be explained by chance becomes a separate piece. The remaining windows are pooled.
struct IntensityPieces {
  /// The cut points in ascending order, from 0 to the number of windows.
  private(set) var cuts: [Int]
  /// The number of requests in the first i windows, at index i.
  private let sums: [Double]
  private let dispersion: Dispersion

  /// The value of -2 log(p), where p is the probability of wrongly cutting a constant piece.
  private static let threshold = 5.991_464_547
  /// The weight of the logarithm of the number of positions. It is twice the penalty for one position, because each
  /// piece of a day is searched at every length.
  fileprivate static let placesWeight = 4.0
  /// The minimum score of an initial candidate.
  private static let start = 3.0
  /// The fraction of the threshold above which two neighbouring pieces are kept separate.
  private static let mergeShare = 0.6
  /// The maximum ratio of a score to Wald's squared statistic, which uses the variance of the bump itself.
  private static let waldShare = 1.5

  /// - Parameter counts: the number of requests per window in the sample.
  init(_ counts: [Double], _ dispersion: Dispersion) {
    var sum = 0.0
    var sums = [0.0]
    sums.reserveCapacity(counts.count + 1)
    for count in counts {
      sum += count
      sums.append(sum)
    }
    self.sums = sums
    self.dispersion = dispersion
    cuts = [0, counts.count]
    guard !counts.isEmpty else { return }
    var open = [0..<counts.count]
    while let piece = open.popLast() {
      guard let bump = bump(in: piece) else { continue }
      let parts = [
        piece.lowerBound..<bump.lowerBound, bump, bump.upperBound..<piece.upperBound,
      ].filter { !$0.isEmpty }
      cuts += parts.dropFirst().map(\.lowerBound)
      open += parts
    }
    cuts.sort()
    merge()
  }

  /// The pieces in chronological order.
  var ranges: [Range<Int>] { zip(cuts, cuts.dropFirst()).map { $0..<$1 } }

  func requests(in range: Range<Int>) -> Double { sums[range.upperBound] - sums[range.lowerBound] }

  /// Returns the most significant bump or gap in a piece; `nil` if it can be explained by chance.
  private func bump(in piece: Range<Int>) -> Range<Int>? {
    let all = requests(in: piece)
    guard piece.count > 1, all > 0, var best = likeliest(in: piece, all) else { return nil }
    var step = max(best.range.count / 4, 1)
    while true {
      let moved = better(than: best, in: piece, all, by: step)
      if let moved {
        best = moved
      } else if step > 1 {
        step /= 2
      } else {
        break
      }
    }
    return best.score >= Self.threshold ? best.range : nil
  }

  private typealias Candidate = (range: Range<Int>, score: Double)

  /// Returns the most significant of all spans of 1, 2, 4... windows that start at multiples of half their length or
  /// end with the piece.
  private func likeliest(in piece: Range<Int>, _ all: Double) -> Candidate? {
    var best: Candidate?
    var length = 1
    while length < piece.count {
      let test = Test(piece, all, length: length, dispersion)
      let stride = max(length / 2, 1)
      var start = piece.lowerBound
      let last = piece.upperBound - length
      var reach = test.reach(best?.score ?? Self.start)
      sums.withUnsafeBufferPointer { sums in
        while start <= last {
          let part = sums[start &+ length] - sums[start]
          if (part - test.expected).magnitude > reach, test.canExceed(best?.score ?? Self.start, part) {
            let score = test.score(part)
            if score > best?.score ?? Self.start {
              best = (start..<start + length, score)
              reach = test.reach(score)
            }
          }
          start = start == last ? last &+ 1 : min(start &+ stride, last)
        }
      }
      length *= 2
    }
    return best
  }

  /// Moves either end of the best span by `step` windows in both directions, and returns the first of the four spans
  /// that is better.
  private func better(than best: Candidate, in piece: Range<Int>, _ all: Double, by step: Int) -> Candidate? {
    let (low, high) = (best.range.lowerBound, best.range.upperBound)
    for (from, to) in [(low - step, high), (low + step, high), (low, high - step), (low, high + step)]
    where from >= piece.lowerBound && to <= piece.upperBound && from < to && to - from < piece.count {
      let score = Test(piece, all, length: to - from, dispersion).score(sums[to] - sums[from])
      if score > best.score + 1e-9 { return (from..<to, score) }
    }
    return nil
  }

  /// Merges neighbouring pieces that do not differ significantly, most similar first.
  private mutating func merge() {
    guard cuts.count > 2 else { return }
    var scores = (1..<cuts.count - 1).map { score(ofCut: $0) }
    while let minimum = scores.indices.min(by: { scores[$0] < scores[$1] }),
      scores[minimum] < Self.mergeShare * Self.threshold
    {
      cuts.remove(at: minimum + 1)
      scores.remove(at: minimum)
      for cut in [minimum, minimum + 1] where cut > 0 && cut <= scores.count { scores[cut - 1] = score(ofCut: cut) }
    }
  }

  /// Returns the score of the difference between the two pieces adjacent to a cut.
  private func score(ofCut index: Int) -> Double {
    let both = cuts[index - 1]..<cuts[index + 1]
    let left = cuts[index - 1]..<cuts[index]
    return Test(both, requests(in: both), length: left.count, dispersion).score(requests(in: left))
  }

  /// A test of whether part of a piece contains more or fewer requests than expected from its length.
  private struct Test {
    private let all: Double
    private let share: Double
    private let dispersion: Double
    /// The number of requests expected in the part.
    let expected: Double
    /// The penalty for the number of possible positions of the part.
    private let penalty: Double

    init(_ piece: Range<Int>, _ all: Double, length: Int, _ dispersion: Dispersion) {
      self.all = all
      share = Double(length) / Double(piece.count)
      let shorter = min(length, piece.count - length)
      self.dispersion = dispersion.ofDifference(windows: shorter)
      expected = all * share
      penalty = all > 0 ? IntensityPieces.placesWeight * SteadyMath.log(Double(piece.count) / Double(shorter)) : 0
    }

    /// Returns the deviance of a binomial count divided by the dispersion, minus 4 log(positions). The quotient is
    /// limited to 1.5 times Wald's squared statistic.
    func score(_ part: Double) -> Double {
      guard all > 0 else { return 0 }
      let deviance = 2 * (Self.term(part, all * share) + Self.term(all - part, all * (1 - share)))
      return min(deviance / dispersion, IntensityPieces.waldShare * wald(part)) - penalty
    }

    private func wald(_ part: Double) -> Double {
      let (rest, other) = (all - part, 1 - share)
      let excess = part * other - rest * share
      let variance = part * other * other + rest * share * share
      return variance > 0 ? excess * excess / (dispersion * variance) : 0
    }

    /// Returns the distance from the expected count beyond which a part may exceed a score. The deviance is at most
    /// twice Pearson's statistic.
    func reach(_ score: Double) -> Double {
      (max(score + penalty, 0) * dispersion * expected * (1 - share) / 2).squareRoot()
    }

    /// Returns whether a score above the given one is possible, considering Wald's squared statistic.
    func canExceed(_ score: Double, _ part: Double) -> Bool {
      IntensityPieces.waldShare * wald(part) - penalty > score
    }

    private static func term(_ count: Double, _ expected: Double) -> Double {
      count > 0 ? count * SteadyMath.log(count / expected) : 0
    }
  }
}
