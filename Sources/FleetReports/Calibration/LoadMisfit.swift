/// WF640: the busiest hour of the day is not what the scenario makes of it, with all that was found.
struct LoadMisfit {
  let hour: LoadResiduals.Part
  /// Whether it is too far off for a file to plan by.
  let isGrave: Bool
  /// Whether what was found is in the scenario that misses it.
  private let hasFound: Bool

  /// Shares of the hour's requests that may be missed beyond chance: without a word, and with a file.
  private static let least = 0.1
  private static let most = 0.25

  /// nil: nothing was simulated, or the hour is near enough.
  init?(_ report: CalibrationReport) {
    hasFound = report.patchesValues && report.simulated != nil
    guard let load = hasFound ? report.simulated : report.asWritten,
      let hour = LoadResiduals(MeasuredLoad(report), load).busiestHour
    else { return nil }
    let beyond = hour.unexplained - hour.chanceOfMeasured
    guard beyond > Self.least else { return nil }
    self.hour = hour
    isGrave = beyond > Self.most
  }

  func sentence(isForced: Bool) -> String {
    let next = TimeText.two((hour.number + 1) % 24)
    let scenario = hasFound ? "the scenario with what was found" : "the scenario"
    let simulated = hour.unexplained * (hour.share > 0 ? -1 : 1)
    return "In the busiest hour of the day, \(hour.name):00 to \(next):00 UTC, \(scenario) sends "
      + "\(NumberText.percent(simulated.magnitude)) \(simulated > 0 ? "more" : "fewer") requests than the log has, "
      + "where chance makes up to \(NumberText.percent(hour.chanceOfMeasured))"
      + (isGrave && !isForced
        ? ": too far off to plan by, so calibrated.yaml is not written (--force writes it)." : ".")
  }
}

extension CalibrationReport {
  /// Whether the scenario with what was found is kept from whoever would plan by it.
  package var isWithheld: Bool { calibratedText != nil && !isForced && LoadMisfit(self)?.isGrave ?? false }
}
