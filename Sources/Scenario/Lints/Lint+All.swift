package import SimulationKernel

extension Lint {
  /// More are not worth reading.
  package static let most = 50

  /// Everything that is odd about a valid scenario and needs no load, by rule; at most 50.
  ///
  /// - Parameter offsets: of the zones of the fleet at `clock.start`, local time less UTC; a zone that is missing
  ///   counts as UTC.
  package static func all(of scenario: Scenario, offsets: [String: TimeAmount]) -> [Lint] {
    let survey = FleetSurvey(of: scenario, offsets: offsets)
    let (intervals, timelines) = (IntervalLints(survey: survey), TimelineLints(survey: survey))
    let habits = HabitLints(survey: survey)
    var lints: [Lint] = []
    for kind in scenario.kinds.indices where lints.count < most {
      lints += intervals.spacingLints(kind)
      lints += intervals.budgetLints(kind)
      lints += timelines.entryLints(kind)
      lints += intervals.errorLints(kind)
      lints += timelines.cacheLints(kind)
      lints += timelines.jitterLints(kind)
      lints += SettleLints(survey: survey).settleLints(kind)
    }
    lints += GoalLints(survey: survey).goalLints
    lints += ProfileLints(scenario: scenario).ageLints
    lints += BaseLoadLints(survey: survey).zoneLints
    lints += habits.callLints + habits.peopleLints
    lints += SampleLints(survey: survey).sampleLints
    lints += survey.workLints
    return Array(lints.prefix(most))
  }
}
