/// A share or probability from 0 to 1.
package struct Share: BitwiseCopyable, Hashable, Comparable, Sendable {
  /// From 0 to 1.
  package var fraction: Double

  package init(fraction: Double) {
    precondition(fraction >= 0 && fraction <= 1, "a share lies between 0 and 1")
    self.fraction = fraction
  }

  package static let none = Share(fraction: 0)
  package static let all = Share(fraction: 1)

  package static func < (left: Share, right: Share) -> Bool { left.fraction < right.fraction }
}
