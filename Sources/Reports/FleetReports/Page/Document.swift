import Words

/// A page that is one offline file: its head and policy, banner, contents, sections and footer.
struct Document {
  /// Version of the program that makes it.
  var version: String
  var title: String
  /// What kind of page it is, above the heading.
  var kicker: String
  var heading: String
  /// What the author of the scenario says; empty for nothing.
  var lead = ""
  /// What it rests on, in one line.
  var facts: String
  /// What stands above all sections.
  var opening: [Markup] = []
  /// Anchors in the opening with their entries in the contents.
  var openingLinks: [(id: String, short: String)] = []
  var sections: [ReportSection]
  var footer: String
  /// Our own rules, in which nothing may be escaped; the policy allows these and no others.
  var styles = [PageTexts.style]
  /// Whether it has figures to zoom, and so needs the chart library.
  var isZoomable: Bool

  var bytes: [UInt8] {
    var text = TextBuffer()
    text.append("<!DOCTYPE html>")
    Markup.tag("html", ["lang": "en"], [head, body]).write(to: &text)
    text.append("\n")
    return text.bytes
  }

  /// The chart library, what reads figures, and what zooms them.
  private var scripts: [String] {
    isZoomable ? [Dygraphs.script] + PageTexts.scripts.map { "\n" + $0 + "\n" } : []
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

  /// Nothing from anywhere but what is in the page, by its hash.
  private var policy: String {
    let hashes = { (texts: [String]) in
      texts.map { "'sha256-" + SHA256.base64(of: Array($0.utf8)) + "'" }.joined(separator: " ")
    }
    let base = "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + hashes(styles)
    return base + (scripts.isEmpty ? "" : "; script-src " + hashes(scripts))
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

/// Styles and scripts of pages, from Sources/Words/CWords/pages; no character in them needs escaping.
enum PageTexts {
  /// Style of a report's page.
  static let style: String = {
    var style = Words.text("page.css")
    for part in ["colours", "figures", "fills", "series"] {
      style.replace("{{\(part)}}", with: Words.text(part + ".css"))
    }
    return style
  }()
  /// Rules that pages of studies have besides it.
  static let studyStyle = Words.text("study.css")
  /// The script that reads figures by pointer, keys and touch, and the one that zooms loads.
  static let scripts = [Words.text("figure.js"), Words.text("page.js")]
}
