import Testing

/// A run with `auto` simulates as many phones as its verdict needs (MODEL.md 1.6).
struct WaveTests {
  /// A fleet of which `auto` would simulate a million.
  ///
  /// With hourly reloads, about 1 in 3 600 of 10 million phones sends a request per second: 2 800.
  private static func scenario(limit: String) -> String {
    """
    schema: widgetfleet/v1
    name: many
    clock: {start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 1h, duration: 2h, step: 10s}
    kinds: {weather: {reload: {after: 1h}, requests: [{endpoint: api}]}}
    fleet:
      devices: 10M
      cohorts:
        - {name: all, zones: {UTC: 100%}, person: {unlocks_per_day: 0}, network: wifi, widgets: [{kind: weather}]}
    os: {idle: none, budget: {model: off}, start_delay: {policy: 0s}}
    goals: [{id: load, assert: "peak_rps{endpoint=api, window=5min} < \(limit)"}]

    """
  }

  private func manifest(limit: String, _ options: String...) throws -> (Child, String) {
    let child = try Child()
    try child.write(Self.scenario(limit: limit), to: "many.yaml")
    let run = try child.run(["run", "many.yaml", "-o", "r", "--no-trials", "--no-bracket"] + options)
    #expect(run.status == 0, "\(run.error)")
    return (child, child.read("r/manifest.json"))
  }

  @Test func firstWaveSettlesADistantLimit() throws {
    let (child, manifest) = try manifest(limit: "20k/s")
    #expect(manifest.contains("\"devices_simulated\": 2000,"))
    #expect(manifest.contains("auto: 2000 of 10000000 devices, which settle the verdict"))
    // The page of the stored run and a second run into the same folder are the same.
    let page = try child.bytes("r/report.html")
    #expect(try child.run(["report", "r", "-o", "again.html"]).status == 0)
    #expect(try child.bytes("again.html") == page)
    #expect(try child.run(["run", "many.yaml", "-o", "r", "--no-trials", "--no-bracket", "--jobs", "1"]).status == 0)
    #expect(try child.bytes("r/report.html") == page)
  }

  /// A limit of 3 000/s is within the interval of 2 000 phones, but not within that of 32 000.
  @Test func nearLimitNeedsMorePhones() throws {
    let (_, manifest) = try manifest(limit: "3000/s")
    #expect(
      ["8000", "32000"].contains { manifest.contains("\"devices_simulated\": \($0),") }, "\(manifest.prefix(900))")
  }

  /// `--quick` takes no more phones than the file.
  @Test func quickTakesNoMorePhonesThanTheFile() throws {
    let (_, manifest) = try manifest(limit: "20k/s", "--set", "run.simulate=500", "--quick")
    #expect(manifest.contains("\"devices_simulated\": 500,"))
  }
}
