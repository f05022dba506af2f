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

  var markup: Markup {
    var parts: [Markup] = [
      .tag("h2", ["id": id + "-question"], question), .tag("p", ["class": "answer"], answer),
    ]
    if !warning.isEmpty { parts.append(.tag("p", ["class": "warning"], warning)) }
    parts += figures
    if !note.isEmpty { parts.append(.tag("p", ["class": "note"], note)) }
    return .tag("section", ["id": id, "aria-labelledby": id + "-question"], parts + details)
  }
}
