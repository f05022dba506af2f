import RequestStatistics
import Testing

@testable import Calibration

@Suite struct ErrorTests {
  @Test func anOutage() throws {
    var fleet = SyntheticFleet()
    fleet.outage = 200_000..<214_400
    fleet.backoffs = [5, 10]
    fleet.onError = 900
    let errors = KindEstimates(fleet.history(key: 1)).errors
    #expect(abs(try #require(errors.backoff.value) - 5) < 0.1)
    #expect(abs(try #require(errors.growth.value) - 2) < 0.1)
    #expect(abs(try #require(errors.onError.value) - 900) < 5)
  }

  @Test func noOutage() {
    let errors = KindEstimates(SyntheticFleet().history(key: 2)).errors
    #expect(errors.errors == 0 && errors.onError.reason == .noErrors)
  }
}
