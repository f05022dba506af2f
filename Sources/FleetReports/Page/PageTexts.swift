import Words

/// Styles and scripts of pages, from Sources/CWords/pages; no character in them needs escaping.
enum PageTexts {
  /// Style of a report's page.
  static let style = ["colours", "figures", "fills", "series"].reduce(Words.text("page.css")) { style, part in
    style.replacing("{{\(part)}}", with: Words.text(part + ".css"))
  }
  /// Rules that pages of studies have besides it.
  static let studyStyle = Words.text("study.css")
  /// The script that reads figures by pointer, keys and touch, and the one that zooms loads.
  static let scripts = [Words.text("figure.js"), Words.text("page.js")]
}
