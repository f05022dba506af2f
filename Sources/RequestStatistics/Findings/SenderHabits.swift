/// What a sampled sender's requests look like, to tell phones from what is none.
package struct SenderHabits: Sendable, BitwiseCopyable {
  package let sender: UInt64
  package let requests: Int
  /// Groups of requests that follow each other within two seconds.
  package let wakes: Int
  /// Days since 1970 of the first and of the last request.
  package let firstDay: Int64
  package let lastDay: Int64
  /// Whole hours of UTC in which it was ever seen.
  package let hours: Int
  /// Half the width of the middle two thirds of its gaps between wakes, over their median; 1 where there are few.
  package let spread: Double
  /// Different kinds, or else paths, that it asks for.
  package let kinds: Int

  /// How close requests lie that belong to one wake, in milliseconds: the valley of the gaps between 2 s and 4 min.
  package static let wakeMilliseconds: Int64 = 2_000
  private static let leastGaps = 50

  /// - Parameter own: one sender's requests in order of time; at least one.
  init(_ own: ArraySlice<SampledRequest>) {
    var gaps: [Int64] = []
    var (wakes, hours) = (1, UInt32(0))
    var kinds: Set<UInt16> = []
    var last = own[own.startIndex].time
    for request in own {
      if request.time - last > Self.wakeMilliseconds {
        gaps.append(request.time - last)
        wakes += 1
      }
      last = request.time
      hours |= 1 << UInt32(request.time / 3_600_000 % 24)
      if kinds.count < 64 { kinds.insert(request.kind == .none ? request.path.number : request.kind.number) }
    }
    sender = own[own.startIndex].sender
    requests = own.count
    self.wakes = wakes
    firstDay = own[own.startIndex].time / 86_400_000
    lastDay = last / 86_400_000
    self.hours = hours.nonzeroBitCount
    self.kinds = kinds.count
    gaps.sort()
    if gaps.count >= Self.leastGaps, gaps[gaps.count / 2] > 0 {
      let width = Double(gaps[gaps.count * 5 / 6] - gaps[gaps.count / 6])
      spread = width / 2 / Double(gaps[gaps.count / 2])
    } else {
      spread = 1
    }
  }

  package var days: Int { Int(lastDay - firstDay) + 1 }
  package var wakesPerDay: Double { Double(wakes) / Double(days) }

  /// What it is taken for.
  package var verdict: Verdict {
    // The system starts a widget every five minutes at most: 288 times a day.
    let most = 288.0 * Double(max(kinds, 1))
    if spread < Self.machineSpread { return .machine }
    if wakesPerDay > most { return hours == 24 && spread < Self.steadySpread ? .machine : .shared }
    return .phone
  }

  /// No phone keeps its gaps within 1 % of each other.
  private static let machineSpread = 0.01
  /// What asks at any hour with gaps as even as this is a program.
  private static let steadySpread = 0.2

  package enum Verdict: Sendable {
    case phone
    /// A program that polls: as regular as a clock.
    case machine
    /// More than one phone can send: an id that several share, such as zeros or one token.
    case shared
  }
}
