import Scenario
import Testing

@testable import FleetReports

/// The names of figures in sentences.
struct FigureWordsTests {
  private static let kind = Labels().with(\.kind, "weather")

  /// Words with the endpoint or kind; the figure's own name if other labels remain.
  @Test(arguments: [
    (FigureName(.staleViews, .share, Self.kind), "share of stale views for weather"),
    (FigureName(.dataAge, .p95, Labels()), "95th percentile of data age"),
    (FigureName(.runsPerDay, .mean, Self.kind), "number of refreshes a day for weather"),
    (FigureName(.failures, .share, Labels().with(\.endpoint, "api")), "share of failed requests to api"),
    (FigureName(.peakRPS, .max, Labels().with(\.endpoint, "api").with(\.window, "1s")), "peak request rate at api"),
    (FigureName(.requests, .total, Self.kind), "requests{kind=weather}"),
    (FigureName(.staleViews, .share, Labels().with(\.during, "match")), "share of stale views during match"),
    (FigureName(.bytesUp, .total, Labels().with(\.during, "match")), "bytes_up{during=match}"),
    (FigureName(.staleViews, .share, Self.kind.with(\.cohort, "b")), "stale_views{cohort=b, kind=weather}"),
  ])
  func figuresAreNamedInWords(_ figure: FigureName, _ words: String) {
    #expect(FigureWords.names([figure]) == [figure: words])
  }

  /// Two windows of the same peak share their words, so the figures' own names distinguish them.
  @Test func ambiguousFiguresKeepTheirOwnNames() {
    let peaks = ["1s", "1min"].map { FigureName(.peakRPS, .max, Labels().with(\.window, $0)) }
    #expect(FigureWords.names(peaks) == [peaks[0]: peaks[0].text, peaks[1]: peaks[1].text])
  }
}
