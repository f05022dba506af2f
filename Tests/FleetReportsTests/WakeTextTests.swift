import Calibration
import Testing

@testable import FleetReports

/// The wakes of a log and of a simulation, in sentences.
struct WakeTextTests {
  @Test func equalWakesAreNotAMiss() throws {
    let report = ExampleCalibration().report
    let simulated = try #require(report.asWritten).evidence
    #expect(WakeMiss.all(report.evidence, simulated, hasHoles: false).isEmpty)
    #expect(ComparedKind.all(report).map(\.sentence).allSatisfy { $0.contains("they agree to within") })
  }

  /// Phones that wait 30 to 45 minutes, compared with phones that wait 60 to 90 minutes.
  @Test func differentWaitsAreAMiss() throws {
    var report = ExampleCalibration().report
    var other = ExampleCalibration()
    other.interval = 3_600_000
    report.asWritten = other.report.asWritten
    report.simulated = nil
    report.calibratedText = nil
    let simulated = try #require(report.asWritten).evidence
    let misses = WakeMiss.all(report.evidence, simulated, hasHoles: false)
    #expect(misses.contains { $0.text("weather").contains("fewer of the phones still waiting") })
    let sentence = try #require(ComparedKind.all(report).first).sentence
    #expect(sentence.contains("they differ most at"))
  }
}
