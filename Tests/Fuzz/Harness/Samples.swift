import Studies
import StudyStore

/// The initial inputs for fuzzing texts: one of each form.
enum Samples {
  static let identity = StudyIdentity(
    version: "1", scenario: "a", scenarioHash: "00", seed: 1, method: "grid", settingsHash: "11", runs: 1,
    judging: .bracket, resolvedScenario: "name: a\n")

  static func texts(of harness: Harness) -> [String] {
    switch harness {
    case .settings:
      [
        "fleet.devices=1k\nkinds.weather.jitter=5min\nos.preset=lazy",
        "kinds.weather.reload={after: {lognormal: {median: 5min, sigma: 1}}}\nfleet.cohorts.all.network.wifi=20%",
        "backend.endpoints.api.capacity=1.5k/s\ngoals=none\nevents=[{at: \"08:00\", push: {type: silent}}]",
      ]
    case .goal:
      [
        "peak_rps{endpoint=api, window=1min} <= 2.5k/s", "p95(data_age{kind=weather}) < 20min",
        "peak_rps <= 80% of capacity{endpoint=api}", "energy_per_day{cohort=all} <= 1.5J", "stale_views < 2%",
        "runs_per_day{cause=\"policy\"} >= 40/day",
      ]
    case .change:
      ["peak_rps{endpoint=api} > +5%", "stale_views > +1pp", "p95(data_age) >= -30s", "energy_per_day < 1J"]
    case .profile: [profile]
    case .telemetry:
      [#"{"t":"r","at":1800230400.25,"k":"weather","f":"systemSmall","s":1}"# + "\n" + #"{"t":"w","at":1800230401}"#]
    case .log: logs
    default: []
    }
  }

  private static let profile = """
    schema: widgetfleet.os-profile/v1
    name: lab
    measured: {os: build-a, phones: {iphone-15: 3}, days: 14, runs: 900, by: calibrate, data_sha256: e3b0, licence: CC0}
    os:
      min_spacing: {value: 5min, low: 4min, high: 6min, method: lab, n: 40, phones: 3}
      start_delay.policy: {value: {exponential: 30s}, low: 10s, high: 2min, method: log, n: 90, phones: 3}

    """

  private static let logs = [
    #"192.0.2.1 - - [18/Jan/2027:00:00:01 +0000] "GET /a?w=k.1.2.3.x HTTP/1.1" 200 10 "-" "W/1 CFNetwork/1 Darwin/24""#,
    #"{"ts":1800230400.25,"request":{"uri":"/a?b=c","headers":{"User-Agent":["A\u00e9\/1"]}},"duration":"25ms"}"#,
    "#Fields: date time cs-uri-stem sc-status cs-uri-query time-taken\n2027-01-18\t00:00:01\t/a\t200\tinstall=1\t0.250",
    "timestamp,value\n2027-01-18 00:00:00,94.0",
    "time,path,status,user_agent\n2027-01-18T00:00:00Z,/a,200,\"A/1 (x, y)\"",
    #"{"resourceSpans":[{"scopeSpans":[{"spans":[{"spanId":"E","startTimeUnixNano":"1800230400000000000","kind":2}]}]}]}"#,
  ].flatMap { line in
    // A format is recognized from several lines.
    let lines = line.split(separator: "\n").map(String.init)
    return [line, (lines.dropLast() + Array(repeating: lines.last ?? "", count: 12)).joined(separator: "\n") + "\n"]
  }
}
