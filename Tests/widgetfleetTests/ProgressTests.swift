import Testing

@testable import widgetfleet

struct ProgressTests {
  /// A quarter done in 30 s leaves 90 s, in 90 s 4.5 minutes, in an hour three hours.
  @Test(arguments: [
    (25, 30.0, "25 % of 100 devices, 90 s left"), (25, 90, "25 % of 100 devices, 5 min left"),
    (25, 3_600, "25 % of 100 devices, 3 h 0 min left"), (50, 7_500, "50 % of 100 devices, 2 h 5 min left"),
    (0, 10, "0 % of 100 devices"), (2, 10, "2 % of 100 devices"), (100, 10, "100 % of 100 devices, 0 s left"),
  ])
  func timeLeft(_ done: Int, _ seconds: Double, _ text: String) {
    #expect(Progress.text(done, of: 100, after: seconds) == text)
  }
}
