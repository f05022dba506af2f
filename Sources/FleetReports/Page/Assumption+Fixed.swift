import Scenario
import SimulationKernel

/// What no key of a scenario changes.
extension Assumption {
  static let fixed = FixedAssumption.all.map { fixed in
    let texts = fixed.quantities.map(text)
    let parts = fixed.form.split(separator: "{}", omittingEmptySubsequences: false)
    let value = zip(parts, texts + [""]).map { $0 + $1 }.joined()
    return Assumption(fixed.name, value, mark(fixed.evidence), fixed.source + " (MODEL.md " + fixed.section + ")")
  }

  private static func mark(_ evidence: FixedAssumption.Evidence) -> Evidence {
    switch evidence {
    case .documented: .documented
    case .inWords: .documentedInWords
    case .measured: .measured
    case .assumed: .assumed
    }
  }

  private static func text(_ quantity: FixedAssumption.Quantity) -> String {
    switch quantity {
    case .span(let span): TimeText.span(span)
    case .time(let time):
      (time < .hours(10) ? "0" : "") + "\(time.milliseconds / TimeAmount.hour.milliseconds):00"
    case .microwatts(let count): power(Double(count) / 1e6)
    case .percent(let count): NumberText.percent(Double(count) / 100)
    case .number(let number): NumberText.text(number)
    }
  }

  private static func power(_ watts: Double) -> String {
    watts < 0.9995 ? NumberText.text(watts * 1_000) + " mW" : NumberText.trimmed(NumberText.text(watts)) + " W"
  }
}
