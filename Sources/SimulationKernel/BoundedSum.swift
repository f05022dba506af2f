/// Sums that are known to fit, for what the limits on scenarios keep small.
extension Int64 {
  /// The sum, which must fit: debug builds check it.
  @inlinable @inline(__always) func plus(_ other: Int64) -> Int64 {
    assert(!addingReportingOverflow(other).overflow, "a sum overflows")
    return self &+ other
  }

  /// The difference, which must fit: debug builds check it.
  @inlinable @inline(__always) func minus(_ other: Int64) -> Int64 {
    assert(!subtractingReportingOverflow(other).overflow, "a difference overflows")
    return self &- other
  }
}
