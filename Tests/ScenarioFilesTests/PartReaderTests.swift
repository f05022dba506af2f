import Scenario
import SimulationKernel
import Testing

@testable import ScenarioFiles

/// The options `--part FROM..TO` and `--step SPAN`, for a clock that starts at 06:00 UTC and lasts two days.
struct PartReaderTests {
  private static let clock = Clock(
    startUnixMilliseconds: 1_800_252_000_000, warmup: .zero, duration: .days(2), step: .seconds(10))

  /// Hours from the start: 1 800 252 000 s after 1970 is 2027-01-18T06:00:00Z.
  @Test(
    arguments: [
      ("09:00..10:00", 3, 4), ("2h..3h", 2, 3), ("0s..48h", 0, 48), ("0..1d", 0, 24),
      // The first midnight after the start, and the first 06:00 after that.
      ("24:00..06:00", 18, 24), ("05:00..07:00", 23, 25), ("23:00..01:00", 17, 19), ("06:00..06:00", 0, 24),
      ("2027-01-18T09:00:00Z..2027-01-18T10:00:00+01:00", 3, 3), ("2027-01-19T00:00:00Z..24h", 18, 24),
    ] as [(String, Int64, Int64)])
  func partsAreRead(_ text: String, _ from: Int64, _ to: Int64) throws {
    guard from < to else {
      #expect(throws: PartReader.Problem.self) { try PartReader.part(text, of: Self.clock) }
      return
    }
    let part = try PartReader.part(text, of: Self.clock)
    #expect(part == .start + .hours(from)..<Instant.start + .hours(to))
  }

  @Test(arguments: [
    ("1h", "is not a range"), ("1h..", "is not a range"), ("3h..2h", "must end after it starts"),
    ("1h..3d", "is outside the measured period, from 2027-01-18T06:00:00Z to 2027-01-20T06:00:00Z"),
    ("2027-01-18T05:00:00Z..1h", "is outside the measured period"), ("1..2", "needs a unit"),
    ("1s..1h", "must start and end on a time step of 10s, and 2027-01-18T06:00:01Z is not on one"),
    ("25:00..26:00", "is not a clock time"), ("2027-01-18T09:00:00..1h", "needs an offset"),
  ])
  func invalidPartsAreRefusedWithHelp(_ text: String, _ sentence: String) throws {
    let problem = #expect(throws: PartReader.Problem.self) { try PartReader.part(text, of: Self.clock) }
    #expect(problem?.sentence.contains(sentence) == true, "\(problem?.sentence ?? "")")
    // The suggestion in the help is itself valid.
    guard let help = problem?.help, help.hasPrefix("write --part ") else { return }
    #expect(throws: Never.self) { try PartReader.part(String(help.dropFirst("write --part ".count)), of: Self.clock) }
  }

  @Test func stepsAreWholeTimeSteps() throws {
    #expect(try PartReader.step("1min", of: Self.clock) == .minute)
    for text in ["15s", "0s", "5", "1/2min"] {
      #expect(throws: PartReader.Problem.self) { try PartReader.step(text, of: Self.clock) }
    }
  }
}
