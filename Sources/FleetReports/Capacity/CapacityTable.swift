import Scenario
package import Studies

/// The answers of `capacity` as text for a terminal: a sentence for each, then what was found, and what was tried.
///
/// - Parameter answerAlone: for scripts: the sentences alone, a line each.
package func capacityTable(of study: CapacityStudy, answerAlone isAlone: Bool = false) -> [UInt8] {
  let text = CapacityText(study: study)
  if isAlone { return answerAlone(study.answers.map(text.sentence)) }
  let sentences = study.answers.flatMap { folded(text.sentence(of: $0)) }
  let together = text.together.map { folded($0) } ?? []
  let lines = folded(study.scenario.name) + [""] + sentences + together + [""] + text.lines + [""] + text.goalLines
  return Array((lines.joined(separator: "\n") + "\n").utf8)
}

/// What is said of a study of capacity.
struct CapacityText {
  let study: CapacityStudy

  /// `At most 52 300 phones: then 'api-peak' fails (95 % interval ...). The scenario has 50 000.`
  func sentence(of answer: CapacityStudy.Answer) -> String {
    answer.lever == .devices ? devicesSentence(answer) : capacitySentence(answer)
  }

  private func devicesSentence(_ answer: CapacityStudy.Answer) -> String {
    let own = "The scenario has \(NumberText.whole(Double(study.scenario.fleet.devices)))."
    switch answer.own.outcome {
    case .holdsThroughout:
      let most = number(answer.own.points.last?.load, .devices)
      return "Every goal holds with any number of phones up to \(most), the most that was tried. " + own
    case .missedThroughout:
      let least = answer.own.points.first.map { number($0.load, .devices) } ?? ""
      return "No number of phones: with \(least) \(goalName(answer.own)) still fails. " + own
    case .found:
      return "Up to \(number(answer.own.value, .devices)) phones every goal holds\(interval(answer)); beyond that "
        + "\(goalName(answer.own)) fails\(ends(answer)).\(doubt(answer)) " + own
    }
  }

  private func capacitySentence(_ answer: CapacityStudy.Answer) -> String {
    guard case .capacity(let index) = answer.lever else { return "" }
    let endpoint = study.scenario.endpoints[index]
    let own = endpoint.capacity.map { " The scenario has \(rate($0))." } ?? " The scenario sets no limit."
    switch answer.own.outcome {
    case .holdsThroughout:
      let least = number(answer.own.points.first?.load, answer.lever)
      return "'\(endpoint.name)' meets every goal down to \(least), the least that was tried.\(atOnce(answer))" + own
    case .missedThroughout:
      return "No capacity of '\(endpoint.name)' is enough: \(goalName(answer.own)) fails whatever the servers can do."
        + own
    case .found:
      return "'\(endpoint.name)' needs \(number(answer.own.value, answer.lever))\(interval(answer)); with less "
        + "\(goalName(answer.own)) fails\(ends(answer)).\(doubt(answer))\(atOnce(answer))" + own
    }
  }

  /// A warning where chance may have made the limit.
  private func doubt(_ answer: CapacityStudy.Answer) -> String {
    guard !answer.own.isResolved else { return "" }
    return " The sample does not resolve the figure of \(goalName(answer.own)): its 95 % interval reaches further than "
      + "5 % of it, so chance may move this limit by as much. Simulate more devices to be surer."
  }

  /// A warning where what was found would not serve the busiest step in time.
  private func atOnce(_ answer: CapacityStudy.Answer) -> String {
    guard let needed = answer.busiestStep, needed > answer.own.value ?? 0 else { return "" }
    return
      " But to serve all requests of the busiest step within the timeout takes \(rate(CapacityStudy.roundedUp(needed))): "
      + "in the simulation requests of one step do not wait for each other."
  }

  private func goalName(_ limit: CapacityLimit) -> String { limit.goal.map { "'\(study.goals[$0].id)'" } ?? "a goal" }

  private func interval(_ answer: CapacityStudy.Answer) -> String {
    let words = intervalWords(answer.own.interval, answer.lever)
    return words.isEmpty ? "" : " (95 % interval \(words))"
  }

  private func intervalWords(_ interval: Interval?, _ lever: CapacityLever) -> String {
    guard let interval else { return "" }
    let (low, high) = (number(interval.low, lever), number(interval.high, lever))
    return low == high ? "" : low + " to " + high
  }

  private func ends(_ answer: CapacityStudy.Answer) -> String {
    let parts = Bracket.ends.compactMap { preset in
      answer.ends[preset].map { "\(preset.rawValue) \(value($0, answer.lever))" }
    }
    return parts.isEmpty ? "" : "; " + parts.joined(separator: ", ")
  }

  private func value(_ limit: CapacityLimit, _ lever: CapacityLever) -> String {
    switch limit.outcome {
    case .found: number(limit.value, lever)
    case .holdsThroughout: "any"
    case .missedThroughout: "none"
    }
  }

  /// Devices rounded down and capacities rounded up: what is told still holds.
  private func number(_ value: Double?, _ lever: CapacityLever) -> String {
    guard let value else { return NumberText.unknown }
    return lever == .devices ? NumberText.whole(CapacityStudy.roundedDown(value)) : rate(CapacityStudy.roundedUp(value))
  }

  private func rate(_ value: Double) -> String { NumberText.trimmed(NumberText.text(value)) + "/s" }

  /// What became of all capacities at once.
  var together: String? {
    guard let together = study.together else { return nil }
    let capacities = study.proposed.sorted { $0.key < $1.key }.map { endpoint, value in
      "\(study.scenario.endpoints[endpoint].name) \(rate(value))"
    }
    let missed = zip(study.goals, together).filter { $0.1 > 0 }.map { "'\($0.0.id)'" }
    let tried = "Tried with \(capacities.joined(separator: ", "))"
    return missed.isEmpty
      ? tried + ": every goal holds."
      : tried + ": \(missed.joined(separator: " and ")) \(missed.count == 1 ? "fails" : "fail")."
  }

  /// A row for each lever; ends of the bracket that make no difference have no column.
  var lines: [String] {
    let presets = Bracket.ends.filter { preset in study.answers.contains { $0.ends[preset] != nil } }
    let rows = study.answers.map { answer in
      [name(answer.lever), value(answer.own, answer.lever), intervalWords(answer.own.interval, answer.lever)]
        + presets.map { preset in answer.ends[preset].map { value($0, answer.lever) } ?? "" }
        + [answer.own.goal.map { study.goals[$0].id } ?? ""]
    }
    let header = ["", "limit", "95 % interval"] + presets.map(\.rawValue) + ["fails first"]
    return alignedLines([header] + rows, numberColumns: Set([1] + presets.indices.map { 3 + $0 }))
  }

  private func name(_ lever: CapacityLever) -> String {
    switch lever {
    case .devices: "phones, at most"
    case .capacity(let endpoint): "\(study.scenario.endpoints[endpoint].name), at least"
    }
  }

  /// What has to hold.
  var goalLines: [String] {
    alignedLines([["goal", "has to hold"]] + study.goals.map { [$0.id, $0.text] }, numberColumns: [])
  }
}
