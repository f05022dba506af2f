import Foundation
import Testing

@testable import Scenario
@testable import ScenarioFiles

/// The number of phones that `auto` and `quick` simulate (MODEL.md 1.6), computed by hand.
struct SimulatedPhonesTests {
  /// Returns a widget on every phone, three days, no steps: the work per phone is 3 x (1 + 1) = 6.
  private func scenario(_ settings: String..., from text: String = Samples.minimal) throws -> Scenario {
    let outcome = ScenarioReader.read(
      text: Array(text.utf8), fileName: "a.yaml", settings: settings.map { SetArgument($0) })
    return try #require(outcome.scenario, "\(outcome.diagnostics.humanText)")
  }

  /// The work of 2 x 10^6 phones is 12 000 000: one more gives a sample of 6 000 000 / 6 = 10^6.
  @Test func fleetIsWholeUpToTheMaxWork() throws {
    let whole = try scenario("run.simulate=auto", "fleet.devices=2000000")
    #expect(whole.devicesSimulated == 2_000_000 && whole.sampleReason == nil)
    let sample = try scenario("run.simulate=auto", "fleet.devices=2000001")
    #expect(sample.devicesSimulated == 1_000_000 && sample.run.simulate == .auto)
    #expect(sample.sampleReason?.hasPrefix("auto: 1000000 of 2000001 devices") == true)
    #expect(sample.resolvedText.contains("\"simulate\": \"auto\""))
  }

  /// The work of 250 000 phones is 1 500 000: without waves, the fleet is the same as with `all`.
  @Test func fleetUpToAFirstLookHasNoWaves() throws {
    let whole = try scenario("run.simulate=auto", "fleet.devices=250000")
    #expect(whole.run.simulate == .all && SampleWaves(whole).sizes == [250_000])
    #expect(try whole.resolvedText == scenario("run.simulate=all", "fleet.devices=250000").resolvedText)
    #expect(try SampleWaves(scenario("run.simulate=250001", "fleet.devices=3M")).sizes == [250_001])
    #expect(try SampleWaves(scenario("run.simulate=all", "fleet.devices=3M")).sizes == [3_000_000])
  }

  /// Each wave is four times the last, and at most half of the final size.
  @Test func wavesQuadruple() throws {
    let waves = { (settings: String...) in
      try SampleWaves(scenario(settings[0], settings[1])).sizes
    }
    #expect(try waves("run.simulate=auto", "fleet.devices=250001") == [2_000, 8_000, 32_000, 250_001])
    #expect(try waves("run.simulate=auto", "fleet.devices=256k") == [2_000, 8_000, 32_000, 128_000, 256_000])
    #expect(try waves("run.simulate=quick", "fleet.devices=3M") == [2_000, 8_000, 32_000, 128_000, 250_000])
    var settled = try scenario("run.simulate=auto", "fleet.devices=3M")
    settled.run.settledDevices = 8_000
    #expect(settled.devicesSimulated == 8_000)
    #expect(SampleWaves(settled).sizes == [2_000, 8_000, 32_000, 128_000, 1_000_000])
    #expect(settled.sampleReason == "auto: 8000 of 3000000 devices, which settle the verdict")
  }

  /// With the same waves, `quick` stops where `auto` does, or earlier.
  @Test(arguments: ["250001", "3M", "80M"]) func quickSimulatesNoMorePhonesThanAuto(_ devices: String) throws {
    let waves = { (word: String) in
      try SampleWaves(scenario("run.simulate=\(word)", "fleet.devices=\(devices)")).sizes
    }
    let (quick, auto) = (try waves("quick"), try waves("auto"))
    #expect(quick.count <= auto.count && zip(quick, auto).allSatisfy { $0 <= $1 }, "\(quick), \(auto)")
  }

  /// With 3M phones and 2 400 keys, 10 000 phones make a request represent an eighth of the keys. The work per phone
  /// behind a CDN is 12: 500 000 phones in the end.
  @Test func wavesBehindCDNKeepRequestsSmallAgainstTheKeys() throws {
    let waves = { (keys: String) in
      let backend = "backend: {endpoints: {api: {latency: {p50: 50ms, p99: 500ms}, cdn: {keys: \(keys), ttl: 5min}}}}\n"
      return try SampleWaves(
        scenario("run.simulate=auto", "fleet.devices=3M", from: Samples.minimal + backend)
      ).sizes
    }
    #expect(try waves("12k") == [2_000, 8_000, 32_000, 128_000, 500_000])
    #expect(try waves("2400") == [32_000, 128_000, 500_000])
    #expect(try waves("1") == [500_000])
  }

  @Test func aFirstLook() throws {
    #expect(try scenario("run.simulate=quick", "fleet.devices=3M").devicesSimulated == 250_000)
    #expect(try scenario("run.simulate=quick", "fleet.devices=30k").devicesSimulated == 30_000)
    // The 392 days at 2 each are 784 per phone: 1 913, or 1 900 to two digits; with 39 more widgets it is 95, so 1 000.
    let long = try scenario("run.simulate=quick", "fleet.devices=3M", "clock.duration=390d")
    #expect(long.devicesSimulated == 1_900)
    let text = Samples.minimal.replacing(
      "[{kind: weather}]", with: "[" + Array(repeating: "{kind: weather}", count: 40).joined(separator: ", ") + "]")
    let wide = try scenario("run.simulate=quick", "fleet.devices=3M", "clock.duration=390d", from: text)
    #expect(wide.devicesSimulated == 1_000)
  }

  /// Steps count double, growth counts at its end, widgets in addition to the phone, and a placement by its share.
  @Test func workCountsStepsGrowthAndWidgets() throws {
    let steps = "backend.endpoints={api: {capacity: 10/s}}"
    #expect(try scenario("run.simulate=quick", "fleet.devices=3M", steps).devicesSimulated == 120_000)
    // 1.5 M / 12 = 125 000 is 120 000 to two digits. An outage with a capacity requires steps too.
    let outage = "events=[{name: o, at: 2027-01-18T03:00:00Z, outage: {endpoint: api, for: 1h, capacity: 1/s}}]"
    let free = "backend.endpoints={api: {}}"
    #expect(try scenario("run.simulate=quick", "fleet.devices=3M", free).devicesSimulated == 250_000)
    #expect(try scenario("run.simulate=quick", "fleet.devices=3M", free, outage).devicesSimulated == 120_000)
    // The fleet doubles within a day: 12.
    #expect(
      try scenario("run.simulate=quick", "fleet.devices=3M", "fleet.growth_per_day=100%").devicesSimulated == 120_000)
    // A quarter of the phones have the widget: 3 x 1.25 = 3.75, so 400 000.
    #expect(
      try scenario("run.simulate=quick", "fleet.devices=3M", "fleet.cohorts.all.widgets.0.share=25%").devicesSimulated
        == 400_000)
  }

  /// A goal on an endpoint that 3.3 % of the phones use needs 50 000 / 0.033.
  @Test func goalOnFewPhonesNeedsALargerSample() throws {
    let text = Samples.minimal.replacing(
      "    reload: {after: 15min}",
      with: "    reload: {after: 15min}\n    requests: [{endpoint: api}]\n"
        + "  rare:\n    reload: {after: 15min}\n    requests: [{endpoint: rare}]"
    ).replacing("[{kind: weather}]", with: "[{kind: weather}, {kind: rare, share: 10%}]")
    let goal = "goals=[{id: g, assert: \"peak_rps{endpoint=rare} <= 7k/s\"}]"
    // The work is 3 x 2.1 = 6.3: 952 381, to two digits.
    #expect(try scenario("run.simulate=auto", "fleet.devices=3M", from: text).devicesSimulated == 950_000)
    #expect(try scenario("run.simulate=auto", "fleet.devices=3M", goal, from: text).devicesSimulated == 950_000)
    // With 3.3 % instead of 10 %: 1 515 152, rounded up to 1 600 000.
    let third = "fleet.cohorts.all.widgets.1.share=3.3%"
    #expect(
      try scenario("run.simulate=auto", "fleet.devices=3M", goal, third, from: text).devicesSimulated == 1_600_000)
    #expect(
      try scenario("run.simulate=auto", "fleet.devices=1.5M", goal, third, from: text).devicesSimulated == 1_500_000)
    let nearly = try scenario(
      "run.simulate=auto", "fleet.devices=2M", goal, "fleet.cohorts.all.widgets.1.share=2%", from: text)
    #expect(nearly.devicesSimulated == 2_000_000)
  }

  @Test func simulateKeywordsAndCountsRoundTrip() throws {
    for (text, phones) in [
      ("all", SimulatedPhones.all), ("quick", .quick), ("12k", .count(12_000)), ("auto", .auto),
    ] {
      let scenario = try scenario("run.simulate=\(text)", "fleet.devices=100M")
      #expect(scenario.run.simulate == phones)
      let again = ScenarioReader.read(text: Array(scenario.resolvedText.utf8), fileName: "b.yaml", settings: [])
      #expect(again.scenario == scenario)
    }
    for wrong in ["some", "0", "-1", "1.5"] {
      #expect(Samples.read(Samples.minimal, set: "run.simulate=\(wrong)").scenario == nil)
    }
  }

  /// No shipped scenario is so large that its results depend on this rule.
  @Test func shippedScenariosDoNotDependOnTheSampleRule() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Scenarios")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }
    #expect(files.count > 40)
    for file in files {
      let text = try Data(contentsOf: folder.appendingPathComponent(file))
      let outcome = ScenarioReader.read(text: Array(text), fileName: file, settings: [])
      if let scenario = outcome.scenario { #expect(!scenario.hasChosenSample, "\(file)") }
    }
  }
}
