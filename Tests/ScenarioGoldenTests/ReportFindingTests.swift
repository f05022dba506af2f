import FleetEngine
import Foundation
import Scenario
import ScenarioFiles
import Studies
import Testing

/// The report's findings in each shipped scenario, compared with those in its header.
struct ReportFindingTests {
  typealias Topic = RunFinding.Topic

  /// A scenario and its required findings; no others may occur.
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var devices = 200
    var must: [Topic]
    var because: String

    var testDescription: String { name }
  }

  static let rows: [Row] = [
    Row(
      name: "airplane-placement", must: [.stale],
      because: "half of the widgets begin with a placeholder, 6 % of the views show one"),
    Row(
      name: "autoscale-morning", must: [.overload, .failures, .stale],
      because: "above the capacity for 40 minutes; requests are refused; 17 % of the views are stale"),
    Row(
      name: "bank-protected", must: [.withheld, .stale],
      because: "19 waits for an unlock a day, 32 minutes each; 5.5 % of the views are stale"),
    Row(name: "character-health", must: [], because: "two reloads a cycle, as the code asks"),
    Row(name: "dragon", must: [.herd], because: "the push at 18:00 is the worst of all, 16 600 requests/s"),
    Row(name: "gallery-campaign", must: [], because: "an hour of twice the load, which nobody notices"),
    Row(
      name: "glucose-5min", must: [.withheld, .stale],
      because: "35 waits for the budget a day, 16 minutes each; 19 % of the views are stale"),
    Row(name: "healing-potion", must: [], because: "refreshes are wasted, none is withheld"),
    Row(name: "healing-potion-filtered", must: [], because: "the same, half as often"),
    Row(
      name: "ivi-continue-watching", must: [.coldCaches],
      because: "the budget plays no part; widgets of a phone meet an empty cache together"),
    Row(name: "jitter-sweep", must: [.herd], because: "the opening of New York within five minutes"),
    Row(name: "low-power-evening", must: [], because: "Low Power Mode delays and does not withhold"),
    Row(
      name: "market-open-overload", must: [.overload, .failures],
      because: "20 minutes above the capacity of 900 requests/s, and one request in 50 refused"),
    Row(
      name: "api-outage-retry", devices: 2_000, must: [.failures],
      because: "tries after an error make 1.5 times the mean, on servers that have no limit but one: of its requests a "
        + "sixth are refused, and of all others what the outages fail"),
    Row(
      name: "battery-5g", must: [.herd],
      because: "all phones reload on the half hour: what coalescing is measured by"),
    Row(name: "battery-lte-tail", must: [.herd], because: "the same, on LTE"),
    Row(name: "battery-own-radio", must: [.herd], because: "the same, on a radio of one's own"),
    Row(name: "battery-wifi", must: [.herd], because: "the same, on Wi-Fi"),
    Row(
      name: "cdn-weather", devices: 4_000, must: [.overload],
      because: "cold places bring the origin above its capacity for 86 s"),
    Row(name: "f1-no-cache", must: [.budget], because: "as many refreshes as the system allows"),
    Row(name: "game-status", must: [.withheld], because: "the budget binds: 50 of 64 a day, dry in the small hours"),
    Row(
      name: "ivi-as-printed", must: [.stale, .coldCaches],
      because: "92 % of the views are older than 12 hours; widgets of a phone share a cache"),
    Row(name: "ivi-no-cache", must: [], because: "too many requests, none of them late"),
    Row(
      name: "ivi-recommendations", must: [.coldCaches],
      because: "late is nothing; widgets of a phone meet an empty cache together"),
    Row(name: "ivi-ttl-sweep", must: [.coldCaches], because: "the same, for any length of the cache"),
    Row(name: "location", must: [.budget], because: "moves replace scheduled refreshes, out of a budget"),
    Row(
      name: "metastable", must: [.overload, .failures],
      because: "8 hours above the capacity after a stall of 10 minutes"),
    Row(name: "mixed-ios", must: [.stale], because: "pushes at random hours are no news: the mean age is an hour"),
    Row(
      name: "morning-unlock", devices: 4_000, must: [.herd],
      because: "everybody who picks up the phone from 06:00 on: 2.5 times the mean"),
    Row(name: "news-background", must: [], because: "two refreshes for each download, within the budget"),
    Row(name: "parcel", must: [], because: "a push, then every 15 minutes, for few at a time"),
    Row(name: "push-fanout", must: [.herd], because: "a million phones are pushed at once"),
    Row(name: "rare-page", must: [.withheld, .stale], because: "the budget of page 4; 34 % of the views are stale"),
    Row(name: "release-day", must: [], because: "a day of adoption, spread by its law"),
    Row(
      name: "planner-news", must: [.overload, .failures, .stale],
      because: "2 055 requests/s would be sent to servers of 1 400"),
    Row(name: "planner-push", must: [], because: "the CDN takes the push, and most of twelve minutes of outage"),
    Row(
      name: "reload-storm", must: [.withheld, .stale],
      because: "51 waits for the budget a day; 5.7 % of the views are stale"),
    Row(name: "silent-push", must: [.budget], because: "the budget is the law: three waits a day"),
    Row(
      name: "sports-match", must: [.herd, .stale],
      because: "the kick-off; 15 of 30 refreshes come while the match is on"),
    Row(name: "match-day", must: [.herd], because: "the kick-off; 9 % of the views in the match are stale"),
    Row(name: "todo-list", must: [.coldCaches], because: "both widgets on a phone send their own requests"),
    Row(name: "stocks-open", must: [.herd], because: "the opening of New York"),
    Row(name: "wallet-cards", must: [], because: "no scheduled refresh at all"),
    Row(name: "weather-hourly", must: [.herd], because: "every full hour"),
    Row(
      name: "weather-jitter", must: [.herd],
      because: "a jitter shorter than the start delay changes nothing but under prompt"),
    Row(
      name: "weather-launch", must: [.failures],
      because: "it holds, the CDN takes herd and push; but the outage fails 2.7 % of the day's requests"),
    Row(name: "weather-tune", must: [.herd], because: "all at once: what jitter is for"),
    Row(
      name: "widget-push-herd", must: [.overload, .failures],
      because: "a push to a million phones, on servers for a third of its peak"),
    Row(name: "wikipedia-midnight", must: [.herd], because: "midnight, on both endpoints"),
    Row(
      name: "wikipedia-midnight-jitter", devices: 4_000, must: [.herd],
      because: "an hour of jitter at midnight is still 7.5 times the mean"),
    Row(name: "yandex-weather", must: [], because: "tries after errors are spread"),
  ]

  /// The scenarios of `make bench` only put load on the engine and have no findings.
  @Test func everyScenarioHasExpectedFindings() {
    #expect(
      Set(Self.rows.map(\.name)) == Set(GoldenFileTests.scenarios.filter { !$0.hasPrefix("bench-") }))
  }

  /// The findings of a scenario, and each remedy as accepted by `--set`.
  @Test(arguments: rows) func scenarioHasTheFindingsOfItsHeader(_ row: Row) throws {
    let trial = try Trial(row.name, devices: row.devices, "run.replications=1")
    let run = StoredRun(of: trial.result)
    let findings = RunFinding.all(run, Summary(of: trial.result))
    let topics = Set(findings.map(\.topic))
    #expect(topics == Set(row.must), "\(findings)")
    for remedy in findings.compactMap(\.remedy) {
      let settings = remedy.settings(in: run.scenario)
      let file = Trial.scenarioFolder.appending(path: row.name + ".yaml")
      let outcome = ScenarioReader.read(
        text: Array(try Data(contentsOf: file)), fileName: row.name,
        settings: (["run.simulate=\(row.devices)", "run.replications=1"] + settings).map { SetArgument($0) })
      #expect(outcome.scenario == remedy.applied(to: run.scenario), "\(settings)")
    }
  }
}
