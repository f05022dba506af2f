/// The refresh policy of a widget that shows a flight's gate and delay.
///
/// All spans are in seconds, so that a real provider can use it with `Date` and a simulated one with simulated time.
public struct FlightPolicy: Sendable {
  /// The time between two refreshes, except around the departure.
  public var usual = 3_600
  /// The time between two refreshes around the departure.
  public var close = 300
  /// The time before and after the departure in which the gate may change.
  public var around = 7_200
  /// The time after the first failure; each further failure in a row doubles it.
  public var retry = 900

  /// Creates the policy of the app.
  public init() {}

  /// Returns the time until the next refresh.
  ///
  /// - Parameters:
  ///   - sinceDeparture: the time since the planned departure; negative before it.
  ///   - failures: the number of failures in a row, including that of this refresh.
  public func nextRefresh(sinceDeparture: Int, failures: Int = 0) -> Int {
    let planned = abs(sinceDeparture) <= around ? close : usual
    guard failures > 0 else { return planned }
    return max(planned, retry << min(failures - 1, 4))
  }
}
