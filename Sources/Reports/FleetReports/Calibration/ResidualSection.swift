import Calibration
import RequestStatistics
import Scenario
import Studies

/// Returns the section on differences between the simulation and the log; `nil` if there is no simulation.
func residualSection(_ report: CalibrationReport) -> ReportSection? {
  guard let load = report.resultingLoad else { return nil }
  let residuals = LoadResiduals(report.measured, load)
  guard let hours = residuals.byHour else { return nil }
  let misses = WakeMiss.all(
    report.evidence, load.evidence, hasHoles: !report.logs.picture.silences.isEmpty)
  let items = Markup.findings(
    misses.prefix(WakeMiss.maxNames).map { $0.text(report.base.kinds[$0.kind].name) })
  return ReportSection(
    "calibrate/residuals",
    answer: answer(hours, misses),
    figures: items + drawings(residuals, hours),
    note:
      "Measured minus simulated, as a share of the simulated load. The pale range covers chance in 95 % of cases, "
      + "assuming Poisson arrivals."
      + (residuals.memory == nil
        ? ""
        : " With few phones, which keep their intervals and habits, residuals are correlated; only a correlation "
          + "over many hours indicates a misfit."))
}

private func answer(_ hours: [LoadResiduals.Part], _ misses: [WakeMiss]) -> String {
  let worst = hours.filter(\.isBeyond)
  let lead =
    worst.isEmpty
    ? (misses.isEmpty ? "Little: hour" : "Hour") + " by hour, the loads differ by no more than chance or "
      + NumberText.percent(LoadResiduals.minimum) + "."
    : "Compared with the simulated load, the measured load is "
      + worst.prefix(3).map { "\(DifferenceText.higher($0.share)) from \($0.hours) UTC" }
      .joined(separator: ", ") + (worst.count > 3 ? ", and differs in \(worst.count - 3) other hours" : "")
      + "."
  return lead + (misses.isEmpty ? "" : " Differences in the wakes:")
}

private func drawings(_ residuals: LoadResiduals, _ hours: [LoadResiduals.Part]) -> [Markup] {
  func figure(
    _ parts: [LoadResiduals.Part], _ id: String, _ title: String, _ across: String, _ names: [String]
  ) -> Markup {
    let bars = parts.map { Chart.Deviation(name: names[$0.number], value: $0.share, chance: $0.chance) }
    return Chart.deviations(bars, title: across, unit: "measured minus simulated", label: ChangeText.tick).markup(
      id: id, title: title,
      description: bars.map { "\($0.name): \(DifferenceText.signed($0.value))" }.joined(separator: ", ") + ".",
      legend: [("energy-wait", "due to chance")])
  }
  let memory = residuals.memory.map { memory in
    Chart.deviations(
      memory.map { Chart.Deviation(name: "\($0.number)", value: $0.share, chance: $0.chance) }, title: "lag in hours",
      unit: "correlation", label: TickText.number
    ).markup(
      id: "residual-memory", title: "Autocorrelation of the residuals, by lag in hours",
      description: LoadResiduals.memoryText(memory), legend: [("energy-wait", "due to chance, if uncorrelated")])
  }
  return [
    figure(
      hours, "residual-hours", "Residuals by hour of the day", "hour of the day, UTC", (0..<24).map(TimeText.two)),
    residuals.byWeekday.map {
      figure(
        $0, "residual-days", "Residuals by day of the week", "days in UTC",
        ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])
    }, memory,
  ].compactMap { $0 }
}

extension WakeMiss {
  /// The maximum number of sentences about differences.
  fileprivate static let maxNames = 5

  /// Returns a sentence that describes the difference.
  ///
  /// - Parameter name: the name of the kind.
  func text(_ name: String) -> String {
    let amount = NumberText.percent(share.magnitude) + (share > 0 ? " more" : " fewer")
    let wakes =
      switch place {
      case .hours(let range):
        "wakes of \(name) between \(TimeText.two(range.lowerBound)):00 and \(TimeText.two(range.upperBound)):00 phone "
          + "time"
      case .minutes(let range): "wakes of \(name) from minute \(range.lowerBound) to \(range.upperBound) of the hour"
      case .ages(let range):
        "of the phones still waiting wake for \(name) \(TimeText.seconds(Double(range.lowerBound))) to "
          + "\(TimeText.seconds(Double(range.upperBound))) after the last wake"
      }
    return "\(amount) \(wakes) than the scenario predicts."
  }
}

extension LoadResiduals {
  fileprivate static func memoryText(_ memory: [Part]) -> String {
    guard let maximum = memory.max(by: { $0.share.magnitude < $1.share.magnitude }) else { return "" }
    let lag = counted(maximum.number, "hour")
    return "The strongest correlation is \(NumberText.text(maximum.share)), at a lag of \(lag)."
  }
}

extension LoadResiduals.Part {
  /// The hour of the day as text, such as `03:00 to 04:00`.
  var hours: String { "\(TimeText.two(number)):00 to \(TimeText.two((number + 1) % 24)):00" }
}
