/// A share or probability from 0 to 1.
@usableFromInline package struct Share: BitwiseCopyable, Hashable, Comparable, Sendable {
  /// From 0 to 1.
  @usableFromInline package var fraction: Double

  @inlinable package init(fraction: Double) {
    precondition(fraction >= 0 && fraction <= 1, "a share lies between 0 and 1")
    self.fraction = fraction
  }

  @inlinable package static var none: Share { Share(fraction: 0) }
  @inlinable package static var all: Share { Share(fraction: 1) }

  @inlinable package static func < (left: Share, right: Share) -> Bool { left.fraction < right.fraction }
}
