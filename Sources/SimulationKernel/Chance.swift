/// A probability as a threshold for a uniform of 64 bits, rounded down to a multiple of 2^-64.
public struct Chance: BitwiseCopyable, Sendable {
  @usableFromInline let threshold: UInt64
  /// Whether it happens at every uniform, so that none needs to be drawn.
  public let isCertain: Bool

  @inlinable public init(_ share: Share) {
    let scaled = share.fraction * 18_446_744_073_709_551_616
    isCertain = scaled >= 18_446_744_073_709_551_616
    threshold = isCertain ? .max : UInt64(scaled)
  }

  @inlinable public var isImpossible: Bool { threshold == 0 }

  /// Whether what has this probability happens at the uniform `u`; a larger probability loses no uniform.
  @inlinable public func happens(at u: UInt64) -> Bool { isCertain || u < threshold }
}
