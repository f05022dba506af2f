import Calibration
import RequestStatistics
import Scenario
import SimulationKernel
import Testing

@testable import FleetReports

/// The fit of a simulated load, and the remaining deviations.
struct LoadFitTests {
  private static let evidence = ExampleCalibration().report.evidence

  private func measured(_ counts: [Int64], unknown: [Range<Int>] = []) -> MeasuredLoad {
    MeasuredLoad(start: ExampleCalibration.start, counts: counts, requestsPerRun: 1, unknown: unknown)
  }

  private func load(_ counts: [Double], scale: Double = 1) -> SimulatedLoad {
    SimulatedLoad(counts: counts, evidence: Self.evidence, scale: scale)
  }

  /// 100 against 110 in each step: 10 %. Two Poisson counts around 105 differ by 2 sqrt(105 / pi) in the mean.
  @Test func theErrorIsTheSumOfDistancesOverTheSum() throws {
    let fit = try #require(
      LoadFit(load(Array(repeating: 110, count: 50)), measured(Array(repeating: 100, count: 50))))
    #expect(abs(fit.error - 0.1) < 1e-12 && abs(fit.totalError - 0.1) < 1e-12 && abs(fit.peakError - 0.1) < 1e-12)
    #expect(abs(fit.floor - 2 * (105 / Double.pi).squareRoot() / 100) < 1e-12)
    #expect(fit.text == "10\u{A0}% per five minutes, no more than chance makes")
    #expect(fit.isNear)
  }

  /// A fleet with one simulated phone in a hundred has a hundred times the variance in its own part.
  @Test func aSampleIsLessSure() throws {
    let counts = measured(Array(repeating: 100, count: 50))
    let whole = try #require(LoadFit(load(Array(repeating: 100, count: 50)), counts))
    let sample = try #require(LoadFit(load(Array(repeating: 100, count: 50), scale: 99), counts))
    #expect(abs(sample.floor / whole.floor - 50.0.squareRoot()) < 1e-9)
  }

  /// Sums of 64 coin flips, 16 times over, are binomial: half of Poisson's variance at 512 each. The mean distance of
  /// two of them is sqrt(2 * 256 * 2 / pi). 400 pairs estimate it with a relative error of 76 % / sqrt(400): 3.8 %.
  @Test func theFloorIsWhatChanceMakes() throws {
    let bits = { (number: Int, side: UInt32) -> Int64 in
      (0..<16).reduce(0) { sum, part in
        let block = Philox.block(counter: Philox.Block(UInt32(number), UInt32(part), side, 0), key: 5)
        return sum + Int64(block.first.nonzeroBitCount)
      }
    }
    let own = (0..<400).map { bits($0, 0) }
    let fit = try #require(LoadFit(load((0..<400).map { Double(bits($0, 1)) }), measured(own)))
    #expect(abs(fit.error / (fit.floor / 2.0.squareRoot()) - 1) < 3 * 0.038)
  }

  @Test func whatIsUnknownIsNotCompared() throws {
    let counts: [Int64] = Array(repeating: 100, count: 10) + [0, 0, 3] + Array(repeating: 100, count: 10)
    let fit = try #require(LoadFit(load(Array(repeating: 100, count: 20)), measured(counts, unknown: [10..<13])))
    #expect(fit.error == 0 && fit.totalError == 0)
    #expect(LoadFit(load([]), measured(counts)) == nil)
  }

  /// A hole from 27:46:40 to 30:33:20 touches the steps from 27:45 to 30:35.
  @Test func holesMakeStepsUnknown() {
    var example = ExampleCalibration()
    example.hole = 100_000_000..<110_000_000
    let measured = MeasuredLoad(example.report)
    #expect(measured.unknown.contains { $0.contains(334) && $0.contains(365) })
    #expect(measured.isKnown(332) && measured.isKnown(368) && !measured.isKnown(350))
  }

  // MARK: Residuals

  /// 20 % more from 3 to 4 on each of seven days of 1 000 requests in five minutes: seven standard deviations.
  @Test func theHourThatIsMissedIsNamed() throws {
    let counts = (0..<7 * 288).map { $0 % 288 / 12 == 3 ? Int64(1_200) : 1_000 }
    let residuals = LoadResiduals(measured(counts), load(Array(repeating: 1_000, count: counts.count)))
    let hours = try #require(residuals.byHour)
    #expect(hours.filter(\.isBeyond).map(\.name) == ["03"])
    #expect(hours[3].text == "20\u{A0}% higher" && hours[4].share == 0)
    // The range of the sum of 84 values of 1 000 and its twin: 1.96 sqrt(2 / 84 000).
    #expect(abs(hours[4].chance - 1.96 * (2 / 84_000.0).squareRoot()) < 1e-12)
  }

  /// The example starts on a Monday.
  @Test func weekdaysAreThoseOfTheDates() throws {
    let counts = (0..<7 * 288).map { $0 / 288 == 5 ? Int64(1_200) : 1_000 }
    let days = try #require(
      LoadResiduals(measured(counts), load(Array(repeating: 1_000, count: counts.count))).byWeekday)
    #expect(days.map(\.name) == ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])
    #expect(days.filter(\.isBeyond).map(\.name) == ["Sat"])
  }

  /// Hourly alternation correlates by -1 with the hour before and by 1 with the one before that, apart from the ends of
  /// 100 hours.
  @Test func whatAlternatesHasAMemory() throws {
    let counts = (0..<1_200).map { $0 / 12 % 2 == 0 ? Int64(1_100) : 900 }
    let memory = try #require(LoadResiduals(measured(counts), load(Array(repeating: 1_000, count: 1_200))).memory)
    #expect(memory.count == 24)
    #expect(abs(memory[0].share + 1) < 1e-9 && abs(memory[1].share - 1) < 1e-9)
  }

  // MARK: Wakes

  @Test func theSameWakesAreNoMiss() throws {
    let report = ExampleCalibration().report
    let simulated = try #require(report.asWritten).evidence
    #expect(WakeMiss.all(report, simulated).isEmpty)
    #expect(ComparedKind.all(report).map(\.sentence).allSatisfy { $0.hasSuffix("so they agree.") })
  }

  /// Phones that wait 30 to 45 minutes against phones that wait as long plus an excess that makes days of another
  /// length.
  @Test func otherWaitsAreAMiss() throws {
    var report = ExampleCalibration().report
    var other = ExampleCalibration()
    other.interval = 3_600_000
    report.asWritten = other.report.asWritten
    report.simulated = nil
    report.calibratedText = nil
    let simulated = try #require(report.asWritten).evidence
    #expect(WakeMiss.all(report, simulated).contains { $0.text.contains("fewer phones of those that still wait") })
    let sentence = try #require(ComparedKind.all(report).first).sentence
    #expect(sentence.contains("they differ most at"))
  }
}
