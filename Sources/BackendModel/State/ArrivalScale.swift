/// Counts of simulated devices as counts of the fleet: what `simulate` leaves out loads the backend too (MODEL.md 6.8).
///
/// What a whole number leaves over is carried to the next step, so that sums over steps are exact to one request.
package struct ArrivalScale: BitwiseCopyable, Equatable, Sendable {
  private let fleet: Int64
  private let simulated: Int64
  /// Below `simulated`.
  private var carried: Int64 = 0

  package init(fleet: Int, simulated: Int) {
    precondition(fleet >= 0 && simulated > 0, "a fleet is scaled from some of its devices")
    self.fleet = Int64(fleet)
    self.simulated = Int64(simulated)
  }

  /// - Precondition: neither the count nor what it comes to is negative or beyond Int64.
  package mutating func scaled(_ count: Int64) -> Int64 {
    let product = count.multipliedReportingOverflow(by: fleet)
    let sum = product.partialValue.addingReportingOverflow(carried)
    // All 128 bits where these are not enough, which is ten times dearer.
    guard !product.overflow, !sum.overflow else { return scaledWide(count) }
    let (whole, rest) = sum.partialValue.quotientAndRemainder(dividingBy: simulated)
    carried = rest
    return whole
  }

  @inline(never)
  private mutating func scaledWide(_ count: Int64) -> Int64 {
    let sum = Int128(count) * Int128(fleet) + Int128(carried)
    let (whole, rest) = sum.quotientAndRemainder(dividingBy: Int128(simulated))
    carried = Int64(rest)
    return Int64(whole)
  }
}
