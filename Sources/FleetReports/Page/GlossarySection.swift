import Words

/// What do the words mean?
func glossarySection(of report: ReportContent) -> ReportSection {
  let terms = Catalogue.glossary.words
  return ReportSection(
    id: "glossary", short: "Glossary", question: "What do the words mean?",
    answer:
      "These words have a meaning of their own on this page; causes and reasons are named in their tables.",
    figures: [
      .tag(
        "dl", ["class": "glossary"],
        terms.flatMap { [Markup.tag("dt", [:], $0.name), .tag("dd", [:], $0.meaning)] })
    ])
}
