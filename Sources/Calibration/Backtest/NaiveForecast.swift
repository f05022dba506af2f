/// What anybody can foretell without a model, from the training days alone.
package enum NaiveForecast: String, CaseIterable, Sendable {
  /// The load of the last training day.
  case yesterday
  /// The load of the last training day that is whole weeks before.
  case lastWeek
  /// The mean of all training days, step by step.
  case meanDay

  /// - Parameters:
  ///   - number: of the day that is forecast.
  ///   - days: for training, all before it.
  /// - Returns: nil by step where nothing is known.
  package func load(ofDay number: Int, from days: [BacktestDay], steps: Int) -> [Double?] {
    let chosen: [BacktestDay]
    switch self {
    case .yesterday: chosen = days.max { $0.number < $1.number }.map { [$0] } ?? []
    case .lastWeek:
      chosen = days.filter { (number - $0.number) % 7 == 0 }.max { $0.number < $1.number }.map { [$0] } ?? []
    case .meanDay: chosen = days
    }
    return (0..<steps).map { step in
      let known = chosen.compactMap { $0.measured.indices.contains(step) ? $0.measured[step] : nil }
      return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
    }
  }
}
