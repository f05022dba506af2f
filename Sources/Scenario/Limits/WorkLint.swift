extension FleetSurvey {
  /// A simulation of minutes and more: what decides how long it takes is said before it begins.
  var workLints: [Lint] {
    let survey = AccountSurvey(of: scenario)
    guard survey.work > AccountLimit.longWork, let cause = survey.costliest else { return [] }
    // Some million events a second and processor.
    let minutes = survey.work / 3e6 / 60
    let span = LintText.span(
      seconds: minutes < 100 ? (minutes / 5).rounded(.up) * 300 : (minutes / 60).rounded(.up) * 3_600)
    return [
      Lint(
        .longWork, at: cause.path,
        "about \(LintText.large(survey.work)) events are to be simulated, which may take up to \(span) on one processor",
        note: cause.note, help: cause.help, numbers: ["events": (survey.work, "1")],
        mends: [cause.mend].compactMap { $0 })
    ]
  }
}
