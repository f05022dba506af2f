import Scenario
import SimulationKernel

/// What is assumed of the people who use the phones (MODEL.md 2).
extension Assumption {
  static func people(_ cohort: Cohort, _ app: App) -> [Assumption] {
    let person = cohort.person
    return [
      Assumption(
        setting: "Unlocks per day", value: text(person.unlocksPerDay), evidence: .measured,
        source: "29 279 phones: about 60 a day (Hintze, IMWUT 2017)"),
      Assumption(
        setting: "Length of a session", value: text(person.session), evidence: .measured,
        source: "1 960 phones: 57 a day, 123 s on average (Hintze, UbiComp 2014)"),
      Assumption(
        setting: "Looks at the lock screen per unlock", value: NumberText.text(person.glancesPerUnlock),
        evidence: .measured, source: "46 % of the interactions unlock (Hintze, IMWUT 2017)"),
      Assumption(
        setting: "Further home screen visits per session", value: NumberText.text(person.homeVisits),
        evidence: .assumed,
        source: "no measurement is known"),
      Assumption(
        setting: "Going on to the next page of the home screen",
        value: NumberText.percent(person.nextPageFromFirst.fraction) + " from the first, "
          + NumberText.percent(person.nextPageFromLater.fraction) + " from later ones",
        evidence: .assumed, source: "no measurement is known"),
      Assumption(
        setting: "Length of a visit to the app", value: text(app.foreground), evidence: .assumed,
        source: "no measurement is known"),
    ]
  }

  /// What the system does when people look and act (MODEL.md 4.2, 4.4).
  static func views(_ os: OperatingSystem) -> [Assumption] {
    [
      Assumption(
        setting: "A view of an overdue widget refreshes it",
        value: NumberText.percent(os.staleViewReloadRare.fraction) + " if rarely viewed, else "
          + NumberText.percent(os.staleViewReloadFrequent.fraction) + ", from "
          + TimeText.span(os.staleViewGrace) + " late",
        evidence: .documentedInWords, source: "WWDC21 10048: rarely viewed widgets may be refreshed when viewed"),
      Assumption(
        setting: "Latency of refreshes that the app in the foreground asks for", value: text(os.foregroundLatency),
        evidence: .measured, source: "2, 26 and 27 s were seen"),
      Assumption(
        setting: "Least time between two such requests", value: TimeText.span(os.foregroundGap), evidence: .assumed,
        source: "no number is documented"),
    ]
  }

  private static func text(_ distribution: Distribution<Double>) -> String {
    switch distribution {
    case .constant(let value): NumberText.text(value)
    case .uniform(let from, let to): "uniform, " + NumberText.text(from) + " to " + NumberText.text(to)
    case .exponential(let mean): "exponential, mean " + NumberText.text(mean)
    case .normal(let mean, let deviation):
      "normal, mean " + NumberText.text(mean) + ", sd " + NumberText.text(deviation)
    case .lognormal(let median, let sigma):
      "lognormal, median " + NumberText.text(median) + ", sigma " + NumberText.text(sigma)
    case .choice(let values):
      values.map { NumberText.text($0.value) + " " + NumberText.percent($0.weight) }.joined(separator: ", ")
    }
  }
}
