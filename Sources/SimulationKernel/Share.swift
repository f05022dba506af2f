/// A share or probability from 0 to 1.
public struct Share: BitwiseCopyable, Hashable, Comparable, Sendable {
  /// From 0 to 1.
  public var fraction: Double

  public init(fraction: Double) {
    precondition(fraction >= 0 && fraction <= 1, "a share lies between 0 and 1")
    self.fraction = fraction
  }

  public static let none = Share(fraction: 0)
  public static let all = Share(fraction: 1)

  public static func < (left: Share, right: Share) -> Bool { left.fraction < right.fraction }
}
