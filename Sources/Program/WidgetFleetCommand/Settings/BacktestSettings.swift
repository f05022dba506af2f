import ScenarioFiles

/// A range of days in a log, starting at 1. Examples are `1-7`, `8`, and `8-` for all days from the eighth.
struct DayRange: Hashable {
  let first: Int
  /// The last day; `nil` for the last day of the log.
  let last: Int?

  /// The maximum day number, which is that of the last day in a log from 1990 to 2100.
  private static let maximum = 40_178

  init?(_ text: String) {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count <= 2, let start = ends.first, let first = Int(start), (1...Self.maximum).contains(first),
      let end = ends.last
    else {
      return nil
    }
    self.first = first
    guard !end.isEmpty else {
      last = nil
      return
    }
    guard let last = Int(end), (first...Self.maximum).contains(last) else { return nil }
    self.last = last
  }
}

/// The training days and the forecast days of `backtest`.
struct BacktestSettings {
  let train: ClosedRange<Int>
  let test: DayRange
  /// The changes in chronological order.
  let changes: [DatedChange]

  /// Reads the settings; returns `nil` for other commands, or if no training days are given.
  init?(_ values: ArgumentValues, _ command: Command) throws(Failure) {
    guard command.action == .backtest, let text = values.last(.train) else { return nil }
    guard let train = DayRange(text), let last = train.last else {
      throw .usage("--train must be a range such as 1-7, not '\(text.printable)'", command: command.name)
    }
    self.train = train.first...last
    let testText = values.last(.test) ?? "\(last + 1)-"
    guard let test = DayRange(testText) else {
      throw .usage("--test must be a range such as 8-9 or 8-, not '\(testText.printable)'", command: command.name)
    }
    guard test.first > last else {
      throw .usage("--test must start after the last training day, day \(last)", command: command.name)
    }
    self.test = test
    var changes: [DatedChange] = []
    for text in values.all(.change) {
      guard let change = DatedChange(text) else {
        throw .usage(
          "--change takes DATE: PATH=VALUE, not '\(text.printable)'", command: command.name,
          hint: "--change '2027-01-25: kinds.weather.reload.after=1h'")
      }
      changes.append(change)
    }
    self.changes = changes.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
      .map(\.element)
  }
}
