import Scenario
import SimulationKernel
import Testing

@testable import Studies

/// The precision required by `--until-ci`, compared with that achieved.
struct AskedPrecisionTests {
  private func goal(_ figure: FigureName) -> Goal {
    Goal(id: "g", text: "", figure: figure, comparison: .atMost, limit: .value(1), severity: .error)
  }

  /// 9, 10, 11: mean 10, standard deviation 1, t(0.975; 2) = 4.302653, half-width 2.484: 24.84 % of the mean.
  @Test func precisionIsTheRelativeHalfWidth() throws {
    let name = FigureName(.requests, .total)
    let summary = Summary(rows: [SummaryRow(.requests, Labels(), .total, replications: [9, 10, 11].map { .real($0) })])
    let loose = RequiredPrecision(share: 0.25, maxReplications: 9).reached([goal(name), goal(name)], summary)
    #expect(loose.count == 1 && loose[0].isEnough)
    #expect(abs((loose[0].share ?? 0) - 0.248_414) < 1e-5)
    #expect(!RequiredPrecision(share: 0.24, maxReplications: 9).reached([goal(name)], summary)[0].isEnough)
  }

  @Test func precisionThatCannotImproveIsEnough() {
    let name = FigureName(.requests, .total)
    let asked = RequiredPrecision(share: 0.01, maxReplications: 9)
    let rows: [([Quantity?], Bool)] = [
      ([.whole(7), .whole(7)], true), ([nil, nil], true), ([.whole(7)], false), ([.whole(-1), .whole(1)], false),
    ]
    for (values, isEnough) in rows {
      let summary = Summary(rows: [SummaryRow(.requests, Labels(), .total, replications: values)])
      #expect(asked.reached([goal(name)], summary).map(\.isEnough) == [isEnough])
    }
    #expect(asked.reached([goal(name)], Summary(rows: [])).map(\.isEnough) == [true])
  }
}
