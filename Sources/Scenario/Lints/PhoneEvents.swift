/// Mean number of events of a phone in a day.
package enum PhoneEvents {
  /// Events that a phone of the fleet has in a day, as habits, policies and budgets let expect: a day's own, looks at the
  /// screen, and of each run its due date, start and end and its requests.
  package static func perDay(of scenario: Scenario) -> Double {
    let survey = FleetSurvey(of: scenario, offsets: [:])
    let (fleet, kinds, app) = (scenario.fleet, scenario.kinds, scenario.app)
    let looks = fleet.cohorts.indices.reduce(0) { sum, cohort in
      sum + fleet.cohorts[cohort].share.fraction * PhoneHabits(cohort, of: scenario).looks.count
    }
    let ofRuns = kinds.indices.reduce(0) { sum, index in
      let calls = app.reloads.filter { $0.kinds.contains(index) }.reduce(0) { $0 + $1.callsPerDay(app) }
      let asked = calls + (kinds[index].taps?.perDay ?? 0) + kinds[index].locationChangesPerDay
      let runs = survey.uses[index].reduce(0.0) { sum, use in
        let most = 86_400 / max(use.system.minSpacing.seconds, 1)
        return sum + use.instances * (min(survey.demand(index, under: use) ?? most, use.granted ?? .infinity) + asked)
      }
      return sum + runs * (4 + Double(kinds[index].requests.reduce(0) { $0 + $1.count }))
    }
    return 100 + 2 * looks + ofRuns / Double(max(fleet.devices, 1))
  }
}
