import Scenario
import Studies

/// What a sweep says first (Docs/STUDIES.md): the strip on top of its page and the last line on the terminal.
struct SweepAnswer {
  let study: SweepStudy
  let choice: SweepChoice?
  private let names: [FigureName: String]

  init(_ study: SweepStudy) {
    self.study = study
    choice = SweepChoice(of: study)
    let changes = choice?.gain.map { [$0.better] + $0.worse + $0.same } ?? []
    names = FigureWords.names((study.objectives.map(\.figure) + changes.map(\.figure)).withoutRepetitions)
  }

  var answer: StudyAnswer {
    guard let choice else {
      return study.goals.isEmpty
        ? StudyAnswer(
          mood: .plain, lead: "No goals are set",
          rest: ", and nothing was measured by which settings could be compared.")
        : StudyAnswer(mood: .bad, lead: "No setting passes", rest: "; nothing is known of the figures of the goals.")
    }
    switch choice.reason {
    case .least, .most: return end(choice)
    case .only:
      return StudyAnswer(
        mood: .good, lead: "Only \(study.spoken(choice.setting)) passes", rest: " of \(study.runs.count) settings.")
    case .best: return best(choice)
    case .nearest: return nearest(choice)
    case .balance: return balance(choice)
    }
  }

  // MARK: - One key with amounts

  /// `5 min is the least jitter.up_to that passes (2 min misses peak by 10 %); 15 min halves the peak again and ...`.
  private func end(_ choice: SweepChoice) -> StudyAnswer {
    let key = study.keyWords[study.variedAxes[0]]
    let neighbour = choice.neighbour.map { " (\(study.spoken($0)) \(missWords($0)))" } ?? ""
    return StudyAnswer(
      mood: .good,
      lead: "\(study.spoken(choice.setting)) is the \(choice.reason == .least ? "least" : "most") \(key) that passes",
      rest: neighbour + (choice.gain.map(gainWords) ?? "") + ".")
  }

  private func gainWords(_ gain: SweepChoice.Gain) -> String {
    let same = gain.same.map { name($0.figure) }
    let cost: String
    if !gain.worse.isEmpty {
      cost = ", at the price of " + listed(gain.worse.map(changeWords))
    } else if !same.isEmpty {
      // Lateness counts from a date to which the jitter has been added.
      let hidesJitter =
        gain.same.contains { $0.figure.metric == .lateness } && study.keys.contains { $0.contains("jitter") }
      cost = " and costs nothing in " + listed(same) + (hidesJitter ? ", which leaves the jitter itself out" : "")
    } else {
      cost = ""
    }
    return "; \(study.spoken(gain.setting)) \(effectWords(gain.better))" + cost
  }

  /// `halves the peak again`, `lowers the peak by a further 63 % (61 to 65 %)`.
  private func effectWords(_ change: FigureChange) -> String {
    let difference = change.difference ?? 0
    let share = change.relative(difference)?.magnitude ?? 0
    if difference < 0, SweepAnswer.isHalf(change) { return "halves the \(name(change.figure)) again" }
    let interval = change.interval.map { interval in
      let ends = [interval.low, interval.high].map { change.relative($0)?.magnitude ?? 0 }.sorted()
      return " (\(Interval(low: ends[0], high: ends[1]).words { NumberText.percent($0) }))"
    }
    return (difference < 0 ? "lowers" : "raises") + " the \(name(change.figure)) by a further "
      + NumberText.percent(share) + (interval ?? "")
  }

  /// Whether what is left is half, to a twentieth of the whole, with its interval where there is one.
  static func isHalf(_ change: FigureChange) -> Bool {
    let ends = [change.difference, change.interval?.low, change.interval?.high].compactMap { $0 }
    return !ends.isEmpty && ends.allSatisfy { (-0.55 ... -0.45).contains(change.relative($0) ?? 0) }
  }

  /// `+1.2 pp share of stale views (0.8 to 1.6 pp)`.
  private func changeWords(_ change: FigureChange) -> String {
    let interval = change.interval.map { " (\($0.words { ChangeText.text($0, change.figure) }))" } ?? ""
    return ChangeText.text(change.difference, change.figure) + " " + name(change.figure) + interval
  }

  // MARK: - Verdicts

  /// What keeps a setting from passing: `misses peak by 12 %, under lazy`, `is inconclusive on peak`.
  func missWords(_ index: Int) -> String {
    let pairs = zip(study.runs[index].goals, study.runs[index].margins)
    let missed = pairs.filter { $0.0.verdict == .fail || $0.0.verdict == .warn }
    guard let worst = missed.max(by: { ($0.1.miss ?? 0) < ($1.1.miss ?? 0) }) else {
      return "is inconclusive on " + listed(pairs.filter { $0.0.verdict == .inconclusive }.map(\.0.goal.id))
    }
    guard let miss = worst.1.miss, miss > 0 else { return "fails " + worst.0.goal.id }
    let preset = worst.1.preset.map { " under " + $0.rawValue } ?? ""
    return miss >= 1
      ? "takes \(worst.0.goal.id) to \(NumberText.trimmed(NumberText.text(1 + miss))) times its limit" + preset
      : "misses \(worst.0.goal.id) by \(NumberText.percent(miss))" + preset
  }

  private func nearest(_ choice: SweepChoice) -> StudyAnswer {
    let run = study.runs[choice.setting]
    let isOpen = run.verdict == .inconclusive
    let why = run.goals.first { $0.verdict == .inconclusive && !$0.explanation.isEmpty }.map {
      ", because \($0.explanation)"
    }
    let words = missWords(choice.setting) + (isOpen ? why ?? "" : "")
    let mood: StudyAnswer.Mood = isOpen ? .open : .bad
    guard study.runs.count > 1 else {
      return StudyAnswer(
        mood: mood, lead: isOpen ? "The only setting may pass" : "The only setting does not pass",
        rest: ": it \(words).")
    }
    return StudyAnswer(
      mood: mood, lead: isOpen ? "No setting passes for certain" : "No setting passes",
      rest: "; \(study.spoken(choice.setting)) comes closest and \(words).")
  }

  // MARK: - Several that pass

  private func best(_ choice: SweepChoice) -> StudyAnswer {
    let count = study.runs.count { $0.passes }
    let all = study.runs.count
    guard all > 1 else { return StudyAnswer(mood: .good, lead: "The only setting passes", rest: ".") }
    let label = study.spoken(choice.setting)
    guard count > 1 else {
      return StudyAnswer(mood: .good, lead: "Only \(label) passes", rest: " of \(all) settings.")
    }
    let objectives = study.objectives.map(\.figure)
    if !objectives.isEmpty, choice.equals.count == count - 1 {
      let lead = count == all ? allWords : "\(label) passes, and so do \(count - 1) other settings"
      return StudyAnswer(
        mood: .good, lead: lead,
        rest: "; none of them clearly differs from \(label) in \(listed(objectives.map(name))).")
    }
    let ties = equalWords(choice)
    guard count == all else {
      return StudyAnswer(
        mood: .good, lead: "\(label) is the best of \(count) settings that pass",
        rest: (objectives.isEmpty ? "" : ": \(reasonWords(choice))") + ties
          + "; \(all - count) \(all - count == 1 ? "does" : "do") not pass.")
    }
    return StudyAnswer(
      mood: .good, lead: allWords,
      rest: (objectives.isEmpty ? "" : "; \(label) has \(reasonWords(choice))") + ties + ".")
  }

  private var allWords: String {
    study.runs.count == 2 ? "Both settings pass" : "All \(study.runs.count) settings pass"
  }

  /// `the lowest peak, 26/s`; of several objectives `the best balance of peak (26/s) and stale views (3 %)`.
  private func reasonWords(_ choice: SweepChoice) -> String {
    let objectives = study.objectives
    guard objectives.count == 1 else { return "the best balance of " + valueWords(choice.setting) }
    let first = objectives[0]
    return "the \(first.direction == .least ? "lowest" : "highest") \(name(first.figure)), "
      + value(choice.setting, first.figure)
  }

  private func valueWords(_ index: Int) -> String {
    listed(study.objectives.map { "\(name($0.figure)) (\(value(index, $0.figure)))" })
  }

  private func equalWords(_ choice: SweepChoice) -> String {
    let count = choice.equals.count
    guard count > 0 else { return "" }
    return "; \(count) more \(count == 1 ? "is" : "are") as good"
      + (study.hasIntervals ? " within the 95\u{A0}% intervals" : "")
  }

  // MARK: - Without goals

  private func balance(_ choice: SweepChoice) -> StudyAnswer {
    let lead = "No goals are set"
    if let order = study.amountOrder, let low = order.first, let high = order.last, order.count > 1 {
      let key = study.keyWords[study.variedAxes[0]]
      let words = study.objectives.map { courseWords($0.figure, low, high) }
      return StudyAnswer(
        mood: .plain, lead: lead,
        rest: ": from \(study.spoken(low)) to \(study.spoken(high)) of \(key) " + listed(words) + ".")
    }
    let label = study.spoken(choice.setting)
    guard study.runs.count > 1 else {
      return StudyAnswer(mood: .plain, lead: lead, rest: ": \(label) has \(valueWords(choice.setting)).")
    }
    return StudyAnswer(
      mood: .plain, lead: lead,
      rest: ": of \(study.runs.count) settings \(label) has \(reasonWords(choice))\(equalWords(choice)).")
  }

  /// `the peak goes from 350/s to 26/s (−93 %)`, `battery use does not clearly change`.
  private func courseWords(_ figure: FigureName, _ low: Int, _ high: Int) -> String {
    let change = study.change(of: figure, from: low, to: high)
    guard change.isClear else { return "the \(name(figure)) does not clearly change" }
    return "the \(name(figure)) goes from \(value(low, figure)) to \(value(high, figure)) ("
      + ChangeText.text(change).change + ")"
  }

  // MARK: - Words

  private func name(_ figure: FigureName) -> String { names[figure] ?? figure.text }

  private func value(_ index: Int, _ figure: FigureName) -> String {
    GoalText.text(study.runs[index].summary.figure(figure)?.value?.approximate, figure)
  }
}
