import Scenario
import Studies

/// The page of a study, with its answer followed by its sections.
struct StudyPage {
  /// The name of the study, such as `sweep`.
  var kind: String
  /// The past participle of the verb that matches the study's name, such as `swept`.
  var past: String
  var name: String
  /// The heading of the page; `nil` to use the scenario's name.
  var heading: String?
  var lead = ""
  /// The facts on which the study is based, on one line.
  var facts: String
  var version: String
  /// The inputs that are needed to reproduce the page, shown after the version.
  var basis = ""
  /// The answers shown at the top of the page.
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
        + "page. It works offline"
        + (isZoomable ? "; scripts are needed only to zoom." : " and without scripts."),
      styles: [PageTexts.style, PageTexts.studyStyle], isZoomable: isZoomable
    ).bytes
  }
}

extension Provenance {
  /// Returns the scenario's hash and the seed, shown after the version.
  func basis(seed: UInt64) -> String { ", scenario \(scenarioHash.prefix(12)), seed \(seed)" }
}

extension Markup {
  /// Returns the findings as a list; empty if there are none.
  static func findings(_ texts: [String]) -> [Markup] {
    texts.isEmpty ? [] : [.tag("ul", ["class": "findings"], texts.map { .tag("li", [:], $0) })]
  }
}
