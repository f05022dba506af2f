import Scenario

extension StoredColumns {
  package static let hours = [
    "kind", "hour", "refreshes", "views", "stale_share", "data_age_s", "balance_p10", "balance_p50",
  ]
  package static let asked = ["kind", "row", "refreshes_per_day", "followed_s"]
}

extension StoredRun {
  /// Reads hours.csv: every hour of a kind, then those of another.
  static func hours(_ bytes: [UInt8], _ scenario: Scenario) throws(StoredFileError) -> [StoredHour] {
    var csv = try CSVReader(bytes, file: Files.hours, columns: StoredColumns.hours)
    var hours: [StoredHour] = []
    while try csv.next() {
      var row = StoredHour(kind: try kind(csv, scenario), hour: hours.count % 24)
      guard try csv.integer(1) == Int64(row.hour), row.hour == 0 || hours.last?.kind == row.kind else {
        throw csv.damaged("another kind or hour is expected here")
      }
      func figure(_ column: Int) throws(StoredFileError) -> Double? {
        csv.isBlank(column) ? nil : try csv.number(column)
      }
      row.refreshes = try figure(2)
      row.views = try figure(3)
      row.staleShare = try figure(4)
      row.dataAge = try figure(5)
      row.lowBalance = try figure(6)
      row.balance = try figure(7)
      hours.append(row)
    }
    guard hours.count % 24 == 0 else { throw csv.damaged("rows are missing at its end") }
    return hours
  }

  /// Reads asked.csv: every row of a kind, then those of another.
  static func asked(_ bytes: [UInt8], _ scenario: Scenario) throws(StoredFileError) -> [StoredAsked] {
    var csv = try CSVReader(bytes, file: Files.asked, columns: StoredColumns.asked)
    let rows = AskedRow.allCases
    var (asked, count): ([StoredAsked], Int) = ([], 0)
    while try csv.next() {
      let (kind, row) = (try kind(csv, scenario), rows[count % rows.count])
      if row == .asks { asked.append(StoredAsked(kind: kind, perDay: [], seconds: try csv.number(3))) }
      guard try csv.text(1) == row.name, var last = asked.popLast(), last.kind == kind,
        last.seconds == (try csv.number(3))
      else { throw csv.damaged("another kind, row or time is expected here") }
      last.perDay.append(try csv.isBlank(2) ? nil : csv.number(2))
      asked.append(last)
      count += 1
    }
    guard count % rows.count == 0 else { throw csv.damaged("rows are missing at its end") }
    return asked
  }

  private static func kind(_ csv: CSVReader, _ scenario: Scenario) throws(StoredFileError) -> Int {
    let name = try csv.text(0)
    guard let kind = scenario.kinds.firstIndex(where: { $0.name == name }) else {
      throw csv.damaged("a kind that the scenario does not have", 0)
    }
    return kind
  }
}
