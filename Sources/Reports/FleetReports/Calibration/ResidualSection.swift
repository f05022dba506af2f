import Calibration
import RequestStatistics
import Scenario
import Studies

/// Returns the section on remaining deviations of the scenario; `nil` without a simulation.
func residualSection(_ report: CalibrationReport) -> ReportSection? {
  guard let load = (report.patchesValues ? report.simulated : nil) ?? report.asWritten else { return nil }
  let residuals = LoadResiduals(MeasuredLoad(report), load)
  guard let hours = residuals.byHour else { return nil }
  let misses = WakeMiss.all(report, load.evidence)
  let items = Markup.findings(misses.prefix(WakeMiss.mostNamed).map(\.text))
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
      + worst.prefix(3).map { "\($0.text) from \($0.name):00 to \(TimeText.two(($0.number + 1) % 24)):00 UTC" }
      .joined(separator: ", ") + (worst.count > 3 ? " and off in \(worst.count - 3) other hours" : "")
      + " than the simulated one."
  return lead + (misses.isEmpty ? "" : " Of the wakes it misses:")
}

private func drawings(_ residuals: LoadResiduals, _ hours: [LoadResiduals.Part]) -> [Markup] {
  func figure(_ parts: [LoadResiduals.Part], _ id: String, _ title: String, _ across: String) -> Markup {
    Chart.deviations(
      parts.map { Chart.Deviation(name: $0.name, value: $0.share, chance: $0.chance) }, title: across,
      unit: "measured less simulated", label: ChangeText.tick
    ).markup(
      id: id, title: title,
      description: parts.map { "\($0.name): \(DifferenceText.signed($0.share))" }.joined(separator: ", ") + ".",
      legend: [("energy-wait", "what chance leaves")])
  }
  let memory = residuals.memory.map { memory in
    Chart.deviations(
      memory.map { Chart.Deviation(name: $0.name, value: $0.share, chance: $0.chance) }, title: "hours before",
      unit: "correlation", label: TickText.number
    ).markup(
      id: "residual-memory", title: "What is left, against what was left hours before",
      description: LoadResiduals.memoryText(memory), legend: [("energy-wait", "what chance leaves without a memory")])
  }
  return [
    figure(hours, "residual-hours", "What is left, by hour of the day", "hour of the day, UTC"),
    residuals.byWeekday.map { figure($0, "residual-days", "What is left, by day of the week", "days in UTC") }, memory,
  ].compactMap { $0 }
}

/// The measured load less the simulated one.
struct LoadResiduals {
  struct Part: Hashable {
    let number: Int
    let name: String
    /// The measured requests.
    var measured = 0.0
    /// The deviation as a share of the simulated requests.
    let share: Double
    /// Half the width of the 95 % range of chance.
    let chance: Double

    /// Whether it is worth mentioning: beyond chance, and large enough to matter.
    var isBeyond: Bool { share.magnitude > LoadResiduals.least && share.magnitude > LoadResiduals.far * chance }
    var text: String { DifferenceText.higher(share) }
    /// The deviation as a share of the measured requests.
    var unexplained: Double { measured > 0 ? share.magnitude / (1 + share) : 0 }
    /// The range of chance as a share of the measured requests.
    var chanceOfMeasured: Double { measured > 0 ? chance / (1 + share) : 0 }
  }

  /// The smallest deviation that changes a plan.
  static let least = 0.05
  /// The factor on the drawn range beyond which a deviation is not chance: in 97 of 100 logs none of 24 hours exceeds
  /// 3.2 standard deviations by chance.
  static let far = 1.63

  private let measured: MeasuredLoad
  /// The steps known to both.
  private let steps: [(bin: Int, measured: Double, simulated: Double)]
  private let spread: Double

  init(_ measured: MeasuredLoad, _ load: SimulatedLoad) {
    self.measured = measured
    spread = measured.requestsPerRun * (1 + load.scale)
    steps = measured.counts.indices.compactMap { bin in
      guard measured.isKnown(bin), let simulated = load.count(at: bin) else { return nil }
      return (bin, Double(measured.counts[bin]), simulated)
    }
  }

  private func hour(_ bin: Int) -> Int { Int(measured.time(bin) / 3_600_000) }

  /// The deviations by hour of the day; `nil` unless every hour has a simulated request.
  var byHour: [Part]? {
    let parts = parts(24, name: TimeText.two) { hour($0) % 24 }
    return parts.isEmpty ? nil : parts
  }

  /// The hour of the day with the most measured requests.
  var busiestHour: Part? { byHour?.max { ($0.measured, $1.number) < ($1.measured, $0.number) } }

  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  /// The deviations by weekday, from Monday; `nil` for less than two weekdays.
  var byWeekday: [Part]? {
    // The first of January 1970 was a Thursday.
    let parts = parts(7, name: { Self.weekdays[$0] }, { (hour($0) / 24 + 3) % 7 })
    return parts.count > 1 ? parts : nil
  }

  private func parts(_ count: Int, name: (Int) -> String, _ part: (Int) -> Int) -> [Part] {
    var sums = Array(repeating: (measured: 0.0, simulated: 0.0), count: count)
    for step in steps {
      let place = part(step.bin)
      sums[place].measured += step.measured
      sums[place].simulated += step.simulated
    }
    return sums.enumerated().filter { $0.element.simulated > 0 }.map { place, sum in
      Part(
        number: place, name: name(place), measured: sum.measured, share: sum.measured / sum.simulated - 1,
        chance: 1.96 * (spread * sum.simulated).squareRoot() / sum.simulated)
    }
  }

  /// The min number of hours for a correlation.
  private static let fewestHours = 48

  /// The correlations of an hour's deviation with those of up to a day before; `nil` for too few hours.
  var memory: [Part]? {
    var sums: [Int: (rest: Double, expected: Double, steps: Int)] = [:]
    for step in steps {
      let own = sums[hour(step.bin)] ?? (0, 0, 0)
      sums[hour(step.bin)] = (own.rest + step.measured - step.simulated, own.expected + step.simulated, own.steps + 1)
    }
    let whole = sums.filter { $0.value.steps == 12 && $0.value.expected > 0 }.mapValues {
      $0.rest / $0.expected.squareRoot()
    }
    guard whole.count >= Self.fewestHours else { return nil }
    // Sorted, because sums of numbers depend on the order.
    let hours = whole.keys.sorted()
    let mean = hours.reduce(0) { $0 + (whole[$1] ?? 0) } / Double(hours.count)
    let variance = hours.reduce(0) { sum, hour in
      let rest = (whole[hour] ?? 0) - mean
      return sum + rest * rest
    }
    guard variance > 0 else { return nil }
    return (1...24).map { lag in
      let pairs = hours.compactMap { hour in whole[hour - lag].map { ((whole[hour] ?? 0) - mean, $0 - mean) } }
      let scale = Double(hours.count) / Double(max(pairs.count, 1))
      return Part(
        number: lag, name: String(lag), share: scale * pairs.reduce(0) { $0 + $1.0 * $1.1 } / variance,
        chance: 1.96 / Double(max(pairs.count, 1)).squareRoot())
    }
  }

  static func memoryText(_ memory: [Part]) -> String {
    guard let most = memory.max(by: { $0.share.magnitude < $1.share.magnitude }) else { return "" }
    return "The strongest correlation is \(NumberText.text(most.share)), \(most.number) hours apart."
  }
}
