import Words

/// A page that is a single file and works offline. It has a head, a policy, a banner, a table of contents, sections and
/// a footer.
struct Document {
  /// The program version.
  var version: String
  var title: String
  /// The kind of page, shown above the heading.
  var kicker: String
  var heading: String
  /// The description of the scenario from its file; empty if there is none.
  var lead = ""
  /// The facts on which the page is based, on one line.
  var facts: String
  /// The content above all sections.
  var opening: [Markup] = []
  /// The anchors in the content above the sections, each with its entry in the table of contents.
  var openingLinks: [(id: String, short: String)] = []
  var sections: [ReportSection]
  var footer: String
  /// The style rules of the page, unescaped. The page's policy allows no other styles.
  var styles = [PageTexts.style]
  /// Whether the page has zoomable figures, which require the chart library.
  var isZoomable: Bool
  /// The script of a live page, which connects to the page's own server; empty for pages that are files.
  var liveScript = ""

  var bytes: [UInt8] {
    var text = TextBuffer()
    text.append("<!DOCTYPE html>")
    Markup.tag("html", ["lang": "en"], [head, body]).write(to: &text)
    text.append("\n")
    return text.bytes
  }

  /// The chart library and the scripts for reading values from figures and for zooming.
  private var scripts: [String] {
    let own = PageTexts.scripts + (liveScript.isEmpty ? [] : [liveScript])
    return isZoomable ? [Dygraphs.script] + own.map { "\n" + $0 + "\n" } : []
  }

  private var head: Markup {
    .tag(
      "head", [:],
      [
        .tag("meta", ["charset": "utf-8"]),
        .tag("meta", ["http-equiv": "Content-Security-Policy", "content": policy]),
        .tag("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
        .tag("meta", ["name": "color-scheme", "content": "light dark"]),
        .tag("meta", ["name": "generator", "content": "WidgetFleet " + version]),
        .tag("title", [:], title + " – WidgetFleet"),
      ] + styles.map { .style($0) })
  }

  /// The content security policy, which allows only the page's own content, identified by hash.
  private var policy: String {
    let hashes = { (texts: [String]) in
      texts.map { "'sha256-" + SHA256.base64(of: Array($0.utf8)) + "'" }.joined(separator: " ")
    }
    let base = "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + hashes(styles)
    return base + (scripts.isEmpty ? "" : "; script-src " + hashes(scripts))
      + (liveScript.isEmpty ? "" : "; connect-src 'self'")
  }

  private var body: Markup {
    let skip = Markup.tag("a", ["class": "skip", "href": "#main"], "Skip to the results")
    let content = Markup.tag("main", ["id": "main"], opening + sections.map(\.markup))
    let footer = Markup.tag("footer", [:], [.tag("p", [:], footer)])
    return .tag("body", [:], [skip, banner, contents, content, footer] + scripts.map { .script($0) })
  }

  private var banner: Markup {
    var parts: [Markup] = [.tag("p", ["class": "kicker"], kicker), .tag("h1", [:], heading)]
    if !lead.isEmpty { parts.append(.tag("p", ["class": "lead"], lead)) }
    parts.append(.tag("p", ["class": "facts"], facts))
    return .tag("header", [:], parts)
  }

  private var contents: Markup {
    let links = openingLinks + sections.map { ($0.id, $0.short) }
    return .tag(
      "nav", ["aria-label": "Contents"],
      [.tag("ul", [:], links.map { .tag("li", [:], [.tag("a", ["href": "#" + $0.id], $0.short)]) })])
  }
}

/// The styles and scripts of pages, from Sources/Words/CWords/pages. They contain no characters that need escaping.
enum PageTexts {
  /// The style sheet of a report page.
  static let style: String = {
    var style = Words.text("page.css")
    for part in ["colours", "figures", "fills", "series"] {
      style.replace("{{\(part)}}", with: Words.text(part + ".css"))
    }
    return style
  }()
  /// The additional style rules for the pages of studies.
  static let studyStyle = Words.text("study.css")
  /// The scripts for reading values from figures by pointer, keyboard and touch, and for zooming in on loads.
  static let scripts = [Words.text("figure.js"), Words.text("page.js")]
}
