import Foundation
import Testing

/// Every scenario file at a few devices against the figures that it gave when they were last looked at.
@Suite struct GoldenFileTests {
  static let scenarios = [
    "airplane-placement", "api-outage-retry", "autoscale-morning", "bank-protected", "battery-5g", "battery-lte-tail",
    "battery-own-radio", "battery-wifi", "bench-city", "bench-renewal", "bench-storm", "cdn-weather",
    "character-health", "dragon",
    "f1-no-cache", "gallery-campaign", "game-status", "glucose-5min", "healing-potion", "healing-potion-filtered",
    "ivi-as-printed", "ivi-continue-watching", "ivi-no-cache", "ivi-recommendations", "ivi-ttl-sweep", "jitter-sweep",
    "location", "low-power-evening",
    "market-open-overload", "metastable", "mixed-ios", "morning-unlock", "news-background", "parcel", "push-fanout",
    "rare-page", "release-day", "reload-storm", "silent-push", "sports-match", "stocks-open", "wallet-cards",
    "weather-hourly", "weather-jitter", "weather-tune", "widget-push-herd", "wikipedia-midnight",
    "wikipedia-midnight-jitter",
    "yandex-weather",
  ]
  /// People keep a debug build busy: fewer devices where there are any, and fewest where they live for weeks.
  static let devices: [String: Int] = [
    "airplane-placement": 40, "autoscale-morning": 40, "bank-protected": 40, "bench-city": 40, "bench-storm": 40,
    "f1-no-cache": 6, "glucose-5min": 6,
    "ivi-as-printed": 6, "ivi-continue-watching": 40, "ivi-no-cache": 40, "ivi-recommendations": 40,
    "ivi-ttl-sweep": 40,
    "location": 40,
    "low-power-evening": 40, "mixed-ios": 40, "morning-unlock": 40, "rare-page": 6, "reload-storm": 4,
    "sports-match": 6, "wallet-cards": 40, "weather-tune": 40,
  ]

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")
  private static let renews = ProcessInfo.processInfo.environment["WIDGETFLEET_RENEW_GOLDENS"] != nil

  @Test func everyScenarioIsTested() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Trial.scenarioFolder.path)
    #expect(Set(files.filter { $0.hasSuffix(".yaml") }) == Set(Self.scenarios.map { $0 + ".yaml" }))
  }

  @Test(arguments: scenarios) func figuresAreTheSame(scenario: String) throws {
    let summary = Data(try Trial(scenario, devices: Self.devices[scenario] ?? 300).summaryCSV)
    let file = Self.folder.appending(path: scenario + ".csv")
    if Self.renews { try summary.write(to: file) }
    let golden = try Data(contentsOf: file)
    let isTheSame = summary == golden
    #expect(
      isTheSame,
      """
      \(scenario) gives other figures than Tests/ScenarioGoldenTests/Golden/\(scenario).csv, first in
      \(Self.firstDifference(summary, golden))
      If they are meant to change: make goldens, and look at the difference in git before you commit it.
      """)
  }

  private static func firstDifference(_ new: Data, _ old: Data) -> String {
    let new = String(decoding: new, as: UTF8.self).split(separator: "\n")
    let old = String(decoding: old, as: UTF8.self).split(separator: "\n")
    guard let pair = zip(new, old).first(where: { $0 != $1 }) else { return "the number of rows" }
    return "  now    \(pair.0)\n  golden \(pair.1)"
  }
}
