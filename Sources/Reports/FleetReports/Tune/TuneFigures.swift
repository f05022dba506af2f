import Scenario
import Studies

/// Charts of a tuning search. They show the course of the search and the settings that meet the goals.
struct TuneFigures {
  let report: TuneReport

  private var study: TuneStudy { report.study }
  private var problem: TuneProblem { study.problem }
  /// The settings that the search tried, in order. Final checks are omitted because they use different draws.
  private var trials: [(number: Int, trial: TuneTrial)] {
    study.trials.enumerated().filter { $0.element.stage == .search }.map { ($0.offset, $0.element) }
  }

  /// Returns settings as dots, in which the settings that meet the goals and the chosen setting are marked.
  ///
  /// - Parameter place: a function that returns the horizontal and vertical position of a setting.
  private func dots(
    _ tried: [(number: Int, trial: TuneTrial)], at place: (Int, TuneTrial) -> Point
  ) -> (mark: Mark, all: [Dot]) {
    let chosen = tried.firstIndex { $0.trial.levels == study.final?.levels }
    let dots = tried.enumerated().map { index, one in
      let at = place(index, one.trial)
      return Dot(
        x: at.x, y: at.y, radius: index == chosen ? 7 : 5, style: one.trial.passes ? "good" : "beaten",
        title: title(one.number, one.trial))
    }
    return (.dots(dots, chosen: chosen), dots)
  }

  /// Returns the title of a dot, which consists of the setting, the figure and the margin of the goals.
  private func title(_ number: Int, _ trial: TuneTrial) -> String {
    let settings = zip(report.keys, report.values[number]).map { $0.path + "=" + $1 }.joined(separator: ", ")
    let figure = problem.objective.figure.map { name in
      ", \(name.text) \(GoalText.text(trial.objective?.value?.approximate, name))"
    }
    return "\(number + 1): " + settings + (figure ?? "") + "; " + Self.room(trial)
  }

  /// Returns the smallest margin of any goal, such as `room 3.1 %` or `misses by 12 %`.
  static func room(_ trial: TuneTrial) -> String {
    guard !trial.goals.isEmpty else { return "no goals" }
    guard let miss = trial.worstMiss else { return "a goal is unknown" }
    let text = NumberText.trimmed(NumberText.fixed(100 * miss.magnitude, decimals: 1)) + "\u{A0}%"
    return miss > 0 ? "misses by " + text : "margin " + text
  }

  // MARK: - The path

  /// A chart of the minimized value in the order of the trials; `nil` if fewer than two trials have a value.
  var path: Markup? {
    let known = trials.filter { $0.trial.measure != nil }
    guard known.count > 1 else { return nil }
    let dots = dots(known) { index, trial in Point(x: Double(index), y: trial.measure ?? 0) }
    let joined = known.map(\.trial).improvements.map { Point(x: dots.all[$0].x, y: dots.all[$0].y) }
    let figure = Chart(
      across: .numbers(known.count, title: "settings in the order tried"),
      up: objectiveAxis(known.compactMap(\.trial.measure)),
      marks: (joined.count > 1 ? [.line("front", joined)] : []) + [dots.mark])
    return figure.markup(
      id: "path", title: "Search path: " + report.objective,
      description: "\(known.count) settings; \(known.count { $0.trial.passes }) of them hold.",
      legend: Self.legend(hasLine: true))
  }

  private static func legend(hasLine: Bool = false, hasBand: Bool = false) -> [(swatch: String, text: String)] {
    [("good", "every goal passes"), ("beaten", "a goal does not pass"), ("chosen", "found, or closest")]
      + (hasLine ? [("front", "the best so far")] : [])
      + (hasBand ? [("holds-here", "all settings tried here pass")] : [])
  }

  private func objectiveAxis(_ values: [Double]) -> Axis {
    switch problem.objective {
    case .key(let axis): keyAxis(axis)
    case .figure(let name): Axis(over: values, title: name.text, label: { TickText.text($0, name, $1) })
    }
  }

  // MARK: - Settings that meet the goals

  /// Charts of the settings that meet the goals. For a single key, a chart shows the margin of the goals. For several
  /// keys, up to three planes show the first key and another one.
  var regions: [Markup] {
    guard !problem.goals.isEmpty, trials.count > 1, !problem.axes.isEmpty else { return [] }
    if problem.axes.count == 1 { return [room].compactMap { $0 } }
    return (1..<min(problem.axes.count, 4)).map { plane(0, $0) }
  }

  private func keyAxis(_ axis: Int) -> Axis {
    let ticks = report.keys[axis].ticks.map { Axis.Tick(value: problem.axes[axis].middle(of: $0.level), text: $0.text) }
    return Axis(0...1, title: report.keys[axis].path, ticks: ticks)
  }

  /// A chart of the smallest margin of any goal over the values of the key. Margins are clamped to plus and minus the
  /// limit.
  private var room: Markup? {
    let known = trials.filter { $0.trial.worstMiss != nil }
    guard known.count > 1 else { return nil }
    let rooms = known.map { min(max(-($0.trial.worstMiss ?? 0), -1), 1) }
    let up = Axis(over: rooms, hasZero: true, title: "margin of the tightest goal, as a share of its limit") {
      NumberText.trimmed(NumberText.fixed($0 * 100, decimals: $1)) + "\u{A0}%"
    }
    let dots = dots(known) { index, trial in Point(x: problem.axes[0].middle(of: trial.levels[0]), y: rooms[index]) }
    let bands = problem.axes[0].isOrdered ? self.bands(along: 0, at: nil).map(Self.band) : []
    let figure = Chart(across: keyAxis(0), up: up, marks: bands + [.rule("mark", y: 0), dots.mark])
    return figure.markup(
      id: "region-0", title: "Where it holds: " + report.keys[0].path, description: regionSentence,
      legend: Self.legend(hasBand: true))
  }

  private func plane(_ across: Int, _ up: Int) -> Markup {
    // Ranges are drawn horizontally, so a key whose values are words is placed on the vertical axis.
    let isTurned = problem.axes.count == 2 && !problem.axes[across].isOrdered && problem.axes[up].isOrdered
    let (x, y) = isTurned ? (up, across) : (across, up)
    let hasBands = problem.axes.count == 2 && problem.axes[x].isOrdered && !problem.axes[y].isOrdered
    let bands = hasBands ? (0..<problem.axes[y].levels).flatMap { self.bands(along: x, at: (y, $0)) } : []
    let dots = dots(trials) { _, trial in
      Point(x: problem.axes[x].middle(of: trial.levels[x]), y: problem.axes[y].middle(of: trial.levels[y]))
    }
    let figure = Chart(across: keyAxis(x), up: keyAxis(y), marks: bands.map(Self.band) + [dots.mark])
    return figure.markup(
      id: "region-\(up)", title: "Where it holds: \(report.keys[across].path) and \(report.keys[up].path)",
      description: regionSentence, legend: Self.legend(hasBand: !bands.isEmpty))
  }

  /// Returns the band of settings that meet the goals. It is slightly wider than the dots so that a single setting
  /// remains visible.
  private static func band(_ band: (range: ClosedRange<Double>, y: Double?)) -> Mark {
    Mark { plot in
      let (left, right) = (plot.x(band.range.lowerBound) - 4, plot.x(band.range.upperBound) + 4)
      let (top, height) = band.y.map { (plot.y($0) - 12, 24) } ?? (plot.canvas.top, plot.canvas.plotHeight)
      return [.rectangle("holds-here", x: left, y: top, width: right - left, height: height)]
    }
  }

  private var regionSentence: String {
    "\(trials.count { $0.trial.passes }) of \(trials.count) settings hold."
  }

  /// Returns the ranges of a numeric key in which all settings that were tried meet the goals, for one word of another
  /// key or for all settings.
  func bands(along axis: Int, at word: (axis: Int, level: Int)?) -> [(range: ClosedRange<Double>, y: Double?)] {
    let line = trials.map(\.trial).filter { trial in word.map { trial.levels[$0.axis] == $0.level } ?? true }
      .sorted { $0.levels[axis] < $1.levels[axis] }
    var bands: [(range: ClosedRange<Double>, y: Double?)] = []
    var isOpen = false
    for trial in line {
      let at = problem.axes[axis].middle(of: trial.levels[axis])
      if trial.passes, isOpen {
        bands[bands.count - 1].range = bands[bands.count - 1].range.lowerBound...at
      } else if trial.passes {
        bands.append((at...at, word.map { problem.axes[$0.axis].middle(of: $0.level) }))
      }
      isOpen = trial.passes
    }
    return bands
  }
}
