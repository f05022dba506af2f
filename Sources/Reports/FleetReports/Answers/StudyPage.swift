import Scenario
import Studies

/// The page of a study: its answer, then sections.
struct StudyPage {
  /// What made it: `sweep`.
  var kind: String
  /// What was done: `swept`.
  var past: String
  /// Name of the scenario.
  var name: String
  /// `nil`: the name.
  var heading: String?
  var lead = ""
  /// What it rests on, in one line.
  var facts: String
  var version: String
  /// What makes the same page, to stand behind the version.
  var basis = ""
  /// Answers on top of it.
  var strips: [Markup]
  var sections: [ReportSection?]

  var bytes: [UInt8] {
    let sections = sections.compactMap { $0 }
    let isZoomable = sections.contains { $0.id == "load" && !$0.figures.isEmpty }
    return Document(
      version: version, title: "\(name), \(past)", kicker: "WidgetFleet " + kind, heading: heading ?? name, lead: lead,
      facts: facts, opening: strips, openingLinks: [("verdict", "Answer")], sections: sections,
      footer:
        "\(past.asSentence) by WidgetFleet \(version)\(basis). The same inputs, options and version give the same "
        + "page. It needs no network"
        + (isZoomable ? "; without scripts it shows the same, and only the zoom is missing." : " and no scripts."),
      styles: [PageTexts.style, PageTexts.studyStyle], isZoomable: isZoomable
    ).bytes
  }
}

extension Provenance {
  /// The scenario's hash and the seed, to stand behind the version.
  func basis(seed: UInt64) -> String { ", scenario \(scenarioHash.prefix(12)), seed \(seed)" }
}

extension Markup {
  /// A list of findings; none without.
  static func findings(_ texts: [String]) -> [Markup] {
    texts.isEmpty ? [] : [.tag("ul", ["class": "findings"], texts.map { .tag("li", [:], $0) })]
  }
}
