import Scenario
import SimulationKernel
import Studies

/// Comparison of one set of refreshes on every radio: the tail differs forty-fold, so one number would mislead.
struct RadioComparison {
  private struct Row {
    var name: String
    var note: String
    /// Joules per widget and day, by component.
    var joules: [(component: EnergyComponent, joules: Double)]
    /// With wifi as simulated and this radio off it; nil where nobody changes between the two.
    var offWifi: Double?

    var total: Double { joules.reduce(0) { $0 + $1.joules } }
  }

  private let rows: [Row]
  private let simulated: Double
  /// Percent of a battery and day that a joule per widget and day is; nil without batteries.
  private let percentPerJoule: Double?

  /// - Parameter simulated, processor: joules per widget and day, as simulated.
  init?(_ report: ReportContent, simulated: Double, processor: Double) {
    let sensitivity = RadioSensitivity(report.run)
    let widgetDays = Self.widgetDays(report)
    guard sensitivity.asRecorded.total > 0, widgetDays > 0, simulated > 0 else { return nil }
    let joules = { (nanojoules: Double) in nanojoules / 1e9 / widgetDays }
    rows = sensitivity.rows.map { row in
      Row(
        name: row.radio.rawValue, note: row.isUsed ? " (in this scenario)" : "",
        joules: EnergyComponent.allCases.map { component in
          (component, component == .cpu ? processor : joules(row.always[component]))
        }, offWifi: row.offWifi.map { joules($0.total) + processor })
    }
    self.simulated = simulated
    percentPerJoule = report.summary.value(.batteryPercentPerDay, .mean).map { $0 / simulated }
  }

  /// Days of simulated widgets, over all replications.
  private static func widgetDays(_ report: ReportContent) -> Double {
    let run = report.run
    let widgets = report.summary.value(.widgets, .total) ?? 0
    let simulated = Double(run.devicesSimulated) / Double(max(run.scenario.fleet.devices, 1))
    let days = run.scenario.clock.duration.seconds / TimeAmount.day.seconds
    return widgets * simulated * days * Double(run.replications.count)
  }

  /// The cheapest and the dearest, to stand in the section's answer.
  var answer: String {
    guard let least = rows.min(by: { $0.total < $1.total }), let most = rows.max(by: { $0.total < $1.total }),
      least.total > 0
    else { return "" }
    return " On another radio the same refreshes would cost about \(NumberText.text(least.total)) J (\(least.name)) "
      + "to about \(NumberText.text(most.total)) J (\(most.name))."
  }

  var note: String {
    " The comparison of radios prices the recorded transfers and the silences between them anew, as if every phone were "
      + "always on the one radio. It is approximate: another radio wakes sooner or later and so shifts the ends of "
      + "refreshes. New simulations of \(RadioSensitivity.checkedOn) differed from it by at most "
      + "\(NumberText.percent(RadioSensitivity.bound))."
  }

  var figure: Markup {
    let bars =
      [StackedBarFigure.Bar(name: "as simulated", text: text(simulated), parts: [(simulated, "energy-radio")])]
      + rows.map { row in
        StackedBarFigure.Bar(
          name: row.name + row.note, text: text(row.total),
          parts: row.joules.map { ($0.joules, "energy-" + $0.component.name) })
      }
    return StackedBarFigure(bars: bars).markup(
      id: "energy-radios", title: "Energy of a widget in a day on every radio", description: answer,
      legend: EnergyComponent.allCases.map { ("energy-" + $0.name, $0.name) } + [
        ("energy-radio", "all together, as simulated")
      ])
  }

  var table: DataTable {
    let hasOffWifi = rows.contains { $0.offWifi != nil }
    let head =
      ["Radio", "All"] + EnergyComponent.allCases.map(\.name) + (percentPerJoule == nil ? [] : ["% of the battery"])
      + (hasOffWifi ? ["All, wifi as simulated"] : [])
    let lines = rows.map { row in
      [row.name + row.note, NumberText.text(row.total)] + row.joules.map { NumberText.text($0.joules) }
        + (percentPerJoule.map { [NumberText.text($0 * row.total)] } ?? [])
        + (hasOffWifi ? [row.offWifi.map { NumberText.text($0) } ?? NumberText.unknown] : [])
    }
    return DataTable(
      caption: "Joules per widget and day if every phone were always on the one radio, approximately", columns: head,
      rows: lines)
  }

  private func text(_ joules: Double) -> String { NumberText.text(joules) + " J" }
}
