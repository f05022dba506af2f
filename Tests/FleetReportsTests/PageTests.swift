import Foundation
import FoundationXML
import Scenario
import SimulationKernel
import Studies
import Testing

@testable import FleetReports
@testable import SyntheticResults

/// The report.html as seen by a browser, a screen reader and an attacker.
struct PageTests {
  private static let hostile = [
    "</title><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onload='alert(1)",
    "]]><svg onload=alert(1)>",
    "&lt;b&gt; &#x3C;script&#x3E;", "<!-- -->", "\u{202E}gnp.exe", "javascript:alert(1)", "\u{0}\u{1B}[31m", "天気🌦",
  ]

  @Test func pageIsWellFormed() { #expect(PageStructure(ExampleReport().text(.page)) != nil) }

  @Test(arguments: hostile)
  func hostileTextLeavesTheStructure(_ text: String) throws {
    var example = ExampleReport()
    example.run.description = "harmless"
    let harmlessPage = example.text(.page)
    let harmless = try #require(PageStructure(harmlessPage))
    example.run.description = text
    example.run.name = text
    example.run.kinds = [text, "x" + text]
    example.run.endpoints = [text, text + "y"]
    example.run.cohorts = ["c" + text, text]
    example.resolved = text
    for index in example.goals.indices { (example.goals[index].id, example.goals[index].text) = (text, text) }
    let page = example.text(.page)
    let attacked = try #require(PageStructure(page))
    #expect(attacked.elements == harmless.elements)
    #expect(!page.contains("<img"))
    #expect(page.ranges(of: "<script").count == harmlessPage.ranges(of: "<script").count)
    #expect(!attacked.attributeNames.contains { $0.hasPrefix("on") })
  }

  @Test func namesAndReferencesFit() throws {
    let page = try #require(PageStructure(ExampleReport().text(.page)))
    #expect(Set(page.ids).count == page.ids.count)
    #expect(Set(page.references).subtracting(page.ids).isEmpty)
    for landmark in ["header", "nav", "main", "footer"] { #expect(page.elements.filter { $0 == landmark }.count == 1) }
    #expect(page.elements.filter { $0 == "h1" }.count == 1)
    let figures = page.elements.filter { $0 == "svg" }.count
    #expect(figures >= 8)
    // The bars of the verdict's chips only repeat their words.
    #expect(page.elements.filter { $0 == "desc" }.count + ExampleReport().goals.count == figures)
  }

  @Test func contentPolicyAllowsOnlyEmbeddedStylesAndScripts() {
    let page = ExampleReport().text(.page)
    let hash = SHA256.base64(of: Array(PageTexts.style.utf8))
    #expect(page.contains("default-src &#39;none&#39;"))
    #expect(page.contains("style-src &#39;sha256-\(hash)&#39;"))
    #expect(page.contains("<style>\(PageTexts.style)</style>"))
    for script in page.matches(of: /<script>(.*?)<\/script>/.dotMatchesNewlines()) {
      let hash = SHA256.base64(of: Array(script.1.utf8))
      #expect(page.contains("&#39;sha256-\(hash)&#39;"))
    }
    let ours = page.withoutScripts
    #expect(!ours.contains("http://") && !ours.contains("https://") && !ours.contains(" style="))
    for script in PageTexts.scripts {
      #expect(!script.contains("http") && !script.contains("eval") && !script.contains("innerHTML"))
    }
    #expect(page.utf8.count < 600_000)
  }

  @Test func thinnedLoadKeepsThePeak() throws {
    var counts = Array(repeating: Int64(3), count: 86_400)
    counts[54_321] = 1_000
    counts[60_000] = 0
    let clock = Clock(startUnixMilliseconds: 0, warmup: .zero, duration: .day, step: .second)
    let load = try #require(WindowedLoad(counts, window: .second, clock: clock))
    let figure = LoadPlot(loads: [load], scale: Scale(fleet: 2, simulated: 1), clock: clock)
    for columns in [1, 7, 333, 876, 86_400] {
      let drawn = figure.columns(atMost: columns)
      #expect(drawn.count == columns)
      #expect(drawn.map(\.high).max() == 2_000)
      #expect(drawn.map(\.low).min() == 0)
    }
    #expect(figure.peak?.start == .start + .seconds(54_321))
  }

  /// By chance, a sample's own peak is above the fleet's: the dot is at the value of its label.
  @Test func sampleDotIsDrawnAtTheEstimate() throws {
    var counts = Array(repeating: Int64(30), count: 86_400)
    counts[43_200] = 100
    let clock = Clock(startUnixMilliseconds: 0, warmup: .zero, duration: .day, step: .second)
    let load = try #require(WindowedLoad(counts, window: .second, clock: clock))
    var figure = LoadPlot(loads: [load], scale: Scale(fleet: 2, simulated: 1), clock: clock)
    // 200/s are drawn, on an axis up to 200; the fleet's peak is 150.
    figure.estimate = LoadPlot.FleetPeak(window: .second, rate: 150, interval: Interval(low: 125, high: 175))
    let shapes = figure.chart.draw(.wide)
    let dot = try #require(shapes.first { $0.attribute("class") == "peak" })
    let spread = try #require(shapes.first { $0.attribute("class") == "peak-interval" })
    #expect(dot.attribute("cy") == place(Canvas.wide.y(0.75)))
    #expect(spread.attribute("y1") == place(Canvas.wide.y(0.625)))
    #expect(spread.attribute("y2") == place(Canvas.wide.y(0.875)))
    #expect(figure.peakText() == "fleet over 1s: 150/s")
    #expect(figure.peakText(.narrow) == "1s: 150/s")
    let zoom = try #require(ZoomSeries(figure, title: "", budget: 240_000))
    #expect(zoom.text.replacing(" ", with: "").contains("\"estimate\":[125,150,175]"))
  }

  @Test func answersAreMadeFromTheData() {
    let page = ExampleReport().text(.page)
    #expect(page.contains("Requests by cause: policy 50\u{A0}%"))
    #expect(page.contains("The peak in one 5-minute window is uncertain ("))
    #expect(page.contains("Waits per widget in this period: total "))
  }

  @Test func deltaTextRoundTrips() {
    // Differences of 0, 1, -1, 16 and 0 are letters 0, 2, 1, 32 and 0 of 90; 35 is 70: ten past the 70th, and three
    // times 20.
    #expect(DeltaText.text([0, 1, 0, 16, 16]) == " #!D ")
    #expect(DeltaText.text([35]) == "u$" && DeltaText.text([-35]).utf8.count == 1)
    #expect(DeltaText.letters.count == 90)
    for values in [[], [0], [5, -5, 1_000_000, 0], [Int64.max / 4, -Int64.max / 4]] as [[Int64]] {
      #expect(DeltaText.length(values) == DeltaText.text(values).utf8.count)
    }
  }

  @Test func zoomKeepsEveryPeakWithinItsBudget() throws {
    var counts = (0..<86_400).map { Int64($0 % 7) }
    counts[54_321] = 1_000
    let clock = Clock(startUnixMilliseconds: 0, warmup: .zero, duration: .day, step: .second)
    let load = try #require(WindowedLoad(counts, window: .second, clock: clock))
    let figure = LoadPlot(loads: [load, load], scale: Scale(fleet: 2, simulated: 1), clock: clock)
    for budget in [240_000, 100_000, 5_000] {
      let zoom = try #require(ZoomSeries(figure, title: "</script>", budget: budget))
      #expect(zoom.length <= budget)
      #expect(zoom.text.contains("\"peak\":54321000") && !zoom.text.contains("<"))
      #expect(zoom.highest == 1_000)
    }
    #expect(ZoomSeries(figure, title: "", budget: 10) == nil)
  }

  @Test func sectionsStandInTheirOrder() throws {
    let page = try #require(PageStructure(ExampleReport().text(.page)))
    // There are too few hours to show a herd.
    let order = [
      "verdict", "load", "refreshes", "look", "causes", "capacity", "cache", "budget", "waits",
      "age", "who", "size", "assumptions", "repeat", "glossary",
    ]
    #expect(page.ids.filter(order.contains) == order)
  }

  @Test func emptyRunStillHasAPage() throws {
    var example = ExampleReport()
    example.run.endpoints = []
    example.run.replications = [SyntheticRun.replication(arrivals: [])]
    let page = example.text(.page)
    #expect(PageStructure(page) != nil)
    #expect(page.contains("no requests were sent") || page.contains("no complete time window"))
    #expect(!page.withoutScripts.contains("nan") && !page.withoutScripts.contains("inf "))
  }
}

/// The elements of a page, without its texts.
final class PageStructure: NSObject, XMLParserDelegate {
  private(set) var elements: [String] = []
  private(set) var attributeNames: Set<String> = []
  private(set) var ids: [String] = []
  private(set) var references: [String] = []

  /// Parses a page; `nil` if it is not well-formed.
  init?(_ page: String) {
    super.init()
    let parser = XMLParser(data: Data(page.withoutScripts.utf8))
    parser.delegate = self
    guard parser.parse() else { return nil }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    elements.append(name)
    attributeNames.formUnion(attributes.keys)
    if let id = attributes["id"] { ids.append(id) }
    references += attributes["aria-labelledby"]?.split(separator: " ").map(String.init) ?? []
    if let link = attributes["href"], link.hasPrefix("#") { references.append(String(link.dropFirst())) }
  }
}

extension String {
  /// The page with its scripts and data emptied, because they are not XML.
  var withoutScripts: String {
    replacing(/(<script[^>]*>).*?<\/script>/.dotMatchesNewlines()) { $0.1 + "</script>" }
  }
}
