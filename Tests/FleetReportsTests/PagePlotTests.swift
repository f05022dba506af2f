import Foundation
import FoundationXML
import Scenario
import SimulationKernel
import Studies
import Testing

@testable import FleetReports

/// Figures as standalone pictures.
struct PagePlotTests {
  private static let content = ExampleReport().report.content
  private static let figures = PagePlot.all(of: content)

  @Test func everyPageFigureIsListed() {
    let page = String(decoding: reportPage(of: Self.content), as: UTF8.self)
    let ids = page.matches(of: /<title id="([a-z0-9-]+)-wide-title">/).map { String($0.1) }
    #expect(ids.count > 8)
    #expect(Self.figures.map(\.name) == ids)
    #expect(Set(ids).count == ids.count)
  }

  @Test func sectionNameFindsItsFirstFigure() throws {
    let names = PagePlot.names(of: Self.figures)
    #expect(Set(names).count == names.count)
    for name in names { #expect(PagePlot.named(name, in: Self.figures) != nil, "\(name)") }
    #expect(PagePlot.named("load", in: Self.figures)?.name == "load-all")
    #expect(PagePlot.named("loads", in: Self.figures) == nil)
  }

  /// The XML contains all its colours and needs neither a page nor a network.
  @Test func everyDrawingStandsAlone() throws {
    for figure in Self.figures {
      let text = String(decoding: figure.svg, as: UTF8.self)
      let document = try XMLDocument(data: Data(figure.svg))
      #expect(document.rootElement()?.name == "svg")
      let title = document.rootElement()?.elements(forName: "title").first?.stringValue ?? ""
      #expect(title.contains("synthetic"))
      #expect(!text.contains("var(") && !text.contains("href") && !text.contains("prefers-color-scheme"))
      // Every class in the drawing has a rule.
      let classes = text.matches(of: /class="([^"]+)"/).flatMap { $0.1.split(separator: " ") }
      for name in Set(classes) where !["unit", "key", "head", "free"].contains(name) {
        let hasRule = text.contains("." + name) || ["heat", "cause"].contains { name.hasPrefix($0) }
        #expect(hasRule, "\(figure.name): \(name)")
      }
      #expect(figure.svg == PagePlot.named(figure.name, in: PagePlot.all(of: Self.content))?.svg)
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
    let load = try #require(PagePlot.named("load", in: Self.figures))
    let text = String(decoding: load.svg, as: UTF8.self)
    #expect(text.contains("quietest to busiest") && text.contains("class=\"key band\""))
    #expect(text.contains("extra noise"))
  }

  /// The scenario's name, the verdict and the subject are above the drawing, and times are in the time zone of most
  /// phones.
  @Test func nameVerdictAndZone() throws {
    var content = Self.content
    let table = ZoneTable(
      name: "America/New_York",
      segments: [.init(from: .longAgo, offset: .hours(-5)), .init(from: .start + .hours(9), offset: .hours(-4))])
    content.zones = [FleetZone(table: table, share: 1)]
    let figure = try #require(PagePlot.named("load", in: PagePlot.all(of: content)))
    let text = String(decoding: figure.svg, as: UTF8.self)
    #expect(text.contains("class=\"title\"") && text.contains(">\(content.run.scenario.name): Requests per second"))
    let verdict = verdictLine(of: content).prefix(40).replacing("'", with: "&#39;")
    #expect(text.contains("class=\"verdict\"") && text.contains(">" + verdict))
    #expect(text.contains("New York time, from ") && !text.contains("UTC"))
  }

  /// Ticks are round times in the zone, before and after its clock changes by an hour at 09:00 UTC.
  @Test func ticksAreRoundInTheZone() {
    let clock = Clock(startUnixMilliseconds: 1_800_230_400_000, warmup: .zero, duration: .day, step: .second)
    let table = ZoneTable(
      name: "Asia/Kolkata",
      segments: [
        .init(from: .longAgo, offset: .minutes(330)), .init(from: .start + .hours(9), offset: .minutes(390)),
      ])
    let ticks = Axis.time(clock, zone: FleetZone(table: table, share: 1)).ticks
    // 06:00, 09:00 and 12:00 at the first offset; 18:00, 21:00, ... at the second.
    let minutes = [30, 210, 390] + stride(from: 690, through: 1_440, by: 180)
    #expect(ticks.map { $0.value / 60_000 } == minutes.map(Double.init))
    #expect(ticks.map(\.text).prefix(4) == ["06:00", "09:00", "12:00", "18:00"])
    #expect(Axis.time(clock).ticks.map { $0.value / 3_600_000 } == Array(stride(from: 0, through: 24, by: 3)))
  }

  // MARK: Windows of a sample (MODEL.md 8.1.13)

  /// Poisson requests with a quarter of them simulated: deviations from the mean are halved. Counts of 40 and 60 around
  /// a mean of 50 have a variance of 100, more than the 50 expected by chance, so (50 + 50 / 4) / 100 of it is left.
  @Test(arguments: [([43, 57, 43, 57], 0.5), ([40, 60], 0.7906), ([50, 50], 1)] as [([Int], Double)])
  func sampleWindowsAreDrawnWithLessNoise(_ counts: [Int], _ share: Double) throws {
    let scale = Scale(fleet: 4_000, simulated: 1_000)
    let noise = try #require(SampleNoise(.second, scale))
    let rates = counts.map { 4 * Double($0) }
    #expect(abs(noise.share(ofRates: rates, mean: 200, base: 0) - share) < 0.01)
    // The load of others has no noise.
    let based = noise.share(ofRates: rates.map { $0 + 1_000 }, mean: 1_200, base: 1_000)
    #expect(abs(based - noise.share(ofRates: rates, mean: 200, base: 0)) < 1e-12)
    #expect(SampleNoise(.second, Scale(fleet: 10, simulated: 10)) == nil)
  }

  /// A window that has all the requests of its slice keeps its height.
  @Test func aHerdKeepsItsHeight() throws {
    let noise = try #require(SampleNoise(.second, Scale(fleet: 100_000, simulated: 1_000)))
    let rates = [100_000.0] + Array(repeating: 0, count: 99)
    #expect(noise.share(ofRates: rates, mean: 1_000, base: 0) > 0.99)
  }
}
