import Scenario
import Studies

extension Tradeoff {
  /// What the settings are weighed by.
  var figures: [FigureName] { [peak, staleness] + (battery.map { [$0] } ?? []) }

  /// Settings in the plane of peak and staleness, the larger the more they take from the battery.
  var figure: ScatterFigure {
    let drawn = drawnSettings
    let batteries = drawn.map { settings[$0].battery?.value?.approximate }
    let points = zip(drawn, ScatterFigure.radii(batteries)).map { point($0, radius: $1) }
    let joined = drawn.indices.filter { settings[drawn[$0]].isOnPlaneFront }.sorted {
      (points[$0].x, points[$1].y) < (points[$1].x, points[$0].y)
    }
    return ScatterFigure(
      points: points,
      x: ScatterFigure.Direction(
        title: peakTitle, label: TickText.number, limit: capacity,
        limitName: capacity.map { "capacity " + GoalText.text($0, peak) } ?? ""),
      y: ScatterFigure.Direction(title: stalenessWords.axis, label: { TickText.text($0, staleness, $1) }),
      joined: joined, region: drawn.indices.filter { settings[drawn[$0]].isSensible }, height: 420)
  }

  /// Those whose peak and staleness are known, by their place.
  private var drawnSettings: [Int] {
    settings.indices.filter { settings[$0].peak?.value != nil && settings[$0].staleness?.value != nil }
  }

  private func point(_ index: Int, radius: Double) -> ScatterFigure.Point {
    let setting = settings[index]
    let label = study.runs[index].values.map(\.text).joined(separator: ", ")
    let parts =
      [(peak, setting.peak), (staleness, setting.staleness)] + (battery.map { [($0, setting.battery)] } ?? [])
    let told = parts.map { "\($0.text) \(GoalText.text($1?.value?.approximate, $0))" }.joined(separator: ", ")
    return ScatterFigure.Point(
      x: setting.peak?.value?.approximate ?? 0, y: setting.staleness?.value?.approximate ?? 0,
      xInterval: setting.peak?.interval, yInterval: setting.staleness?.interval, radius: radius, style: style(setting),
      label: label, title: label + ": " + told)
  }

  private func style(_ setting: Setting) -> String {
    setting.isSensible ? "good" : setting.isOnFront ? "free" : "beaten"
  }

  var legend: [(swatch: String, text: String)] {
    var entries: [(swatch: String, text: String)] = []
    if settings.contains(where: \.isSensible) { entries.append(("good", "sensible")) }
    if settings.contains(where: { $0.isOnFront && !$0.isSensible }) {
      entries.append(("free", "no other is better in all"))
    }
    if settings.contains(where: { !$0.isOnFront && !$0.isSensible }) { entries.append(("beaten", "another is better")) }
    if settings.count(where: \.isOnPlaneFront) > 1 {
      entries.append(
        (
          "front",
          "joined: no other has both a lower peak and \(staleness.metric == .staleViews ? "fewer stale views" : "younger data")"
        ))
    }
    return entries
  }

  // MARK: Words

  /// Where the peak is counted.
  private var peakPlace: String {
    let place = study.scenario.map { GoalText.place(peak, [$0]) } ?? ""
    return place.isEmpty ? "of " : place + ", of "
  }

  /// What the horizontal axis measures.
  var peakTitle: String {
    return "peak load \(peakPlace)\(peak.labels.endpoint), requests/s"
      + (peak.labels.window.isEmpty ? "" : " in \(peak.labels.window)")
  }

  /// What staleness is called at an axis, in a sentence and over a column, and what stands behind a value of it.
  private var stalenessWords: (axis: String, name: String, column: String, behind: String) {
    switch staleness.metric {
    case .staleViews: ("share of views that show stale data", "stale views", "stale views", " stale")
    case .dataAge: ("age of the data at a view, p95", "data age", "data age, p95", " old")
    default: ("lateness of refreshes, mean", "lateness", "lateness", " late")
    }
  }

  /// What people call the three, in a sentence.
  var criteria: String {
    let names = ["peak load", stalenessWords.name] + (battery == nil ? [] : ["battery"])
    return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
  }

  /// What the columns of the three are called.
  var titles: [String] {
    let energy = battery?.metric == .energyPerDay ? "energy a day" : "battery a day"
    let window = peak.labels.window.isEmpty ? "" : ", " + peak.labels.window
    return ["peak " + peakPlace + peak.labels.endpoint + window, stalenessWords.column]
      + (battery == nil ? [] : [energy])
  }

  /// What makes a setting sensible, in one sentence.
  var ruleSentence: String {
    switch rule {
    case .goals: "Sensible are the settings that meet every goal."
    case .noneMeetsGoals: "Sensible would be a setting that meets every goal; none does."
    case .betterHalf:
      "Sensible are the settings that no other beats in \(criteria) together and that lie in the better half between the "
        + "best and the worst of each."
    case .nearest:
      "No setting lies in the better half of \(criteria) at once; marked is the one that comes nearest to the best of each."
    }
  }

  /// The settings and what they bring, the sensible ones with the lowest peak first.
  var answer: String {
    let sensible = settings.indices.filter { settings[$0].isSensible }.sorted {
      (settings[$0].peak?.value?.approximate ?? .infinity) < (settings[$1].peak?.value?.approximate ?? .infinity)
    }
    let words = sensible.prefix(3).map { index in
      let setting = settings[index]
      let values = study.runs[index].values.map(\.text).joined(separator: ", ")
      let parts =
        [
          "peak " + GoalText.text(setting.peak?.value?.approximate, peak),
          GoalText.text(setting.staleness?.value?.approximate, staleness) + stalenessWords.behind,
        ] + (battery.map { [GoalText.text(setting.battery?.value?.approximate, $0) + " a day"] } ?? [])
      return "\(values) (\(parts.joined(separator: ", ")))"
    }
    let count = sensible.count
    guard count > 0 else { return ruleSentence }
    let lead = count == 1 ? "One of \(settings.count) settings is: " : "\(count) of \(settings.count) settings are: "
    return ruleSentence + " " + lead + words.joined(separator: "; ") + (count > 3 ? " and \(count - 3) more" : "") + "."
  }
}
