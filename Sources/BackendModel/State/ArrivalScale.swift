/// Counts of simulated devices as counts of the fleet: what `simulate` leaves out loads the backend too (MODEL.md 6.8).
///
/// What a whole number leaves over is carried to the next step, so that sums over steps are exact to one request.
package struct ArrivalScale: BitwiseCopyable, Equatable, Sendable {
  private let fleet: Int128
  private let simulated: Int128
  private var carried: Int128 = 0

  package init(fleet: Int, simulated: Int) {
    precondition(fleet >= 0 && simulated > 0, "a fleet is scaled from some of its devices")
    self.fleet = Int128(fleet)
    self.simulated = Int128(simulated)
  }

  package mutating func scaled(_ count: Int64) -> Int64 {
    let (whole, rest) = (Int128(count) * fleet + carried).quotientAndRemainder(dividingBy: simulated)
    carried = rest
    return Int64(whole)
  }
}
