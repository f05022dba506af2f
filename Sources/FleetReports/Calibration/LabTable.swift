package import Calibration

/// A plan of a lab as text for a terminal: what its phones say of each constant, and how surely.
package func labTable(of plan: LabPlan) -> [UInt8] {
  let header = ["constant", "seen", "these phones"] + LabPlan.differences.map { "all, \(NumberText.percent($0))" }
  let rows = plan.rows.map { row in
    let fleet = row.fleet.isEmpty ? LabPlan.differences.map { _ in "" } : row.fleet.map { NumberText.text($0) }
    return ["\(row.quantity): \(row.measure)", String(row.observations), half(row.here, row.unit)] + fleet
  }
  let title = "\(LogSentences.count(plan.phones, "phone")), \(LogSentences.count(plan.days, "day"))"
  let table = alignedLines([header] + rows, numberColumns: [1, 2, 3, 4])
  let lines = [title, ""] + table + [""] + labNotes.flatMap { folded($0) }
  return Array((lines.joined(separator: "\n") + "\n").utf8)
}

/// What the columns are.
private let labNotes = [
  "Half-widths of 95 % intervals: for the phones of the lab, and for all phones where these differ from each other by "
    + "5 or 10 %. Ends of windows and laws are taken for rules that are the same on each phone.",
  "points: hundredths of all cases; %: hundredths of the value. An end is that of a window, on one side of what was "
    + "seen.",
]

private func half(_ half: Double?, _ unit: LabPlan.Unit) -> String {
  guard let half else { return NumberText.unknown }
  return NumberText.text(half) + " " + unit.rawValue
}

/// A plan of a lab as JSON.
package func labJSON(of plan: LabPlan) -> JSONValue {
  .object([
    ("name", .string("lab")), ("phones", .integer(Int128(plan.phones))), ("days", .integer(Int128(plan.days))),
    (
      "rows",
      .array(
        plan.rows.map { row in
          .object([
            ("constant", .string(row.quantity)), ("measured", .string(row.measure)),
            ("observations", .integer(Int128(row.observations))), ("unit", .string(row.unit.rawValue)),
            ("these_phones", JSONValue(row.here)),
            ("all_phones", .array(row.fleet.map { JSONValue($0) })),
          ])
        })
    ),
  ])
}
