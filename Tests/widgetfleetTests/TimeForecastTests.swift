import Testing

@testable import WidgetFleetCommand

/// The forecast of how long a run takes, from the times of a few phones.
struct TimeForecastTests {
  /// 2 s for any number of devices plus 1 ms for each, on one thread.
  private let forecast = TimeForecast(few: (100, 2.1), more: (1_100, 3.1))

  @Test func fixedTimeIsNotDividedByThreads() {
    #expect(abs(forecast.fixed - 2) < 1e-9 && abs(forecast.perDevice - 0.001) < 1e-12)
    #expect(abs(forecast.seconds(devices: 100_000, runs: 1, threads: 1) - 102) < 1e-6)
    #expect(abs(forecast.seconds(devices: 100_000, runs: 3, threads: 2) - 156) < 1e-6)
  }

  /// If more devices take less time, as on a busy machine, their cost is not negative.
  @Test func noisyMeasurementGivesNoNegativeCost() {
    let noisy = TimeForecast(few: (100, 2), more: (1_100, 1.5))
    #expect(noisy.perDevice == 0 && noisy.fixed == 2)
    #expect(noisy.sample(of: 1_000_000, runs: 1, threads: 1) == 0)
  }

  /// A measurement with all threads includes the loss between them: 1 ms for one thread, 0.8 ms for two.
  @Test func threadsAreMeasured() {
    let known = forecast.knowing((1_000, 2.8))
    #expect(abs(known.seconds(devices: 100_000, runs: 3, threads: 2) - 246) < 1e-6)
    #expect(known.knowing((1_000, 1)).seconds(devices: 100_000, runs: 1, threads: 2) == 2)
  }

  /// 20 000 devices take 2 + 10 s on two threads, of which 5 % is less than the fixed part. For 10^6 the limit is 3 s,
  /// and 1 s is 2 000 devices.
  @Test func measurementSampleIsShort() {
    #expect(forecast.sample(of: 20_000, runs: 1, threads: 2) == 0)
    #expect(forecast.sample(of: 1_000_000, runs: 1, threads: 2) == 2_000)
    let light = TimeForecast(few: (0, 0), more: (1_000, 1))
    #expect(light.sample(of: 20_000, runs: 1, threads: 2) == 1_000)
    // A quarter at most.
    #expect(light.sample(of: 2_000, runs: 30, threads: 2) == 500)
  }

  @Test func sizeSentenceShowsWhatDeterminesTheTime() {
    var size = RunSize(
      devices: 1_000_000, days: 3, runs: ["the scenario", "prompt", "lazy"], count: 3, memory: 1_200_000_000,
      firstLook: 9_000)
    #expect(
      size.sentence(forecast, threads: 2)
        == "9\u{202F}000\u{202F}000 device-days (the scenario, prompt, lazy), about 25 min and 1.20\u{A0}GB; "
        + "--quick: about 20 s")
    // Six more, each taking 2 s + 500 s.
    size.trials = 6
    #expect(
      size.sentence(forecast, threads: 2)?.contains("; up to 6 trials after the verdict, about 50 min more; --quick")
        == true)
    size.trials = 0
    // 3 x (2 s + 5 s), and 3 x (2 s + 4.5 s): --quick would not be much shorter.
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

  /// Many runs get a forecast from ten seconds on, with the quicker form if it takes less than half of that.
  @Test(
    arguments: [
      (9.0, 1.0, nil), (240, 35, "2 000 000 device-days, about 4 min; --quick: about 35 s"),
      (240, 120, "2 000 000 device-days, about 4 min"),
      (12, 2, "2 000 000 device-days, about 10 s; --quick: about 5 s"),
    ] as [(Double, Double, String?)])
  func manyRunsGetAForecast(_ seconds: Double, _ quickest: Double, _ text: String?) {
    let sentence = RunSize.sentence(deviceDays: 2_000_000, seconds: seconds, quickest: quickest)
    #expect(sentence?.replacing("\u{202F}", with: " ") == text)
  }
}
