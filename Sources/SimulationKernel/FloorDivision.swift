extension Int64 {
  /// The quotient rounded towards minus infinity, as calendars count days before their epoch.
  @inlinable public func floorDivided(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
