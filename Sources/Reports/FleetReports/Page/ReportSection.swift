import Words

/// A section of the report: a question with its answer, figures and numbers.
///
/// The catalogue contains the section's entry in the table of contents, its question, and an explanation of how to read
/// its figures.
struct ReportSection {
  /// The section's anchor on the page.
  let id: String
  /// The section's entry in the table of contents.
  let short: String
  var question: String
  /// The answer: one or two sentences generated from the data.
  var answer: String
  /// A warning to the reader; empty if there is none.
  var warning = ""
  var figures: [Markup] = []
  /// An explanation of the figures.
  var note = ""
  var details: [Markup] = []
  /// Whether the section is folded, so that only its question is visible.
  var isFolded = false

  /// Creates a section from the catalogue's entry `page/id` or, for the page of a run, from the entry `id`.
  ///
  /// - Parameter note: a note that is appended to the catalogue's note.
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

  /// Returns this section with a different question, or unchanged if `question` is `nil`.
  func asking(_ question: String?) -> ReportSection {
    var section = self
    section.question = question ?? self.question
    return section
  }

  /// This section, folded so that only its question is visible.
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
