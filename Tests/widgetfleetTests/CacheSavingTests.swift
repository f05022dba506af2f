import Foundation
import Testing

/// The savings of a cache in the report, compared with an actual run of the same scenario without the cache.
struct CacheSavingTests {
  /// The values of the column `value` by metric, endpoint, cause and statistic, over all cohorts and kinds.
  private struct Figures {
    var values: [String: Double] = [:]

    init(_ csv: String) {
      for line in csv.split(separator: "\n").dropFirst() {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 19, fields[1].isEmpty, fields[2].isEmpty else { continue }
        values[[fields[0], fields[3], fields[4], fields[12]].joined(separator: " ")] = Double(fields[14])
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
      // Without a cache, policies run slightly later, because runs take as long as their requests.
      #expect(abs(estimate / truth - 1) < 0.01, "\(endpoint): \(estimate) against \(truth)")
    }
    #expect(with("requests", endpoint: "images", "total") == 2 * with("requests", endpoint: "api", "total"))
    #expect(without.values.keys.allSatisfy { !$0.hasPrefix("requests_saved") })
  }

  @Test func reportShowsCacheSavingsAndTapShare() throws {
    let child = try Child()
    defer { child.remove() }
    let with = try figures(child, PeopleScenario.text(cache: "cache: {ttl: 2h, scope: kind}"), "with")
    let page = child.read("with/report.html")
    let percent = { (share: Double) in "\(Int((share * 100).rounded()))\u{A0}%" }
    #expect(page.contains("saved by the cache \(percent(with("requests_saved", "share")))"))
    #expect(page.contains("due to taps \(percent(with("requests", cause: "tap", "share")))"))
  }
}
