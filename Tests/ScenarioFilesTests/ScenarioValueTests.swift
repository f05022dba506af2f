import Scenario
import SimulationKernel
import Testing

@testable import ScenarioFiles

/// The rich sample, value by value.
@Suite struct ScenarioValueTests {
  private func rich() throws -> Scenario { try #require(Samples.read(Samples.rich).scenario) }

  @Test func head() throws {
    let scenario = try rich()
    #expect(scenario.clock.startUnixMilliseconds == 1_806_145_200_250)
    #expect(scenario.clock.duration == .hours(36))
    #expect(
      scenario.run
        == RunSettings.with {
          $0.seed = .max
          $0.replications = 3
          $0.simulate = .count(1_000)
          $0.deviceRows = 50
        })
    #expect(scenario.description == "everything\nthat can be \"simulated\"")
  }

  @Test func reloadsOfTheApp() throws {
    let reloads = try rich().app.reloads
    #expect(reloads.map(\.kinds) == [[0, 1, 2, 3, 4, 5, 6], [0, 1], [0]])
    #expect(reloads[1].occasion == .backgroundRefresh(perDay: 0.5))
    #expect(reloads[1].clearsCache && reloads[1].fillsCache && reloads[1].restarts)
  }

  @Test func policies() throws {
    let kinds = try rich().kinds
    #expect(
      kinds[0].phases == [
        Phase.with {
          $0.entries = Entries.with {
            $0.count = 4
            $0.every = .minutes(90)
            $0.alignment = .wall
          }
          $0.reload = .atEnd
        }
      ])
    #expect(kinds[0].windows[0].time.days == [.saturday, .sunday])
    #expect(kinds[0].windows[0].time.zone == .named("America/New_York"))
    #expect(kinds[0].windows[1].time.days == Set(Weekday.allCases))
    #expect(kinds[0].onError == .retryAfter)
    let clock = ReloadPolicy.afterClock(
      TimeOfDay(sinceMidnight: .minutes(570)), zone: .named("Asia/Tokyo"),
      days: [.monday, .wednesday, .thursday, .friday])
    #expect(kinds[1].phases.map(\.reload) == [.atEnd, clock])
    #expect(kinds[3].phases[0].reload == .afterMultiple(of: .minutes(30), zone: .local))
    let choice = [Weighted(TimeAmount.minutes(15), weight: 0.7), Weighted(.hours(1), weight: 0.3)]
    #expect(kinds[4].phases[0].reload == .after(.choice(choice)))
  }

  @Test func sigmaFromTheP95() throws {
    guard case .after(.lognormal(let median, let sigma)) = try rich().kinds[2].phases[0].reload else {
      Issue.record("not lognormal")
      return
    }
    #expect(median == .seconds(60))
    #expect(abs(sigma - 1.9459101490553132 / 1.6448536269514722) < 1e-15)
  }

  @Test func requestsAndEndpoints() throws {
    let scenario = try rich()
    #expect(scenario.endpoints.map(\.name) == ["api", "images"])
    #expect(
      scenario.endpoints[1]
        == Endpoint.with {
          $0.name = "images"
          $0.timeout = .seconds(30)
        })
    #expect(
      scenario.endpoints[0].latency
        == LatencyQuantiles.with {
          $0.median = .milliseconds(368)
          $0.p99 = .milliseconds(1_177)
        })
    let down = scenario.kinds[0].requests[1].down
    #expect([down.small, down.medium, down.large, down.extraLarge].map(\.bytes) == [12_288, 12_288, 60_000, 60_000])
    #expect(
      scenario.kinds[1].cache
        == Cache.with {
          $0.scope = .kind
        })
  }

  @Test func cohorts() throws {
    let cohorts = try rich().fleet.cohorts
    #expect(cohorts.map(\.share.fraction) == [0.333, 0.667])
    #expect(cohorts[0].person.dayVariation == nil)
    #expect(cohorts[0].person.hours == .flat)
    #expect(cohorts[0].network == .fixed(.lte2021Verizon))
    var battery = BatteryHabits()
    battery.overnight = Share(fraction: 0.5)
    #expect(cohorts[0].power == .battery(battery))
    #expect(cohorts[0].widgets.map(\.place) == [.homePage(2), .homePage(1), .homePage(1)])
    #expect(cohorts[0].widgets[1].members == [Placement.Member(kind: 0, family: .extraLarge, weight: 1)])
    #expect(cohorts[1].power == .mains)
    #expect(cohorts[0].os == nil)
  }
}
