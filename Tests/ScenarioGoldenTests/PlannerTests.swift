import Scenario
import ScenarioFiles
import Studies
import Testing

/// The arithmetic of the planner's questions in Docs/SCENARIOS.md, on a few phones.
@Suite struct PlannerTests {
  private static let (phones, sample) = (2.2e6, 2_000.0)

  private func summary(_ name: String, _ settings: String...) throws -> Summary {
    Summary(of: try Trial(name, devices: Int(Self.sample), settings: settings).result)
  }

  private func value(
    _ summary: Summary, _ metric: Metric, _ statistic: Statistic, _ labels: Labels = Labels()
  ) throws -> Double { try #require(summary.figure(FigureName(metric, statistic, labels))?.value?.approximate) }

  /// A reload every P plus half the 15 min start delay gives a mean of N / (P + 7.5 min). Idle nights, and starts
  /// within a minute while a phone is in use, change it by less than 5 %. The base load adds its own.
  @Test func meanLoadIsPhonesDividedByTheCycle() throws {
    let summary = try summary("planner-news", "kinds.news.reload.after=2h")
    let labels = Labels().with(\.endpoint, "api").with(\.window, "10s")
    let sent = try value(summary, .meanRPS, .mean, labels)
    let got = try value(summary, .serverMeanRPS, .mean, labels)
    #expect(abs(sent / (Self.phones / 7_650) - 1) < 0.05)
    #expect(abs(got - sent - 500) < 1)
    // Data at least 30 min old: 1 - 30 / 127.5 of its lifetime of 127.5 min.
    #expect(abs(try value(summary, .staleViews, .share) - (1 - 30 / 127.5)) < 0.02)
    #expect(try value(summary, .failures, .total) == 0)
  }

  /// The requests of 12 min fail and are retried once: after 15 min the outage is over.
  @Test func theOutageFailsTwelveMinutesOfRequests() throws {
    let summary = try summary("planner-push")
    let failed = try value(summary, .failures, .total) * Self.sample / Self.phones
    let expected = 720 / 7_650 * Self.sample
    // 4 standard errors of a Poisson count, plus 5 % for nights and for starts while phones are in use.
    #expect(abs(failed - expected) < 4 * expected.squareRoot() + 0.05 * expected, "\(failed) \(expected)")
  }

  /// A push to 35 % causes a separate reload unless a refresh is already due: 7.5 min of each cycle, plus a minute of
  /// push delay.
  @Test func pushReloadsPhonesThatAreNotDue() throws {
    let summary = try summary("planner-push")
    let pushed = try value(summary, .runs, .total, Labels().with(\.cause, Cause.widgetPush.name)) / Self.phones
    let expected = 0.35 * (1 - 8.5 / 127.5)
    #expect(abs(pushed - expected) < 4 * (0.35 * 0.65 / Self.sample).squareRoot(), "\(pushed) \(expected)")
  }

  /// A collapsing CDN with 40 keys lets at most 40 fetches through per second, whatever is pushed. The base load has
  /// the largest weight of the hours.
  @Test func serversGetAtMostFortyFetches() throws {
    let weights = HourWeights.default.weights
    let base = 500 * 24 * (weights.max() ?? 0) / weights.reduce(0, +)
    for over in ["0s", "3h"] {
      let summary = try summary("planner-push", "events.news.push.over=\(over)")
      let peak = try value(
        summary, .serverPeakRPS, .max, Labels().with(\.endpoint, "api").with(\.window, "1s"))
      #expect((base...base + 40).contains(peak), "\(over): \(peak), base \(base)")
    }
  }
}
