import Studies

/// What a study says first: the sentence on top of its page is the last one on the terminal.
struct StudyAnswer {
  /// What it means for the reader, as the colour of the strip says it; raw values are classes.
  enum Mood: String {
    case good = "is-good"
    case bad = "is-bad"
    case open = "is-open"
    case plain = "is-plain"
  }

  var mood: Mood
  /// The claim.
  var lead: String
  /// What goes with it, with the sign that parts the two.
  var rest: String

  var line: String { lead + rest }

  /// The strip on top of a page.
  ///
  /// - Parameters:
  ///   - goals: of the setting that is spoken for, each with its value on a bar.
  ///   - remarks: what it rests on, each a paragraph.
  func strip(_ goals: [GoalResult], remarks: [String], _ more: [Markup] = []) -> Markup {
    let heading = Markup.tag(
      "h2", ["id": "answer-question"], [.tag("span", ["class": "word"], lead), .text(rest)])
    let chips = goals.isEmpty ? [] : [Markup.tag("ul", ["class": "chips"], goals.map { Claim($0).chip })]
    let notes = remarks.filter { !$0.isEmpty }.map { Markup.tag("p", ["class": "basis"], $0) }
    return .tag(
      "section", ["id": "answer", "class": "verdict " + mood.rawValue, "aria-labelledby": "answer-question"],
      [heading] + chips + more + notes)
  }
}
