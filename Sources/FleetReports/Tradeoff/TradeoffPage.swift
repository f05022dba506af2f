import Scenario
import Studies

/// tradeoff.html: load, freshness and battery of every setting in one figure.
func tradeoffPage(of tradeoff: Tradeoff, _ manifest: SweepManifest) -> [UInt8] {
  let sections = [figureSection(tradeoff), settingSection(tradeoff), variedSection(tradeoff.study, manifest)]
  return studyPage(tradeoff.study, manifest, kicker: "trade-off", past: "trade-off", sections)
}

/// tradeoff.svg: the figure alone.
func tradeoffDrawing(of tradeoff: Tradeoff, _ manifest: SweepManifest) -> [UInt8] {
  var canvas = Canvas.wide
  canvas.height = 460
  let title = "\(manifest.scenario): \(tradeoff.criteria) of each setting"
  let drawing = Markup.tag(
    "svg",
    [
      "xmlns": "http://www.w3.org/2000/svg", "viewBox": "0 0 960 460", "width": "960", "height": "460", "role": "img",
    ],
    [
      .tag("title", [:], title), .tag("desc", [:], tradeoff.answer), .style(drawingStyle),
      .rectangle("paper", x: 0, y: 0, width: 960, height: 460),
    ] + tradeoff.figure.draw(canvas))
  var text = TextBuffer()
  text.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
  drawing.write(to: &text)
  text.append("\n")
  return text.bytes
}

/// Colours as they are, for programs that do not know custom properties; no character in it needs escaping.
private let drawingStyle = """
  .paper { fill: #ffffff; } text { fill: #59636e; font: 13px sans-serif; } .end { text-anchor: end; }
  .middle { text-anchor: middle; } .label { fill: #20262e; font-weight: 600; paint-order: stroke; stroke: #ffffff;
    stroke-width: 4px; stroke-linejoin: round; }
  .grid { stroke: #e4e1dc; } .base { stroke: #59636e; stroke-opacity: .6; } .mark { stroke: #b3431e; stroke-dasharray: 4 3; }
  .limit-name { fill: #b3431e; font-weight: 600; } .region { fill: #5f9440; }
  .region-band { fill: none; stroke: #5f9440; stroke-width: 26; stroke-linecap: round; } .regions { opacity: .24; }
  .point { fill: #3d78ad; stroke: #ffffff; stroke-width: 1.5; } .good { fill: #5f9440; } .beaten { fill: #8b95a1; }
  .front { fill: none; stroke: #3d78ad; stroke-width: 1.8; stroke-opacity: .8; } .reach { stroke: #59636e; stroke-width: 1.3; }
  """

private func figureSection(_ tradeoff: Tradeoff) -> ReportSection {
  let figure = tradeoff.figure
  let beyond = tradeoff.capacity.flatMap { capacity in
    figure.showsLimit(figure.x, figure.points.map(\.x))
      ? nil : " The capacity, \(GoalText.text(capacity, tradeoff.peak)), lies far beyond the figure."
  }
  return ReportSection(
    id: "tradeoff", short: "Trade-off", question: "Which settings are sensible?", answer: tradeoff.answer,
    warning: tradeoff.settings.contains { $0.peak?.isResolved == false }
      ? "Some peaks are not resolved by the sample, whose 95 % intervals reach further than 5 % of them: simulate more devices."
      : "",
    figures: [
      figure.markup(
        id: "tradeoff-plane", title: "\(tradeoff.criteria.asSentence) of each setting", description: tradeoff.answer,
        legend: tradeoff.legend)
    ],
    note: "Down and to the left is better: a lower peak for the backend, fresher data for people."
      + (tradeoff.battery == nil ? "" : " The larger a circle, the more of the battery the setting takes.")
      + IntervalText.whiskers(tradeoff.study) + (beyond ?? ""))
}

private func settingSection(_ tradeoff: Tradeoff) -> ReportSection {
  let names = tradeoff.figures
  let table = SettingTable(
    study: tradeoff.study, figures: names + tradeoff.study.goals.map(\.figure).filter { !names.contains($0) },
    marks: [
      SettingTable.Mark(name: "Sensible", cells: tradeoff.settings.map { $0.isSensible ? "yes" : "no" }),
      SettingTable.Mark(name: "Beaten", cells: tradeoff.settings.map { $0.isOnFront ? "no" : "yes" }),
    ], titles: tradeoff.titles)
  let free = tradeoff.settings.count(where: \.isOnFront)
  return ReportSection(
    id: "settings", short: "Settings", question: "What does each setting bring?",
    answer: free == 1
      ? "One of \(tradeoff.settings.count) settings beats or equals every other in \(tradeoff.criteria)."
      : "\(free) of \(tradeoff.settings.count) settings are not beaten by another in \(tradeoff.criteria) together.",
    figures: [table.markup],
    note: "A setting is beaten when another is as good in each of the figures and better in one, by "
      + "the means over replications." + (tradeoff.study.goals.isEmpty ? "" : " " + tradeoff.study.judgingNote)
      + tradeoff.study.placeSentence(of: tradeoff.study.goals.map(\.figure)))
}
