import Scenario
import Studies
import Words

/// A figure of a report page as a standalone picture, for use in slides.
///
/// The picture uses light colours, the time zone with the most phones and the window of the verdict. The drawing is
/// surrounded by the scenario's name, the verdict, the caption and the legend.
package struct PagePlot {
  /// The figure's ID on the page.
  package let name: String
  /// The ID of the section that contains the figure.
  let section: String
  private let caption: String
  private let description: String
  private let shapes: [Markup]
  private let drawing: (width: Double, height: Double)
  private let legend: [(style: String, text: String)]
  private let remarks: [String]
  private let lines: Lines

  /// The lines of text above the drawing.
  private struct Lines {
    var scenario: String
    var verdict: String
    var facts: String
  }

  /// Returns all figures of a report page, in page order.
  package static func all(of report: ReportContent) -> [PagePlot] {
    var report = report
    report.isStandalone = true
    let lines = Lines(
      scenario: report.run.scenario.name, verdict: verdictLine(of: report), facts: facts(of: report))
    return reportSections(of: report).flatMap { section in
      (section.figures + section.details).flatMap { $0.elements(named: "figure") }.compactMap { figure in
        PagePlot(figure, of: section, lines)
      }
    }
  }

  /// Returns the figure with this name, or the first figure of the section with this name.
  package static func named(_ name: String, in figures: [PagePlot]) -> PagePlot? {
    figures.first { $0.name == name } ?? figures.first { $0.section == name }
  }

  /// Returns the names that `named(_:in:)` accepts.
  package static func names(of figures: [PagePlot]) -> [String] {
    figures.enumerated().flatMap { index, figure -> [String] in
      let isFirst = !figures[..<index].contains { $0.section == figure.section }
      let hasOwnName = figures.contains { $0.name == figure.section }
      return (isFirst && !hasOwnName ? [figure.section] : []) + [figure.name]
    }
  }

  /// Creates the picture; `nil` if the markup is not a figure of the page.
  private init?(_ figure: Markup, of section: ReportSection, _ lines: Lines) {
    let suffix = "-" + Canvas.wide.name + "-title"
    let drawings = figure.elements(named: "svg")
    guard let svg = drawings.first(where: { $0.attribute("class") == Canvas.wide.name }),
      let title = svg.children.first, let id = title.attribute("id"), id.hasSuffix(suffix)
    else { return nil }
    let box = (svg.attribute("viewBox") ?? "").split(separator: " ").compactMap { Double($0) }
    guard box.count == 4 else { return nil }
    name = String(id.dropLast(suffix.count))
    self.section = section.id
    self.lines = lines
    caption = figure.elements(named: "figcaption").first?.plainText ?? title.plainText
    description = svg.elements(named: "desc").first?.plainText ?? ""
    shapes = Array(svg.children.drop { ["title", "desc"].contains($0.name) })
    drawing = (box[2], box[3])
    legend = figure.elements(named: "li").map { entry in
      let swatch = entry.elements(named: "span").first?.attribute("class") ?? ""
      return (swatch.split(separator: " ").filter { $0 != "swatch" }.joined(separator: " "), entry.plainText)
    }
    remarks = [section.warning, section.note].filter { !$0.isEmpty }
  }

  // MARK: Drawing

  private static let margin = 24.0
  /// The maximum average width of a letter, in the drawing's units.
  private static let letter = 7.4

  private var width: Double { drawing.width + 2 * Self.margin }
  private var title: String { lines.scenario + ": " + caption }
  private var titleLines: [String] { Self.wrapped(title, columns: 88) }
  private var verdictLines: [String] { Self.wrapped(lines.verdict, columns: 118) }
  private var factLines: [String] { Self.wrapped(lines.facts, columns: 136) }
  private var remarkLines: [String] { remarks.flatMap { Self.wrapped($0, columns: 136) } }

  /// The width and height in the drawing's units. A PNG picture has two pixels per unit.
  package var size: (width: Double, height: Double) { (width, layout.height) }

  /// The picture as a complete SVG document.
  package var svg: [UInt8] {
    let layout = layout
    let canvas = Markup.tag("g", ["transform": "translate(\(place(Self.margin)) \(place(layout.top)))"], shapes)
    let root = Markup.tag(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "width": place(width), "height": place(layout.height),
        "viewBox": "0 0 \(place(width)) \(place(layout.height))", "role": "img",
      ],
      [
        .tag("title", [:], title + ", " + lines.facts), .tag("desc", [:], description), .style(Self.style),
        .rectangle("panel", x: 0, y: 0, width: width, height: layout.height),
      ] + layout.texts + [canvas])
    var text = TextBuffer()
    text.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
    root.write(to: &text)
    text.append("\n")
    return text.bytes
  }

  /// The text elements around the drawing, the vertical position of the drawing's top, and the total height.
  private var layout: (texts: [Markup], top: Double, height: Double) {
    var texts: [Markup] = []
    var y = 16.0
    func add(_ lines: [String], _ style: String, height: Double) {
      for line in lines {
        y += height
        texts.append(.label(style, Self.margin, y, line))
      }
    }
    add(titleLines, "title", height: 24)
    add(verdictLines, "verdict", height: 21)
    add(factLines, "head", height: 19)
    let top = y + 14
    y = top + drawing.height + 8
    var x = Self.margin
    for entry in legend {
      let room = 22 + Self.letter * Double(entry.text.count) + 18
      if x + room > width, x > Self.margin {
        x = Self.margin
        y += 20
      }
      texts.append(.rectangle("key " + entry.style, x: x, y: y + 4, width: 16, height: 11))
      texts.append(.label("entry", x + 22, y + 14, entry.text))
      x += room
    }
    if !legend.isEmpty { y += 22 }
    add(remarkLines, "remark", height: 17)
    return (texts, top, y + 20)
  }

  /// The style rules of the page's figures, in light colours. The HTML classes of the page are mapped to SVG classes.
  private static let style: String = {
    let swatch = "span.policy { background: var(--policy); }"
    var rules = (["figures", "fills", "series"].map { Words.text($0 + ".css") } + [swatch]).joined(separator: "\n")
    for declaration in Words.text("colours.css").split(whereSeparator: { $0 == ";" || $0 == "\n" }) {
      let parts = declaration.split(separator: ":", maxSplits: 1).map { $0.trimming { $0 == " " } }
      if parts.count == 2 { rules.replace("var(\(parts[0]))", with: parts[1]) }
    }
    rules.replace("span", with: ".key")
    rules.replace("background:", with: "fill:")
    return rules + """

      svg text { font-family: "Liberation Sans", "Noto Sans", Arial, Helvetica, sans-serif; }
      .panel { fill: #ffffff; } svg .title { fill: #20262e; font-size: 19px; font-weight: 600; }
      svg .verdict { fill: #20262e; font-size: 15px; } svg .entry { fill: #20262e; } svg .remark { font-size: 12px; } .key.spell { fill-opacity: .3; opacity: 1; }

      """
  }()

  /// Returns the text wrapped into lines without breaking any words.
  private static func wrapped(_ text: String, columns: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + word.count < columns {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}

extension Substring {
  /// Returns the text without leading or trailing characters that satisfy the condition.
  fileprivate func trimming(_ goes: (Character) -> Bool) -> String {
    var rest = drop(while: goes)
    while let last = rest.last, goes(last) { rest.removeLast() }
    return String(rest)
  }
}

extension Markup {
  /// The name of the element; empty for text.
  fileprivate var name: String { if case .element(let name, _, _) = self { name } else { "" } }

  fileprivate var children: [Markup] { if case .element(_, _, let children) = self { children } else { [] } }

  func attribute(_ name: String) -> String? {
    guard case .element(_, let attributes, _) = self else { return nil }
    return attributes.first { $0.name == name }?.value
  }

  /// Returns all elements with this name, including this one.
  func elements(named name: String) -> [Markup] {
    self.name == name ? [self] : children.flatMap { $0.elements(named: name) }
  }

  /// The text content without any markup.
  var plainText: String {
    if case .text(let text) = self { return text }
    return children.map(\.plainText).joined()
  }
}
