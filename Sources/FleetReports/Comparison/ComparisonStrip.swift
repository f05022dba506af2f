import Scenario
import Studies

/// The answer on top of the page: what changed that matters, in words and colour, and each figure that is looked at on a
/// bar beside its base.
func comparisonStrip(_ comparison: RunComparison, _ index: Int, _ names: ComparedNames) -> Markup {
  let text = ComparisonVerdictText(comparison)
  let id = index == 0 ? "verdict" : "verdict-\(index)"
  let name: [Markup] = names.all.count > 2 ? [.tag("p", ["class": "whose"], names.new(index))] : []
  let heading = Markup.tag(
    "h2", ["id": id + "-question"], [.tag("span", ["class": "word"], text.head), .text(": " + text.reason)])
  let chips = text.verdict.figures.map { figureChip($0, text) }
  return .tag(
    "section", ["id": id, "class": "verdict " + text.verdict.word.style, "aria-labelledby": id + "-question"],
    name + [heading] + (chips.isEmpty ? [] : [.tag("ul", ["class": "chips"], chips)]))
}

extension ComparisonVerdict.Word {
  /// The class that colours it.
  fileprivate var style: String {
    switch self {
    case .better: "is-good"
    case .regression, .worse: "is-bad"
    case .tradeOff, .unknown: "is-open"
    case .same: "is-plain"
    }
  }
}

/// A figure with its change; on the bar the line is the base.
private func figureChip(_ figure: ComparedFigure, _ text: ComparisonVerdictText) -> Markup {
  let change = figure.change
  let values = [change.base, change.new].map { GoalText.text($0?.approximate, change.figure) }
  let (style, word): (String, String) =
    switch figure.outcome {
    case .worse: ("is-bad", "worse")
    case .better: ("is-good", "better")
    case .open: ("is-open", "not known")
    case .same: ("is-plain", "no change that matters")
    }
  let ends = change.interval.flatMap { interval in
    change.base.map { [$0.approximate + interval.low, $0.approximate + interval.high] }
  }
  return chip(
    style, text.name(change.figure).asSentence, word,
    "from \(values[0]) to \(values[1]) (\(ChangeText.sentence(change)))",
    chipBar(value: change.new?.approximate, limit: change.base?.approximate, reaching: ends ?? []))
}
