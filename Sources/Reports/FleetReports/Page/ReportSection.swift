import Words

/// One question of the report with its answer, figures and numbers.
///
/// The catalogue has its entry in the contents, its question, and how to read its figures.
struct ReportSection {
  /// The anchor in the page.
  let id: String
  /// The entry in the table of contents.
  let short: String
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

  /// Creates the section `page/id` of the catalogue; a run's page has no name of its own there.
  ///
  /// - Parameter note: added to the catalogue's.
  init(
    _ name: String, answer: String, warning: String = "", figures: [Markup] = [],
    note: String = "", details: [Markup] = []
  ) {
    let word = Catalogue.sections[name]
    id = String(name.split(separator: "/").last ?? "")
    short = word.short
    question = word.title
    (self.answer, self.warning, self.figures, self.details) = (answer, warning, figures, details)
    self.note = [word.advice, String(note.drop { $0 == " " })].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Returns this section with another question; as it is for `nil`.
  func asking(_ question: String?) -> ReportSection {
    var section = self
    section.question = question ?? self.question
    return section
  }

  /// This section with all but its question folded.
  var folded: ReportSection {
    var section = self
    section.isFolded = true
    return section
  }

  var markup: Markup {
    let heading = Markup.tag("h2", ["id": id + "-question"], question)
    var parts: [Markup] = answer.isEmpty ? [] : [.tag("p", ["class": "answer"], answer)]
    if !warning.isEmpty { parts.append(.tag("p", ["class": "warning"], warning)) }
    parts += figures
    if !note.isEmpty { parts.append(.tag("p", ["class": "note"], note)) }
    let names: KeyValuePairs = ["id": id, "aria-labelledby": id + "-question"]
    guard isFolded else { return .tag("section", names, [heading] + parts + details) }
    return .tag(
      "section", names, [.tag("details", ["class": "fold"], [.tag("summary", [:], [heading])] + parts + details)])
  }
}
