package import Scenario
package import SimulationKernel

/// A reader for `--part FROM..TO` and `--step SPAN`, which accept instants, times of day and durations as in scenarios.
package enum PartReader {
  /// A problem in an argument, together with advice.
  package struct Problem: Error, Hashable {
    /// The problem, worded to follow the name of the option, such as `is a duration and needs a unit`.
    package var sentence: String
    package var help: String?
  }

  /// Parses a part of the measured period, which must be aligned to the clock's time steps.
  ///
  /// The ends of the part are instants, times of day in UTC, or durations since the start of the measured period. A
  /// time of day refers to its first occurrence: for the start, within the measured period, and for the end, after the
  /// start of the part.
  package static func part(_ text: String, of clock: Clock) throws(Problem) -> Range<Instant> {
    let ends = try read { () throws(ValueProblem) in try Quantities.ends(text) }
    let from = try instant(ends.0, after: nil, clock)
    let to = try instant(ends.1, after: from, clock)
    guard from < to else { throw Problem(sentence: "must end after it starts", help: example(clock)) }
    guard from >= .start, to <= clock.end else {
      throw Problem(
        sentence: "is outside the measured period, from \(Self.text(.start, clock)) to "
          + Self.text(clock.end, clock),
        help: example(clock))
    }
    for end in [from, to] where end.millisecondsSinceStart % clock.step.milliseconds != 0 {
      throw Problem(
        sentence: "must start and end on a time step of \(QuantityText.duration(clock.step)), and "
          + "\(Self.text(end, clock)) is not on one", help: example(clock))
    }
    return from..<to
  }

  /// Parses a duration, which must be a whole number of time steps.
  package static func step(_ text: String, of clock: Clock) throws(Problem) -> TimeAmount {
    let span = try read { () throws(ValueProblem) in try Quantities.duration(text) }
    guard span > .zero, span.milliseconds % clock.step.milliseconds == 0 else {
      let step = QuantityText.duration(clock.step)
      throw Problem(sentence: "must be a multiple of clock.step, \(step)", help: Help.write("--step \(step)").text)
    }
    return span
  }

  private static func instant(_ text: String, after earlier: Instant?, _ clock: Clock) throws(Problem) -> Instant {
    if text.contains("T") || text.count > 12 {
      let read = try read { () throws(ValueProblem) in try CalendarText.instant(text) }
      return Instant(millisecondsSinceStart: read - clock.startUnixMilliseconds)
    }
    guard text.contains(":") else {
      return .start + (try read { () throws(ValueProblem) in try Quantities.duration(text) })
    }
    let time = try read { () throws(ValueProblem) in try CalendarText.timeOfDay(text) }
    let base = clock.startUnixMilliseconds + (earlier ?? .start).millisecondsSinceStart
    let today = base.floorDivided(by: TimeAmount.day.milliseconds) * TimeAmount.day.milliseconds
    let found = Instant(
      millisecondsSinceStart: today + time.sinceMidnight.milliseconds - clock.startUnixMilliseconds)
    let isPast = earlier.map { found <= $0 } ?? (found < .start)
    return isPast ? found + .day : found
  }

  private static func text(_ instant: Instant, _ clock: Clock) -> String {
    QuantityText.instant(unixMilliseconds: clock.startUnixMilliseconds + instant.millisecondsSinceStart)
  }

  /// Returns an example argument that selects the first half of the period, which is valid for any clock.
  private static func example(_ clock: Clock) -> String {
    let steps = clock.duration.milliseconds / clock.step.milliseconds
    let half = clock.step * max(steps / 2, 1)
    return Help.write("--part \(text(.start, clock))..\(text(.start + half, clock))").text
  }

  private static func read<Value>(_ reading: () throws(ValueProblem) -> Value) throws(Problem) -> Value {
    do { return try reading() } catch { throw Problem(sentence: error.sentence, help: error.help?.text) }
  }
}
