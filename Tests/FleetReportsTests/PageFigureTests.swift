import Foundation
import FoundationXML
import Testing

@testable import FleetReports

/// Figures that stand alone.
struct PageFigureTests {
  private static let content = ExampleReport().report.content
  private static let figures = PageFigure.all(of: content)

  @Test func everyFigureOfThePageIsOne() {
    let page = String(decoding: reportPage(of: Self.content), as: UTF8.self)
    let ids = page.matches(of: /<title id="([a-z0-9-]+)-wide-title">/).map { String($0.1) }
    #expect(ids.count > 8)
    #expect(Self.figures.map(\.name) == ids)
    #expect(Set(ids).count == ids.count)
  }

  @Test func sectionsAreNamesOfTheirFirstFigure() throws {
    let names = PageFigure.names(of: Self.figures)
    #expect(Set(names).count == names.count)
    for name in names { #expect(PageFigure.named(name, in: Self.figures) != nil, "\(name)") }
    #expect(PageFigure.named("load", in: Self.figures)?.name == "load-all")
    #expect(PageFigure.named("loads", in: Self.figures) == nil)
  }

  /// XML with all its colours in it, which needs no page and no network.
  @Test func everyDrawingStandsAlone() throws {
    for figure in Self.figures {
      let text = String(decoding: figure.svg, as: UTF8.self)
      let document = try XMLDocument(data: Data(figure.svg))
      #expect(document.rootElement()?.name == "svg")
      let title = document.rootElement()?.elements(forName: "title").first?.stringValue ?? ""
      #expect(title.contains("synthetic"))
      #expect(!text.contains("var(") && !text.contains("href") && !text.contains("prefers-color-scheme"))
      // Nothing is drawn whose class has no rule.
      let classes = text.matches(of: /class="([^"]+)"/).flatMap { $0.1.split(separator: " ") }
      for name in Set(classes) where !["unit", "key", "head"].contains(name) {
        let hasRule = text.contains("." + name) || ["heat", "cause"].contains { name.hasPrefix($0) }
        #expect(hasRule, "\(figure.name): \(name)")
      }
      #expect(figure.svg == PageFigure.named(figure.name, in: PageFigure.all(of: Self.content))?.svg)
    }
  }

  /// Texts lie inside the sheet, one below the other.
  @Test func textsLieInsideTheSheet() throws {
    for figure in Self.figures {
      let document = String(decoding: figure.svg, as: UTF8.self)
      let own = document.prefix(upTo: document.range(of: "<g ")?.lowerBound ?? document.endIndex).matches(
        of: /<text class="\w+" x="([0-9.]+)" y="([0-9.]+)">([^<]*)</)
      #expect(own.count >= 2)
      for text in own {
        let (x, y) = (Double(text.1) ?? -1, Double(text.2) ?? -1)
        #expect(x > 0 && x + 5 * Double(text.3.count) < figure.size.width, "\(figure.name): \(text.3)")
        #expect(y > 0 && y < figure.size.height)
      }
    }
  }

  @Test func capturesLegendAndHowToRead() throws {
    let load = try #require(PageFigure.named("load", in: Self.figures))
    let text = String(decoding: load.svg, as: UTF8.self)
    #expect(text.contains("quietest to busiest") && text.contains("class=\"key band\""))
    #expect(text.contains("The load of a sample is drawn"))
  }
}
