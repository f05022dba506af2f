/// What the CDN in front of an endpoint did with a request (MODEL.md 6.6).
public enum EdgeAnswer: UInt8, BitwiseCopyable, CaseIterable, Sendable {
  /// There is no CDN.
  case none
  /// Answered with what it has.
  case hit
  /// Handed on to the origin.
  case miss
  /// Answered with what it last fetched, for the origin failed.
  case copy
  /// Answered with an error that it remembers.
  case cachedError
}
