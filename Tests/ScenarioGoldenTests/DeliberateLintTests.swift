import Foundation
import Scenario
import ScenarioFiles
import Testing

/// The warnings about the project's scenarios: each is the point of its scenario.
@Suite struct DeliberateLintTests {
  private static let deliberate: [String: [Code]] = [
    "api-outage-retry": [.errorsOutrunBudget], "autoscale-morning": [.alignedDates],
    "battery-5g": [.alignedDates], "battery-lte-tail": [.alignedDates], "battery-own-radio": [.alignedDates],
    "battery-wifi": [.alignedDates], "cdn-weather": [.alignedDates],
    "match-day": [.alignedDates], "market-open-overload": [.alignedDates, .errorsOutrunBudget],
    "metastable": [.errorsOutrunBudget],
    "planner-news": [.meanBeyondCapacity], "widget-push-herd": [.errorsOutrunBudget],
    "dragon": [.entriesNeverShown], "game-status": [.beyondBudget], "glucose-5min": [.beyondBudget],
    "ivi-as-printed": [.cacheOutlivesInterval], "rare-page": [.beyondBudget], "reload-storm": [.beyondBudget],
    "silent-push": [.pushesBeyondLimit], "sports-match": [.alignedDates], "stocks-open": [.alignedDates],
    "weather-hourly": [.entriesNeverShown, .alignedDates], "weather-jitter": [.entriesNeverShown],
    "wikipedia-midnight": [.alignedDates], "yandex-weather": [.errorsOutrunBudget],
  ]

  @Test(arguments: GoldenFileTests.scenarios) func exampleWarningsAreDeliberate(name: String) throws {
    let file = Trial.scenarioFolder.appending(path: name + ".yaml")
    let text = try Data(contentsOf: file)
    let outcome = ScenarioReader.read(text: [UInt8](text), fileName: file.lastPathComponent).withLoadLints
    let rules = outcome.lints.map(\.rule).sorted { $0.rawValue < $1.rawValue }
    #expect(rules == Self.deliberate[name] ?? [], "\(outcome.warnings.humanText)")
    // The file itself must state that it is deliberate.
    for rule in rules {
      let comment = String(decoding: text, as: UTF8.self).contains(rule.rawValue)
      #expect(comment, "\(name).yaml has \(rule.rawValue) and no comment that says why")
    }
  }
}
