package import Scenario
package import SimulationKernel

/// The habits of a cohort's owners prepared for the event path (MODEL.md 2).
package struct PersonPlan: BitwiseCopyable, Sendable {
  /// Unlocks per day of a device, drawn once.
  package var unlocksPerDay: NumberSampler
  /// Day factor of each local date.
  package var dayFactor: NumberSampler
  /// Day factor of each local date that all devices share.
  package var fleetDayFactor = NumberSampler.constant(1)
  /// Exponential with mean 1: steps of a Poisson process in units of its mean gap.
  package var unitGap: NumberSampler
  /// By zone number.
  package var hours: PreparedList<HourProfile>
  package var session: SpanSampler
  /// Glances as a multiple of the unlock intensity; 0 also when nothing on the lock screen could be seen.
  package var glancesPerUnlock: Double
  /// Further home screen visits of a session.
  package var furtherVisits: ChoiceTable<Int>
  /// The last page that a visit comes to, counted from 1.
  package var depth: ChoiceTable<Int>
  /// Whether the app is opened in a session.
  package var appOpens: Chance
  package var foreground: SpanSampler
  /// Per day; 0 without audio sessions.
  package var audioPerDay: Double
  package var audioLength: SpanSampler

  package init(
    unlocksPerDay: NumberSampler, dayFactor: NumberSampler, unitGap: NumberSampler, hours: PreparedList<HourProfile>,
    session: SpanSampler, glancesPerUnlock: Double, furtherVisits: ChoiceTable<Int>, depth: ChoiceTable<Int>,
    appOpens: Chance, foreground: SpanSampler, audioPerDay: Double, audioLength: SpanSampler
  ) {
    self.unlocksPerDay = unlocksPerDay
    self.dayFactor = dayFactor
    self.unitGap = unitGap
    self.hours = hours
    self.session = session
    self.glancesPerUnlock = glancesPerUnlock
    self.furtherVisits = furtherVisits
    self.depth = depth
    self.appOpens = appOpens
    self.foreground = foreground
    self.audioPerDay = audioPerDay
    self.audioLength = audioLength
  }
}

/// How a day's share of a process's rate is spread over the hours, in one zone (MODEL.md 2.1, 2.2).
package struct HourProfile: BitwiseCopyable, Sendable {
  /// A piece of a date in which the intensity is linear.
  package struct Piece: BitwiseCopyable, Sendable {
    /// After the date's beginning.
    package var from: TimeAmount
    /// The share of a regular day's rate that has passed when the piece begins.
    package var passed: Double
    /// Milliseconds that the process takes for a whole day's rate at the intensity with which the piece begins; 0:
    /// nothing happens in it.
    package var millisecondsPerDayRate: Double
    /// Growth of the square of the intensity, in multiples of its value at the beginning, with the share that passes.
    package var bend: Double

    package init(from: TimeAmount, passed: Double, millisecondsPerDayRate: Double, bend: Double = 0) {
      self.from = from
      self.passed = passed
      self.millisecondsPerDayRate = millisecondsPerDayRate
      self.bend = bend
    }
  }

  /// One date's pieces, and the share of a regular day's rate in the whole date.
  package struct Day: BitwiseCopyable, Sendable {
    package var pieces: PreparedList<Piece>
    package var total: Double

    package init(pieces: PreparedList<Piece>, total: Double) {
      self.pieces = pieces
      self.total = total
    }

    /// When, after the date's beginning, a share below `total` of the rate has passed.
    ///
    /// - Parameter index: of a piece to look from, not after the one that the share falls in; then of that one.
    package func time(of share: Double, from index: inout UInt32) -> TimeAmount {
      while Int(index) + 1 < pieces.count, pieces.element(at: Int(index) + 1).passed <= share { index += 1 }
      let piece = pieces.element(at: Int(index))
      let inside = share - piece.passed
      // The mean of the intensities at the piece's beginning and at the time, in multiples of the first.
      let mean = (1 + max(1 + piece.bend * inside, 0).squareRoot()) / 2
      return piece.from + .milliseconds(Int64(inside * piece.millisecondsPerDayRate / mean))
    }

    /// The share that has passed at a time after the date's beginning.
    package func share(at time: TimeAmount) -> Double {
      let index = max(pieces.prefixLength { $0.from <= time } - 1, 0)
      let piece = pieces.element(at: index)
      guard piece.millisecondsPerDayRate > 0 else { return piece.passed }
      let atFirst = Double((time - piece.from).milliseconds) / piece.millisecondsPerDayRate
      return min(piece.passed + atFirst * (1 + piece.bend * atFirst / 4), total)
    }
  }

  /// A date on which daylight saving begins or ends.
  package struct Exception: BitwiseCopyable, Sendable {
    package var date: LocalDay
    package var day: Day

    package init(date: LocalDay, day: Day) {
      self.date = date
      self.day = day
    }
  }

  package var regular: Day
  /// Ascending dates.
  package var exceptions: PreparedList<Exception>

  package init(regular: Day, exceptions: PreparedList<Exception>) {
    self.regular = regular
    self.exceptions = exceptions
  }

  package func day(_ date: LocalDay) -> Day {
    for index in 0..<exceptions.count where exceptions[index].date == date { return exceptions[index].day }
    return regular
  }
}
