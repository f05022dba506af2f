import Scenario
import Studies

/// The answer to a sweep (Docs/STUDIES.md), shown in the strip at the top of its page and in the last line on the
/// terminal.
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

  var answer: Answer {
    guard let choice else {
      return study.goals.isEmpty
        ? Answer(
          word: "No goals are set", tone: .plain,
          reasons: ["no measured figure allows settings to be compared"])
        : Answer(word: "No setting passes", tone: .bad, reasons: ["the goal figures are unknown"])
    }
    var answer = answer(choice)
    answer.claims = study.runs[choice.setting].goals.map { Claim($0) }
    return answer
  }

  private func answer(_ choice: SweepChoice) -> Answer {
    let label = study.inProse(choice.setting)
    let passing = study.runs.count { $0.passes }
    let all = study.runs.count
    switch choice.reason {
    case .minimum, .maximum:
      return Answer(
        word: "\(label) is the \(choice.reason == .minimum ? "lowest" : "highest") \(key) that passes", tone: .good,
        reasons: [choice.neighbour.map { "\(study.inProse($0)) \(missWords($0))" } ?? ""]
          + (choice.gain.map(gainWords) ?? []))
    case .only: return Answer(word: "Only \(label) passes", tone: .good, reasons: ["1 of \(all) settings"])
    case .best:
      let isTied = !study.objectives.isEmpty && passing > 1 && choice.equals.count == passing - 1
      let word =
        passing < all
        ? "\(passing) of \(all) settings pass"
        : all == 1 ? "The only setting passes" : all == 2 ? "Both settings pass" : "All \(all) settings pass"
      return Answer(
        word: word, tone: .good,
        reasons: all == 1 || study.objectives.isEmpty
          ? []
          : isTied
            ? ["none clearly differs from \(label) in \(listed(study.objectives.map { name($0.figure) }))"]
            : [bestWords(choice), equalWords(choice)])
    case .nearest:
      let goals = study.runs[choice.setting].goals
      let isOpen = study.runs[choice.setting].verdict == .inconclusive
      let why = goals.first { $0.verdict == .inconclusive && !$0.explanation.isEmpty }?.explanation
      return Answer(
        word: isOpen ? "No setting is certain to pass" : "No setting passes", tone: isOpen ? .open : .bad,
        reasons: [
          "\(label) comes closest and \(missWords(choice.setting))"
            + (isOpen ? why.map { ", because \($0)" } ?? "" : "")
        ])
    case .balance: return Answer(word: "No goals are set", tone: .plain, reasons: balance(choice))
    }
  }

  /// The name of the only key that varies, for use in sentences.
  private var key: String { study.keyWords[study.variedAxes[0]] }

  /// Returns the figures that another passing setting improves and those that it makes worse.
  private func gainWords(_ gain: SweepChoice.Gain) -> [String] {
    let change = gain.better
    let share = { (value: Double) in NumberText.percent(change.relative(value)?.magnitude) }
    let interval = change.interval.map { interval in
      let ends = [interval.low, interval.high].sorted { abs($0) < abs($1) }.map(share)
      return " (95\u{A0}% interval \(ends[0]) to \(ends[1]))"
    }
    let difference = change.difference ?? 0
    let brought =
      "\(study.inProse(gain.setting)) \(difference < 0 ? "lowers" : "raises") the \(name(change.figure)) by a further "
      + share(difference) + (interval ?? "")
    let worse = gain.worse.map { change in
      let interval = change.interval.map { " (\($0.words { ChangeText.text($0, change.figure) }))" } ?? ""
      return ChangeText.text(change.difference, change.figure) + " " + name(change.figure) + interval
    }
    guard worse.isEmpty else { return [brought, "It costs " + listed(worse)] }
    // The lateness of a refresh is measured from a date that already includes jitter.
    let hidesJitter =
      gain.same.contains { $0.figure.metric == .lateness } && study.keys.contains { $0.contains("jitter") }
    return [brought, gain.same.isEmpty ? "" : "It costs nothing in " + listed(gain.same.map { name($0.figure) })]
      + (hidesJitter ? ["Lateness excludes the jitter itself"] : [])
  }

  /// Returns the reason why a setting does not pass, such as `misses peak by 12 % under lazy` or `is inconclusive on
  /// peak`.
  func missWords(_ index: Int) -> String {
    let pairs = zip(study.runs[index].goals, study.runs[index].margins)
    let missed = pairs.filter { $0.0.verdict == .fail || $0.0.verdict == .warn }
    guard let worst = missed.max(by: { ($0.1.miss ?? 0) < ($1.1.miss ?? 0) }) else {
      return "is inconclusive on " + listed(pairs.filter { $0.0.verdict == .inconclusive }.map(\.0.goal.id))
    }
    guard let miss = worst.1.miss, miss > 0 else { return "fails " + worst.0.goal.id }
    let preset = worst.1.preset.map { " under " + $0.rawValue } ?? ""
    return miss >= 1
      ? "puts \(worst.0.goal.id) at \(NumberText.trimmed(NumberText.text(1 + miss))) times its limit" + preset
      : "misses \(worst.0.goal.id) by \(NumberText.percent(miss))" + preset
  }

  /// Returns a clause such as `15 min has the lowest peak, 26/s`. If there are several objectives, the clause has the
  /// form `... has the best balance of peak (26/s) and ...`.
  private func bestWords(_ choice: SweepChoice) -> String {
    let label = study.inProse(choice.setting)
    let values = study.objectives.map { (name($0.figure), value(choice.setting, $0.figure)) }
    guard study.objectives.count == 1, study.runs.count > 1 else {
      return "\(label) has \(study.runs.count > 1 ? "the best balance of " : "")"
        + listed(values.map { "\($0.0) (\($0.1))" })
    }
    return "\(label) has the \(study.objectives[0].direction == .minimum ? "lowest" : "highest") \(values[0].0), "
      + values[0].1
  }

  private func equalWords(_ choice: SweepChoice) -> String {
    let count = choice.equals.count
    return count == 0
      ? ""
      : "\(count) more \(count == 1 ? "is" : "are") as good"
        + (study.hasIntervals ? " within the 95\u{A0}% intervals" : "")
  }

  /// Returns sentences about the changes in figures from one setting to the next, for a study without goals.
  private func balance(_ choice: SweepChoice) -> [String] {
    guard let order = study.amountOrder, let low = order.first, let high = order.last, order.count > 1 else {
      return [bestWords(choice), equalWords(choice)]
    }
    let words = study.objectives.map { objective -> String in
      let change = study.change(of: objective.figure, from: low, to: high)
      let (name, ends) = (name(objective.figure), [low, high].map { value($0, objective.figure) })
      return change.isClear
        ? "the \(name) goes from \(ends[0]) to \(ends[1]) (\(ChangeText.text(change).change))"
        : "the \(name) does not clearly change"
    }
    return ["as \(key) rises from \(study.inProse(low)) to \(study.inProse(high)), " + listed(words)]
  }

  private func name(_ figure: FigureName) -> String { names[figure] ?? figure.text }

  private func value(_ index: Int, _ figure: FigureName) -> String {
    GoalText.text(study.runs[index].summary.figure(figure)?.value?.approximate, figure)
  }
}
