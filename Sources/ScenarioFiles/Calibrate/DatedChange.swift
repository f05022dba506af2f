/// A change of a scenario that holds from a date on, as `--change` takes it: `2027-01-25: kinds.weather.reload.after=1h`.
package struct DatedChange: Hashable, Sendable {
  /// Milliseconds since 1970.
  package let start: Int64
  /// `PATH=VALUE`.
  package let setting: SetArgument

  /// nil for a text without a date (midnight in UTC) or an instant and a colon with a space before its setting.
  package init?(_ text: String) {
    guard let colon = text.firstRange(of: ": ") else { return nil }
    let date = String(text[..<colon.lowerBound])
    let instant = date.utf8.count == Self.dateLength ? date + "T00:00:00Z" : date
    guard let start = try? CalendarText.instant(instant) else { return nil }
    self.start = start
    setting = SetArgument(String(text[colon.upperBound...].drop { $0 == " " }), option: "--change")
  }

  private static let dateLength = "2027-01-25".utf8.count
}
