import Scenario
import Studies
import Testing

@testable import FleetReports

/// Labels of scales: they distinguish ticks, and only 0 reads as 0.
struct TickTextTests {
  private static let names: [FigureName] = [
    FigureName(.staleViews, .share, Labels()), FigureName(.peakRPS, .max, Labels()),
    FigureName(.lateness, .mean, Labels()), FigureName(.budgetExhaustedHour, .p50, Labels()),
    FigureName(.bytesDown, .total, Labels()), FigureName(.batteryPercentPerDay, .mean, Labels()),
  ]

  /// Scales from far below the usual decimals to far above them, and narrow ones far from 0.
  @Test(arguments: names, [(0.000_105, 0.000_115), (0, 1), (0.2, 0.200_001), (3.5, 3.6), (12_340, 12_341), (0, 5e7)])
  func neighbouringTickLabelsDiffer(name: FigureName, ends: (Double, Double)) {
    let axis = Axis(over: [ends.0, ends.1], label: { TickText.text($0, name, $1) })
    let (ticks, labels) = (axis.ticks.map(\.value), axis.ticks.map(\.text))
    #expect(Set(labels).count == ticks.count, "\(name.text): \(labels)")
    for (tick, label) in zip(ticks, labels) where tick != 0 && name.unit != .hours {
      #expect(!TickText.readsAsZero(label), "\(tick): \(label)")
    }
  }

  /// Five ticks between 0.0105 % and 0.0115 % once all read 0.01 %.
  @Test func sharesGetTheDecimalsTheyNeed() {
    let labels = TickText.labels([0.000_105, 0.000_107_5, 0.000_11]) { TickText.text($0, Self.names[0], $1) }
    #expect(labels == ["0.0105\u{A0}%", "0.01075\u{A0}%", "0.011\u{A0}%"])
  }

  /// Labels that already differ stay as short as before.
  @Test func shortDistinctLabelsAreUnchanged() {
    let numbers = TickText.labels([0, 2_500, 5_000, 10_000], TickText.number)
    #expect(numbers == ["0", "2\u{202F}500", "5\u{202F}000", "10k"])
    #expect(TickText.labels([0, 0.25, 0.5], { TickText.text($0, Self.names[0], $1) }).last == "50\u{A0}%")
  }

  @Test func differencesHaveNoNegativeZero() {
    let labels = TickText.labels([-0.000_02, 0, 0.000_02]) { TickText.difference($0, Self.names[0], $1) }
    #expect(labels == ["−0.002\u{A0}pp", "0", "+0.002\u{A0}pp"])
    #expect(TickText.labels([-0.000_01, 0, 0.000_01], ChangeText.tick) == ["−0.001\u{A0}%", "0", "+0.001\u{A0}%"])
  }

  @Test(arguments: [
    (-0.000_000_2, "−0.00002\u{A0}pp"), (0.000_000_234, "+0.000023\u{A0}pp"), (-1e-15, "0\u{A0}pp"),
    (0, "0\u{A0}pp"), (-0.25, "−25\u{A0}pp"),
  ])
  func effects(_ difference: Double, _ expected: String) {
    #expect(ChangeText.text(difference, Self.names[0]) == expected)
  }

  @Test(arguments: [("0", true), ("−0.00 pp", true), ("0.01", false), ("pp", false), ("10k", false)])
  func zeros(_ text: String, _ isZero: Bool) { #expect(TickText.readsAsZero(text) == isZero) }

  /// A scale that cannot distinguish values, such as values without a number, keeps its empty labels.
  @Test func emptyLabelsStayEmpty() { #expect(TickText.labels([0, 1, 2]) { _, _ in "" } == ["", "", ""]) }
}
