import FleetReports
import Foundation
import Testing

/// Every scenario file, simulated with a few devices and compared with its last reviewed figures.
@Suite struct GoldenFileTests {
  static let scenarios = [
    "airplane-placement", "api-outage-retry", "autoscale-morning", "bank-protected", "battery-5g", "battery-lte-tail",
    "battery-own-radio", "battery-wifi", "bench-city", "bench-renewal", "bench-storm", "cdn-weather",
    "character-health", "dragon",
    "f1-no-cache", "gallery-campaign", "game-status", "glucose-5min", "healing-potion", "healing-potion-filtered",
    "ivi-as-printed", "ivi-continue-watching", "ivi-no-cache", "ivi-recommendations", "ivi-ttl-sweep", "jitter-sweep",
    "location", "low-power-evening",
    "market-open-overload", "match-day", "metastable", "mixed-ios", "morning-unlock", "news-background", "parcel",
    "planner-news",
    "planner-push", "push-fanout",
    "rare-page", "release-day", "reload-storm", "silent-push", "sports-match", "stocks-open", "todo-list",
    "wallet-cards",
    "weather-hourly", "weather-jitter", "weather-launch", "weather-tune", "widget-push-herd", "wikipedia-midnight",
    "wikipedia-midnight-jitter",
    "yandex-weather",
  ]
  /// People slow down a debug build: fewer devices with people, and the fewest where weeks are simulated.
  static let devices: [String: Int] = [
    "airplane-placement": 40, "autoscale-morning": 40, "bank-protected": 40, "bench-city": 40, "bench-storm": 40,
    "f1-no-cache": 6, "glucose-5min": 6,
    "ivi-as-printed": 6, "ivi-continue-watching": 40, "ivi-no-cache": 40, "ivi-recommendations": 40,
    "ivi-ttl-sweep": 40,
    "location": 40,
    "low-power-evening": 40, "match-day": 40, "todo-list": 40, "mixed-ios": 40, "morning-unlock": 40,
    "planner-news": 40,
    "planner-push": 40, "rare-page": 6, "reload-storm": 4,
    "sports-match": 6, "wallet-cards": 40, "weather-launch": 40, "weather-tune": 40,
  ]

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")
  private static let renews = ProcessInfo.processInfo.environment["WIDGETFLEET_RENEW_GOLDENS"] != nil

  @Test func everyScenarioIsTested() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Trial.scenarioFolder.path)
    #expect(Set(files.filter { $0.hasSuffix(".yaml") }) == Set(Self.scenarios.map { $0 + ".yaml" }))
  }

  @Test(arguments: scenarios) func figuresAreTheSame(scenario: String) throws {
    let figures = GoldenFigures.text(of: try Trial(scenario, devices: Self.devices[scenario] ?? 300))
    let file = Self.folder.appending(path: scenario + ".txt")
    if Self.renews { try figures.write(to: file, atomically: true, encoding: .utf8) }
    let golden = try String(contentsOf: file, encoding: .utf8)
    let isTheSame = figures == golden
    #expect(
      isTheSame,
      """
      \(scenario) gives other figures than Tests/ScenarioGoldenTests/Golden/\(scenario).txt, first in
      \(Self.firstDifference(figures, golden))
      If they are meant to change: make goldens, and look at the difference in git before you commit it.
      """)
  }

  /// A pinned version must keep its figures, as a released version does; new figures need a new version.
  @Test func changedFiguresNeedANewVersion() throws {
    let digests = try Self.scenarios.map { try Data(contentsOf: Self.folder.appending(path: $0 + ".txt")) }
    let present = SHA256.hexadecimal(of: digests.flatMap { [UInt8]($0) })
    var ledger = try VersionLedger(folder: Self.folder)
    let version = try ChangelogHeading.first()
    if Self.renews, !version.isReleased || ledger.digests[version.number] == nil {
      try ledger.set(present, for: version.number)
    }
    #expect(
      ledger.digests[version.number] == present,
      """
      Version \(version.number) had other figures. If it is released, raise it (Version.swift, CHANGELOG.md); then, or
      while it is not, make goldens.
      """)
  }

  private static func firstDifference(_ new: String, _ old: String) -> String {
    let (new, old) = (new.split(separator: "\n"), old.split(separator: "\n"))
    guard let pair = zip(new, old).first(where: { $0 != $1 }) else { return "the number of figures" }
    return "  now    \(pair.0)\n  golden \(pair.1)"
  }
}

/// The ledger Golden/versions.txt: the digest of all golden files for each version, as `0.2.0 <SHA-256>`.
private struct VersionLedger {
  private(set) var digests: [String: String] = [:]
  private let file: URL

  init(folder: URL) throws {
    file = folder.appending(path: "versions.txt")
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      let words = line.split(separator: " ")
      let pair = try #require(words.count == 2 ? (String(words[0]), String(words[1])) : nil, "\(line)")
      digests[pair.0] = pair.1
    }
  }

  mutating func set(_ digest: String, for version: String) throws {
    digests[version] = digest
    let lines = digests.keys.sorted().map { "\($0) \(digests[$0] ?? "")\n" }
    try lines.joined().write(to: file, atomically: true, encoding: .utf8)
  }
}

/// The first version heading of CHANGELOG.md: `## 0.2.0 (unreleased)`, or a date in parentheses.
private struct ChangelogHeading {
  let number: String
  let isReleased: Bool

  static func first() throws -> ChangelogHeading {
    let file = Trial.scenarioFolder.deletingLastPathComponent().appending(path: "CHANGELOG.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let heading = try #require(text.split(separator: "\n").first { $0.hasPrefix("## ") })
    let words = heading.dropFirst(3).split(separator: " ")
    return ChangelogHeading(number: String(try #require(words.first)), isReleased: words.last != "(unreleased)")
  }
}
