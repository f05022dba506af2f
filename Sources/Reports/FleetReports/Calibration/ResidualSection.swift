import Calibration
import RequestStatistics
import Scenario
import Studies

/// Returns the section on the scenario's remaining deviations; `nil` without a simulation.
func residualSection(_ report: CalibrationReport) -> ReportSection? {
  guard let load = report.resultingLoad else { return nil }
  let residuals = LoadResiduals(report.measured, load)
  guard let hours = residuals.byHour else { return nil }
  let misses = WakeMiss.all(
    report.evidence, load.evidence, hasHoles: !report.logs.picture.silences.isEmpty)
  let items = Markup.findings(
    misses.prefix(WakeMiss.mostNamed).map { $0.text(report.base.kinds[$0.kind].name) })
  return ReportSection(
    "calibrate/residuals",
    answer: answer(hours, misses),
    figures: items + drawings(residuals, hours),
    note:
      "Measured less simulated, as a share of the simulated. The pale range is what chance leaves in 95 of 100 cases, "
      + "as Poisson arrivals do."
      + (residuals.memory == nil
        ? ""
        : " What is left has a memory of its own where few phones keep their intervals and "
          + "habits; only one that lasts for many hours shows a miss."))
}

private func answer(_ hours: [LoadResiduals.Part], _ misses: [WakeMiss]) -> String {
  let worst = hours.filter(\.isBeyond)
  let lead =
    worst.isEmpty
    ? (misses.isEmpty ? "Little: by" : "By") + " hour of the day the loads differ by no more than chance or "
      + NumberText.percent(LoadResiduals.least) + "."
    : "The measured load is "
      + worst.prefix(3).map { "\(DifferenceText.higher($0.share)) from \($0.hours) UTC" }
      .joined(separator: ", ") + (worst.count > 3 ? " and off in \(worst.count - 3) other hours" : "")
      + " than the simulated one."
  return lead + (misses.isEmpty ? "" : " Of the wakes it misses:")
}

private func drawings(_ residuals: LoadResiduals, _ hours: [LoadResiduals.Part]) -> [Markup] {
  func figure(
    _ parts: [LoadResiduals.Part], _ id: String, _ title: String, _ across: String, _ names: [String]
  ) -> Markup {
    let bars = parts.map { Chart.Deviation(name: names[$0.number], value: $0.share, chance: $0.chance) }
    return Chart.deviations(bars, title: across, unit: "measured less simulated", label: ChangeText.tick).markup(
      id: id, title: title,
      description: bars.map { "\($0.name): \(DifferenceText.signed($0.value))" }.joined(separator: ", ") + ".",
      legend: [("energy-wait", "what chance leaves")])
  }
  let memory = residuals.memory.map { memory in
    Chart.deviations(
      memory.map { Chart.Deviation(name: "\($0.number)", value: $0.share, chance: $0.chance) }, title: "hours before",
      unit: "correlation", label: TickText.number
    ).markup(
      id: "residual-memory", title: "What is left, against what was left hours before",
      description: LoadResiduals.memoryText(memory), legend: [("energy-wait", "what chance leaves without a memory")])
  }
  return [
    figure(
      hours, "residual-hours", "What is left, by hour of the day", "hour of the day, UTC", (0..<24).map(TimeText.two)),
    residuals.byWeekday.map {
      figure(
        $0, "residual-days", "What is left, by day of the week", "days in UTC",
        ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])
    }, memory,
  ].compactMap { $0 }
}

extension WakeMiss {
  /// The max number of sentences.
  fileprivate static let mostNamed = 5

  /// Returns the deviation as a sentence.
  ///
  /// - Parameter name: the name of the kind.
  func text(_ name: String) -> String {
    let amount = NumberText.percent(share.magnitude) + (share > 0 ? " more" : " fewer")
    let wakes =
      switch place {
      case .hours(let range):
        "wakes of \(name) between \(TimeText.two(range.lowerBound)) and \(TimeText.two(range.upperBound)) by the phones' "
          + "clocks"
      case .minutes(let range): "wakes of \(name) from minute \(range.lowerBound) to \(range.upperBound) of the hour"
      case .ages(let range):
        "phones of those that still wait wake for \(name) \(TimeText.seconds(Double(range.lowerBound))) to "
          + "\(TimeText.seconds(Double(range.upperBound))) after the last wake"
      }
    return "\(amount) \(wakes) than the scenario gives."
  }
}

extension LoadResiduals {
  fileprivate static func memoryText(_ memory: [Part]) -> String {
    guard let most = memory.max(by: { $0.share.magnitude < $1.share.magnitude }) else { return "" }
    return "The strongest correlation is \(NumberText.text(most.share)), \(most.number) hours apart."
  }
}

extension LoadResiduals.Part {
  /// The hour of the day: `03:00 to 04:00`.
  var hours: String { "\(TimeText.two(number)):00 to \(TimeText.two((number + 1) % 24)):00" }
}
