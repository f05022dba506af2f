import Scenario
import Testing
import Words

/// The catalogue contains every word of the model once, in the model's order.
struct CatalogueTests {
  private static let expected: [(Catalogue, [String])] = [
    (.metrics, Metric.allCases.map(\.rawValue)), (.units, MetricUnit.allCases.map(\.rawValue)),
    (.statistics, Statistic.allCases.map(\.rawValue)), (.labels, Label.allCases.map(\.rawValue)),
    (.causes, Cause.allCases.map(\.name)), (.waits, WaitReason.allCases.map(\.name)),
    (.failures, FailureReason.allCases.map(\.name)), (.energy, EnergyComponent.allCases.map(\.name)),
    (.codes, Code.allCases.map(\.rawValue)),
  ]

  @Test(arguments: expected) func catalogueWordsMatchTheNames(_ file: Catalogue, _ names: [String]) {
    #expect(file.words.map(\.name) == names)
  }

  @Test(arguments: Catalogue.allCases) func everyWordHasAMeaning(_ file: Catalogue) {
    for word in file.words { #expect(word.meaning.count > 3 && !word.meaning.contains("  "), "\(word.name)") }
  }

  /// A name is followed by its meaning, on any number of lines, then by advice.
  @Test func linesOfAWordAreJoined() {
    let word = Catalogue.causes["retry"]
    #expect(word.meaning.hasPrefix("A run failed") && word.advice.hasPrefix("Reduce retries with"))
    #expect(Catalogue.codes["WF004"].title == "not YAML" && Catalogue.codes["WF999"].meaning.isEmpty)
  }
}
