import Scenario
import Studies

/// tradeoff.html: load, freshness and battery of every setting in one figure.
func tradeoffPage(of tradeoff: Tradeoff, _ manifest: SweepManifest) -> [UInt8] {
  let sections = [figureSection(tradeoff), settingSection(tradeoff), variedSection(tradeoff.study, manifest)]
  return studyPage(tradeoff.study, manifest, kicker: "trade-off", past: "trade-off", strip(tradeoff), sections)
}

/// The sentence, the goals of the recommended setting, and the arguments that take it.
private func strip(_ tradeoff: Tradeoff) -> Markup {
  let study = tradeoff.study
  let goals = tradeoff.recommended.map { study.runs[$0].goals } ?? []
  return tradeoff.answer.strip(
    goals,
    remarks: [
      (study.goals.isEmpty ? "" : study.judgingNote)
        + (study.hasIntervals ? "" : " With one replication nothing can be said of chance.")
    ], tradeoff.recommended.map { SettingPatch(study, $0).markup } ?? [])
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
      .tag("title", [:], title), .tag("desc", [:], tradeoff.answer.line), .style(drawingStyle),
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
  .forbidden { fill: #b3431e; fill-opacity: .13; } .chosen { fill: none; stroke: #20262e; stroke-width: 2; }
  """

private func figureSection(_ tradeoff: Tradeoff) -> ReportSection {
  let figure = tradeoff.figure
  let limits = [(figure.x, figure.points.map(\.x)), (figure.y, figure.points.map(\.y))].filter { axis, values in
    axis.limit != nil && !figure.showsLimit(axis, values)
  }
  let beyond = limits.map { axis, _ in
    " The \(axis.limitName), at \(axis.label(axis.limit ?? 0, 0)), lies beyond the figure."
  }
  let drawn = figure.points.count
  let hasRoom = tradeoff.fullLoad != nil
  return ReportSection(
    id: "tradeoff", short: "Trade-off",
    question: "What does \(hasRoom ? "headroom" : "a low peak") cost in \(tradeoff.stalenessName)?",
    answer: tradeoff.ruleSentence,
    warning: tradeoff.settings.contains { $0.peak?.isResolved == false }
      ? "Some peaks are not resolved by the sample, whose 95 % intervals reach further than 5 % of them: \(SampleWords.more)."
      : "",
    figures: [
      figure.markup(
        id: "tradeoff-plane", title: "\(tradeoff.criteria.asSentence) of each setting",
        description: tradeoff.answer.line, legend: tradeoff.legend)
    ],
    note: (hasRoom
      ? "Down and to the right is better: more headroom for the backend, fresher data for people."
      : "Down and to the left is better: a lower peak for the backend, fresher data for people.")
      + (tradeoff.battery == nil ? "" : " The larger a circle, the more of the battery the setting takes.")
      + tradeoff.jitterNote + IntervalText.whiskers(tradeoff.study) + beyond.joined()
      + (drawn < tradeoff.settings.count ? " The figure shows \(drawn) of \(tradeoff.settings.count) settings." : ""))
}

private func settingSection(_ tradeoff: Tradeoff) -> ReportSection {
  let names = tradeoff.figures
  let table = SettingTable(
    study: tradeoff.study, figures: names + tradeoff.study.goals.map(\.figure).filter { !names.contains($0) },
    marks: [
      SettingTable.Mark(name: "Sensible", cells: tradeoff.settings.map { $0.isSensible ? "yes" : "no" }),
      SettingTable.Mark(name: "Not beaten", cells: tradeoff.settings.map { $0.isOnFront ? "yes" : "no" }),
    ], titles: tradeoff.titles, chosen: tradeoff.recommended)
  let free = tradeoff.settings.count(where: \.isOnFront)
  return ReportSection(
    id: "settings", short: "Settings", question: "What does each setting bring?",
    answer: free == tradeoff.settings.count
      ? "No setting beats another in \(tradeoff.criteria) together."
      : "Not beaten by another in \(tradeoff.criteria) together: \(free) of \(tradeoff.settings.count) settings.",
    figures: table.markup,
    note:
      "A setting beats another when it is better in one figure by more than the 95\u{A0}% interval of the difference, "
      + "worse in none by more than that, and the better one on balance (Docs/STUDIES.md)." + table.note
      + tradeoff.study.placeSentence(of: tradeoff.study.goals.map(\.figure)))
}
