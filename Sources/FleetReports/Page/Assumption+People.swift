import Scenario
import SimulationKernel

/// What is assumed of the people who use the phones (MODEL.md 2).
extension Assumption {
  static func people(_ cohort: Cohort, _ app: App) -> [Assumption] {
    let person = cohort.person
    return [
      Assumption(
        "Unlocks per day", text(person.unlocksPerDay), .measured, "29 279 phones: about 60 a day (Hintze, IMWUT 2017)"),
      Assumption(
        "Length of a session", text(person.session), .measured,
        "1 960 phones: 57 a day, 123 s on average (Hintze, UbiComp 2014)"),
      Assumption(
        "Looks at the lock screen per unlock", NumberText.text(person.glancesPerUnlock), .measured,
        "46 % of the interactions unlock (Hintze, IMWUT 2017)"),
      Assumption(
        "Further home screen visits per session", NumberText.text(person.homeVisits), .assumed,
        "no measurement is known"),
      Assumption(
        "Going on to the next page of the home screen",
        NumberText.percent(person.nextPageFromFirst.fraction) + " from the first, "
          + NumberText.percent(person.nextPageFromLater.fraction) + " from later ones", .assumed,
        "no measurement is known"),
      Assumption("Length of a visit to the app", text(app.foreground), .assumed, "no measurement is known"),
    ]
  }

  /// What the system does when people look and act (MODEL.md 4.2, 4.4).
  static func views(_ os: OperatingSystem) -> [Assumption] {
    [
      Assumption(
        "A view of an overdue widget refreshes it",
        NumberText.percent(os.staleViewReloadRare.fraction) + " if rarely viewed, else "
          + NumberText.percent(os.staleViewReloadFrequent.fraction) + ", from " + TimeText.span(os.staleViewGrace)
          + " late", .documentedInWords, "WWDC21 10048: rarely viewed widgets may be refreshed when viewed",
        keys: ["stale_view_reload.rare", "stale_view_reload.frequent", "stale_view_grace"]),
      Assumption(
        "Latency of refreshes that the app in the foreground asks for", text(os.foregroundLatency), .measured,
        "2, 26 and 27 s were seen", keys: ["foreground_latency"]),
      Assumption(
        "Least time between two such requests", TimeText.span(os.foregroundGap), .assumed, "no number is documented",
        keys: ["foreground_gap"]),
    ]
  }

  private static func text(_ distribution: Distribution<Double>) -> String {
    text(distribution) { NumberText.text($0) }
  }
}
