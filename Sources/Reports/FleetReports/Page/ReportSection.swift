/// One question of the report with its answer, figures and numbers.
struct ReportSection {
  /// The anchor in the page.
  var id: String
  /// The entry in the table of contents.
  var short: String
  var question: String
  /// One or two sentences made from the data.
  var answer: String
  /// What the reader should beware of; empty for nothing.
  var warning = ""
  var figures: [Markup] = []
  /// How to read the figures.
  var note = ""
  var details: [Markup] = []
  /// Whether it is one click away: its question stands there, and the rest behind it.
  var isFolded = false
  /// Whether the page leaves it out: what it would say goes without saying.
  var saysNothing = false

  /// This section with all but its question folded away.
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
