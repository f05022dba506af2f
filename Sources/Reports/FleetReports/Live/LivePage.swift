package import Scenario
package import Studies
import Words

/// The page of `serve`: levers beside the verdict and the sections of a report, which its script replaces in place.
package struct LivePage: Sendable {
  package var scenario: Scenario
  package var version: String
  /// The levers and the paths of all keys, for the script.
  package var data: JSONValue

  package init(_ scenario: Scenario, version: String, data: JSONValue) {
    (self.scenario, self.version, self.data) = (scenario, version, data)
  }

  package var bytes: [UInt8] {
    var page = Document(
      version: version, title: scenario.name, kicker: "WidgetFleet, live", heading: scenario.name,
      lead: scenario.description, facts: "Move a lever, and the curves follow.", opening: [content], sections: [],
      footer: "Made by WidgetFleet \(version) on this machine. The figures are those of `run` with the same settings.",
      isZoomable: true)
    page.styles.append(Words.text("study.css"))
    page.styles.append(Words.text("live.css"))
    page.liveScript = Words.text("live.js")
    return page.bytes
  }

  private var content: Markup {
    let status = Markup.tag("p", ["id": "status", "role": "status"], "Simulating.")
    return .tag(
      "div", ["class": "live"],
      [
        .tag("form", ["id": "levers", "aria-label": "Levers"], [.tag("p", [:], "The levers need scripts.")]),
        .tag(
          "div", ["class": "answers"],
          [
            status, .tag("div", ["id": "problem", "role": "alert"]), .tag("div", ["id": "answer"]),
            .tag("div", ["id": "pins"]),
          ]),
        .script(ZoomSeries.text(of: data), attributes: "type=\"application/json\" id=\"live\""),
      ])
  }
}

/// Returns the answer for a wave: the verdict, the differences from an earlier setting, and sections of the report.
///
/// - Parameter earlier: the figures of the earlier setting; `nil` if there is none.
package func liveAnswer(of report: ReportContent, since earlier: Summary?) -> String {
  let sections = [
    loadSection(of: report), refreshSection(of: report), ageSection(of: report), energySection(of: report),
  ].compactMap { $0 }
  let tiles = earlier.map { changeTiles(from: $0, to: report) } ?? []
  var text = TextBuffer()
  let sample = Markup.tag("p", ["class": "facts"], facts(of: report))
  for part in verdictStrip(of: report) + tiles + [sample] + sections.map(\.markup) { part.write(to: &text) }
  return String(decoding: text.bytes, as: UTF8.self)
}

/// Returns the curves and the changed figures of several settings, starting with the base.
package func livePins(of comparisons: [RunComparison]) -> String {
  let tables = comparisons.map { ComparisonTables(comparison: $0) }
  let names = ComparedNames(comparisons)
  let sections = [overlaySection(comparisons, names), changeSection(tables, names)].compactMap { $0 }
  var text = TextBuffer()
  for section in sections { section.markup.write(to: &text) }
  return String(decoding: text.bytes, as: UTF8.self)
}

/// Returns a tile for each headline figure that both settings have, with its value before and after.
private func changeTiles(from earlier: Summary, to report: ReportContent) -> [Markup] {
  let (scenario, summary) = (report.run.scenario, report.summary)
  let window = HeadlineWindow.of(scenario, [earlier, summary])?.name ?? ""
  let places = LoadPoint.all(scenario, endpoint: nil)
  let peaks = places.compactMap { place in
    place.name(.peak, window: window).map { (place.title("Peak", scenario, endpoint: nil), $0) }
  }
  let figures =
    peaks + [
      ("Stale views", FigureName(.staleViews, .share)), ("Battery", FigureName(.batteryPercentPerDay, .mean)),
      ("Requests", FigureName(.requests, .total)),
    ]
  let tiles = figures.compactMap { title, name -> Markup? in
    let change = FigureChange(name, earlier.figure(name), summary.figure(name))
    guard let old = change.base?.approximate, let new = change.new?.approximate else { return nil }
    let doubt = change.size(minimum: 0) == .uncertain ? "; may be due to chance" : ""
    let values = "\(GoalText.text(old, name)) before, \(GoalText.text(new, name)) now" + doubt
    return .tag(
      "div", ["class": "tile"],
      [
        .tag("p", ["class": "name"], title), .tag("p", ["class": "value"], ChangeText.text(change).change),
        .tag("p", ["class": "unit"], values),
      ])
  }
  return tiles.isEmpty
    ? [] : [.tag("section", ["class": "tiles", "aria-label": "What the last change did"], tiles)]
}
