import Foundation
import Testing

/// What a report says a cache saves, against a real run of the same scenario without the cache.
struct CacheSavingTests {
  /// Figures of the column `value` by metric, endpoint, cause and statistic, over all cohorts and kinds.
  private struct Figures {
    var values: [String: Double] = [:]

    init(_ csv: String) {
      for line in csv.split(separator: "\n").dropFirst() {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 18, fields[1].isEmpty, fields[2].isEmpty else { continue }
        values[[fields[0], fields[3], fields[4], fields[11]].joined(separator: " ")] = Double(fields[13])
      }
    }

    func callAsFunction(_ metric: String, endpoint: String = "", cause: String = "", _ statistic: String) -> Double {
      values[[metric, endpoint, cause, statistic].joined(separator: " ")] ?? .nan
    }
  }

  private func figures(_ child: Child, _ scenario: String, _ name: String) throws -> Figures {
    try child.write(scenario, to: name + ".yaml")
    let outcome = try child.run(["run", name + ".yaml", "-o", name])
    #expect(outcome.status == 0, "\(outcome.error)")
    return Figures(child.read(name + "/summary.csv"))
  }

  @Test(arguments: [
    "cache: {ttl: 2h, scope: kind}", "cache: {ttl: 30min, scope: instance}",
    "cache: {ttl: never-expires, single_flight: true}",
  ])
  func estimateMatchesARunWithoutTheCache(_ cache: String) throws {
    let child = try Child()
    defer { child.remove() }
    let with = try figures(child, PeopleScenario.text(cache: cache), "with")
    let without = try figures(child, PeopleScenario.text(cache: ""), "without")
    for endpoint in ["", "api", "images"] {
      let estimate =
        with("requests", endpoint: endpoint, "total") + with("requests_saved", endpoint: endpoint, "total")
      let truth = without("requests", endpoint: endpoint, "total")
      // Policies without a cache run a little later, since their runs take as long as their requests.
      #expect(abs(estimate / truth - 1) < 0.01, "\(endpoint): \(estimate) against \(truth)")
    }
    #expect(with("requests", endpoint: "images", "total") == 2 * with("requests", endpoint: "api", "total"))
    #expect(without.values.keys.allSatisfy { !$0.hasPrefix("requests_saved") })
  }

  @Test func theReportSaysHowManyTimesFewerAndHowManyByTaps() throws {
    let child = try Child()
    defer { child.remove() }
    let with = try figures(child, PeopleScenario.text(cache: "cache: {ttl: 2h, scope: kind}"), "with")
    let times = 1 + with("requests_saved", "total") / with("requests", "total")
    let taps = with("requests", cause: "tap", "share")
    let page = child.read("with/report.html")
    #expect(times > 2)
    #expect(page.contains("\(text(times)) times fewer requests than without the cache"))
    // The bracket may stand behind the share.
    let shares = page.matches(of: #/(\d+)\u{A0}% of the requests left( \(bracket [^)]*\))? were started by taps/#)
    #expect(Set(shares.map { Int($0.output.1) }) == [Int((taps * 100).rounded())])
  }

  /// Three significant digits, as the report writes numbers of this size.
  private func text(_ value: Double) -> String { String(format: value < 9.995 ? "%.2f" : "%.1f", value) }
}
