import Scenario
package import Studies

/// The answers of `capacity` as text for a terminal: a sentence for each, then what was found, and what was tried.
package func capacityTable(of study: CapacityStudy) -> [UInt8] {
  let text = CapacityText(study: study)
  let sentences = study.answers.flatMap { folded(text.sentence(of: $0)) }
  let together = text.together.map { folded($0) } ?? []
  let lines = [study.scenario.name, ""] + sentences + together + [""] + text.lines + [""] + text.goalLines
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
    case .holdsThroughout: return "Any number of phones: every goal holds with up to a billion. " + own
    case .missedThroughout:
      let least = answer.own.points.first.map { number($0.load, .devices) } ?? ""
      return "No number of phones: with \(least) \(goalName(answer.own)) still fails. " + own
    case .found:
      return "Up to \(number(answer.own.value, .devices)) phones every goal holds\(interval(answer)); beyond that "
        + "\(goalName(answer.own)) fails\(ends(answer)). " + own
    }
  }

  private func capacitySentence(_ answer: CapacityStudy.Answer) -> String {
    guard case .capacity(let index) = answer.lever else { return "" }
    let endpoint = study.scenario.endpoints[index]
    let own = endpoint.capacity.map { " The scenario has \(rate($0))." } ?? " The scenario sets no limit."
    switch answer.own.outcome {
    case .holdsThroughout: return "'\(endpoint.name)' passes with any capacity that was tried." + own
    case .missedThroughout:
      return "No capacity of '\(endpoint.name)' is enough: \(goalName(answer.own)) fails whatever the servers can do."
        + own
    case .found:
      return "'\(endpoint.name)' needs \(number(answer.own.value, answer.lever))\(interval(answer)); with less "
        + "\(goalName(answer.own)) fails\(ends(answer))." + own
    }
  }

  private func goalName(_ limit: CapacityLimit) -> String { limit.goal.map { "'\(study.goals[$0].id)'" } ?? "a goal" }

  private func interval(_ answer: CapacityStudy.Answer) -> String {
    let words = intervalWords(answer.own.interval, answer.lever)
    return words.isEmpty ? "" : " (95 % interval \(words))"
  }

  private func intervalWords(_ interval: Interval?, _ lever: CapacityLever) -> String {
    interval.map { number($0.low, lever) + " to " + number($0.high, lever) } ?? ""
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
      ? tried + ": every goal holds in every replication."
      : tried + ": \(missed.joined(separator: ", ")) is missed in a replication."
  }

  /// A row for each lever.
  var lines: [String] {
    let rows = study.answers.map { answer in
      [
        name(answer.lever), value(answer.own, answer.lever), intervalWords(answer.own.interval, answer.lever),
        answer.ends[.prompt].map { value($0, answer.lever) } ?? "",
        answer.ends[.lazy].map { value($0, answer.lever) } ?? "", answer.own.goal.map { study.goals[$0].id } ?? "",
        String(answer.own.points.count),
      ]
    }
    return alignedLines(
      [["", "limit", "95 % interval", "prompt", "lazy", "fails first", "tried"]] + rows, numberColumns: [1, 3, 4, 6])
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
