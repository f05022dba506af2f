import Scenario
import Studies

extension Tradeoff {
  /// What the settings are weighed by.
  var figures: [FigureName] { [peak, staleness] + (battery.map { [$0] } ?? []) }

  /// Settings in the plane of headroom and staleness, the larger the more they take from the battery.
  var figure: ScatterFigure {
    let drawn = drawnSettings
    let batteries = drawn.map { settings[$0].battery?.value?.approximate }
    let points = zip(drawn, ScatterFigure.radii(batteries)).map { point($0, radius: $1) }
    let joined = drawn.indices.filter { settings[drawn[$0]].isOnPlaneFront }.sorted {
      (points[$0].x, points[$1].y) < (points[$1].x, points[$0].y)
    }
    return ScatterFigure(
      points: points, x: across, y: upright, joined: joined,
      region: drawn.indices.filter { settings[drawn[$0]].isSensible },
      chosen: recommended.flatMap { drawn.firstIndex(of: $0) }, height: 420)
  }

  /// Headroom, with the least that a goal of the peak or the capacity leaves; the peak where there is no full load.
  private var across: ScatterFigure.Direction {
    guard let fullLoad else { return ScatterFigure.Direction(title: peakTitle, label: TickText.number) }
    let least = limit(of: peak).map { max(0, 1 - $0 / fullLoad) } ?? 0
    let hasGoal = capacity != nil && least > 0
    return ScatterFigure.Direction(
      title: "headroom at \(peak.labels.endpoint), of \(GoalText.text(fullLoad, peak))",
      label: { value, more in TickText.text(value, FigureName(.staleViews, .share), more) },
      limit: least, limitName: hasGoal ? "goal" : capacity == nil ? "goal" : "capacity", forbidden: .below)
  }

  private var upright: ScatterFigure.Direction {
    ScatterFigure.Direction(
      title: stalenessWords.axis, label: { TickText.text($0, staleness, $1) }, limit: limit(of: staleness),
      limitName: "goal", forbidden: .above)
  }

  /// What is left of the full load, as a share of it; the peak itself where there is none.
  private func place(across peak: Double) -> Double { fullLoad.map { 1 - peak / $0 } ?? peak }

  private func place(across interval: Interval) -> Interval {
    let ends = [interval.low, interval.high].map { place(across: $0) }
    return Interval(low: min(ends[0], ends[1]), high: max(ends[0], ends[1]))
  }

  /// The most settings that are drawn.
  private static let most = 300

  /// Those whose peak and staleness are known, by their place.
  private var drawnSettings: [Int] {
    let known = settings.indices.filter { settings[$0].peak?.value != nil && settings[$0].staleness?.value != nil }
    let first = known.filter { settings[$0].isSensible || settings[$0].isOnPlaneFront }
    return ([recommended].compactMap { $0 } + first + known).eachOnce.prefix(Self.most).sorted()
  }

  private func point(_ index: Int, radius: Double) -> ScatterFigure.Point {
    let setting = settings[index]
    let label = study.label(index)
    return ScatterFigure.Point(
      x: place(across: setting.peak?.value?.approximate ?? 0), y: setting.staleness?.value?.approximate ?? 0,
      xInterval: setting.peak?.interval.map { place(across: $0) }, yInterval: setting.staleness?.interval,
      radius: radius, style: style(setting), label: label, shortLabel: study.values(index),
      title: label + ": " + told(index))
  }

  /// `peak 26/s, 42 % headroom, 3 % stale, 1.2 % of the battery a day`.
  func told(_ index: Int) -> String {
    let setting = settings[index]
    let load = setting.peak?.value?.approximate
    let room = load.flatMap { load in
      fullLoad.map { full in
        let share = 1 - load / full
        return share >= 0 ? NumberText.percent(share) + " headroom" : NumberText.percent(-share) + " too much"
      }
    }
    return [
      "peak " + GoalText.text(load, peak), room,
      GoalText.text(setting.staleness?.value?.approximate, staleness) + stalenessWords.behind,
      battery.map { GoalText.text(setting.battery?.value?.approximate, $0) + batteryWords($0) },
    ].compactMap { $0 }.joined(separator: ", ")
  }

  private func batteryWords(_ figure: FigureName) -> String {
    figure.metric == .energyPerDay ? " a day" : " of the battery a day"
  }

  private func style(_ setting: Setting) -> String {
    setting.isSensible ? "good" : setting.isOnFront ? "free" : "beaten"
  }

  var legend: [(swatch: String, text: String)] {
    let isShaded = (fullLoad != nil && figure.showsLimit(across, figure.points.map(\.x))) || limit(of: staleness) != nil
    let entries: [(Bool, String, String)] = [
      (recommended != nil, "chosen", "recommended"),
      (settings.contains(where: \.isSensible), "good", rule == .goals ? "meets every goal" : "sensible"),
      (settings.contains { $0.isOnFront && !$0.isSensible }, "free", "not beaten"),
      (settings.contains { !$0.isOnFront && !$0.isSensible }, "beaten", "another setting beats it"),
      (isShaded, "forbidden", "beyond a goal or the capacity"),
      (
        settings.count(where: \.isOnPlaneFront) > 1, "front",
        "joined: no other has both a lower peak and "
          + (staleness.metric == .staleViews ? "fewer stale views" : "younger data")
      ),
    ]
    return entries.filter(\.0).map { (swatch: $0.1, text: $0.2) }
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

  /// What people call how old the data is.
  var stalenessName: String { stalenessWords.name }

  /// What lateness does not show of a jitter; empty where none is varied.
  var jitterNote: String {
    guard staleness.metric == .lateness, study.keys.contains(where: { $0.contains("jitter") }) else { return "" }
    return " Lateness counts from the date that is asked for, with its jitter: by how much a jitter itself makes data "
      + "older is not in it."
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
    case .goals: "The sensible settings are those that meet every goal."
    case .noneMeetsGoals: "No setting meets every goal, so none is recommended."
    case .betterHalf:
      "No goals are set: the sensible settings are those that no other beats in \(criteria) together and that lie in the better "
        + "half between the best and the worst of each."
    case .nearest:
      "No goals are set, and no setting lies in the better half of \(criteria) at once; the one that comes nearest to the "
        + "best of each is recommended."
    }
  }

  /// What it says first: the strip on top of its page and the last line on the terminal.
  var answer: StudyAnswer {
    guard let recommended else {
      let words = SweepAnswer(study)
      guard let closest = words.choice?.setting, study.runs.count > 1 else { return words.answer }
      let isOpen = study.runs[closest].verdict == .inconclusive
      return StudyAnswer(
        mood: isOpen ? .open : .bad,
        lead: isOpen ? "No setting meets every goal for certain" : "No setting meets every goal",
        rest: "; \(study.spoken(closest)) comes closest and \(words.missWords(closest)): \(told(closest)).")
    }
    let count = settings.count(where: \.isSensible)
    let lead = "Recommended: " + study.label(recommended)
    let reason: String
    switch rule {
    case .goals, .noneMeetsGoals:
      reason =
        count == 1
        ? "the only one of \(settings.count) settings that meets every goal"
        : "of \(count) settings that meet every goal the best balance of \(criteria)"
    case .betterHalf, .nearest: reason = "no goals are set, and it is the best balance of \(criteria)"
    }
    return StudyAnswer(
      mood: rule == .goals ? .good : .plain, lead: lead, rest: ": \(told(recommended)); \(reason).")
  }
}
