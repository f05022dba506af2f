/// One question of the report with its answer, figures and numbers.
struct ReportSection {
  /// The anchor in the page.
  var id: String
  /// The entry in the table of contents.
  var short: String
  var question: String
  /// One or two sentences made from the data.
  var answer: String
  /// A warning for the reader; empty for none.
  var warning = ""
  var figures: [Markup] = []
  /// An explanation of the figures.
  var note = ""
  var details: [Markup] = []
  /// Whether it is folded: only its question is visible.
  var isFolded = false
  /// Whether the page leaves it out, because its answer is obvious.
  var saysNothing = false

  /// This section with all but its question folded.
  var folded: ReportSection {
    var section = self
    section.isFolded = true
    return section
  }

  var markup: Markup {
    let heading = Markup.tag("h2", ["id": id + "-question"], question)
    var parts: [Markup] = [.tag("p", ["class": "answer"], answer)]
    if !warning.isEmpty { parts.append(.tag("p", ["class": "warning"], warning)) }
    parts += figures
    if !note.isEmpty { parts.append(.tag("p", ["class": "note"], note)) }
    let names: KeyValuePairs = ["id": id, "aria-labelledby": id + "-question"]
    guard isFolded else { return .tag("section", names, [heading] + parts + details) }
    return .tag(
      "section", names, [.tag("details", ["class": "fold"], [.tag("summary", [:], [heading])] + parts + details)])
  }
}
