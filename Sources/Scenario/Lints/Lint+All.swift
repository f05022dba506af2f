package import SimulationKernel

extension Lint {
  /// More are not worth reading.
  private static let most = 50

  /// Everything that is odd about a valid scenario, by rule; at most 50.
  ///
  /// - Parameter offsets: of the zones of the fleet at `clock.start`, local time less UTC; a zone that is missing
  ///   counts as UTC.
  package static func all(of scenario: Scenario, offsets: [String: TimeAmount]) -> [Lint] {
    let survey = FleetSurvey(of: scenario, offsets: offsets)
    var lints: [Lint] = []
    for kind in scenario.kinds.indices where lints.count < most {
      lints += survey.spacingLints(kind)
      lints += survey.budgetLints(kind)
      lints += survey.entryLints(kind)
      lints += survey.alignmentLints(kind)
      lints += survey.errorLints(kind)
      lints += survey.cacheLints(kind)
      lints += survey.jitterLints(kind)
      lints += survey.settleLints(kind)
    }
    lints += survey.capacityLints + survey.goalLints + survey.callLints + survey.peopleLints
    lints += survey.sampleLints
    lints += survey.workLints
    return Array(lints.prefix(most))
  }
}
