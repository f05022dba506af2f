import Testing

@testable import widgetfleet

/// How long a run will take, from how long few phones took.
struct TimeForecastTests {
  /// 2 s whatever the devices are and 1 ms for each, of one thread.
  private let forecast = TimeForecast(few: (100, 2.1), more: (1_100, 3.1))

  @Test func whatIsFixedIsNotShared() {
    #expect(abs(forecast.fixed - 2) < 1e-9 && abs(forecast.perDevice - 0.001) < 1e-12)
    #expect(abs(forecast.seconds(devices: 100_000, runs: 1, threads: 1) - 102) < 1e-6)
    #expect(abs(forecast.seconds(devices: 100_000, runs: 3, threads: 2) - 156) < 1e-6)
  }

  /// More devices that took less time, on a busy machine, are no negative cost.
  @Test func noiseIsNoGain() {
    let noisy = TimeForecast(few: (100, 2), more: (1_100, 1.5))
    #expect(noisy.perDevice == 0 && noisy.fixed == 2)
    #expect(noisy.devices(within: 20, runs: 1, threads: 1) == nil)
  }

  /// 20 s for three runs leave 4.67 s each beside what is fixed: 9 333 devices on two threads, in one digit 9 000.
  @Test func fewerDevicesFit() {
    #expect(forecast.devices(within: 20, runs: 3, threads: 2) == 9_000)
    #expect(forecast.devices(within: 5, runs: 3, threads: 2) == nil)
    // 0.5 s leave 500 devices: not even a thousand.
    #expect(forecast.devices(within: 2.5, runs: 1, threads: 1) == nil)
  }

  @Test func theSentenceSaysWhatDecides() {
    var size = RunSize(
      devices: 1_000_000, days: 3, runs: ["the scenario", "prompt", "lazy"], count: 3, memory: 1_200_000_000)
    #expect(
      size.sentence(forecast, threads: 2)
        == "9\u{202F}000\u{202F}000 device-days (the scenario, prompt, lazy), about 25 min and 1.20\u{A0}GB; "
        + "for a first look --set run.simulate=9000: about 20 s")
    // 3 x (2 s + 5 s): no look is shorter by much.
    size.devices = 10_000
    #expect(
      size.sentence(forecast, threads: 2)
        == "90\u{202F}000 device-days (the scenario, prompt, lazy), about 20 s and 1.20\u{A0}GB")
    size.devices = 1_000
    #expect(size.sentence(forecast, threads: 2) == nil)
  }

  @Test(arguments: [
    (12.0, "10 s"), (88, "90 s"), (95, "2 min"), (5_300, "88 min"), (7_300, "2 h"), (90_000, "25 h"),
    (259_200, "3 days"),
  ]) func spans(_ seconds: Double, _ text: String) { #expect(RunSize.span(seconds) == text) }
}
