/// What is kept of one request of a sampled sender: 24 bytes.
package struct SampledRequest: Hashable, Sendable, BitwiseCopyable {
  package let sender: UInt64
  /// Milliseconds since 1970 in 42 bits, the status in 10, the system in 6, the cache's result in 3, the class in 3.
  private let packed: UInt64
  package let path: NameIndex
  package let kind: NameIndex
  package let node: NameIndex
  /// The upper bits of the line's hash.
  package let line: UInt16

  package init(_ request: LoggedRequest) {
    sender = request.sender
    packed =
      UInt64(clamping: request.time) << 22 | UInt64(min(request.status, 1_023)) << 12 | UInt64(min(request.system, 63))
      << 6
      | UInt64(request.cache.rawValue) << 3 | UInt64(request.requestClass.rawValue)
    (path, kind, node) = (request.path, request.kind, request.node)
    line = UInt16(truncatingIfNeeded: request.line >> 48)
  }

  /// A copy that is so many milliseconds later.
  func moved(by milliseconds: Int64) -> Self {
    Self(
      sender: sender, packed: UInt64(clamping: time + milliseconds) << 22 | packed & (1 << 22 - 1), path: path,
      kind: kind,
      node: node, line: line)
  }

  private init(sender: UInt64, packed: UInt64, path: NameIndex, kind: NameIndex, node: NameIndex, line: UInt16) {
    (self.sender, self.packed, self.path, self.kind, self.node, self.line) = (sender, packed, path, kind, node, line)
  }

  /// Milliseconds since 1970-01-01T00:00:00Z.
  package var time: Int64 { Int64(packed >> 22) }
  package var status: UInt16 { UInt16(truncatingIfNeeded: packed >> 12 & 1_023) }
  package var system: UInt8 { UInt8(truncatingIfNeeded: packed >> 6 & 63) }
  package var cache: CacheResult { CacheResult(rawValue: UInt8(truncatingIfNeeded: packed >> 3 & 7)) ?? .none }
  package var requestClass: RequestClass {
    RequestClass(rawValue: UInt8(truncatingIfNeeded: packed & 7)) ?? .unknown
  }

  /// By sender, then time, then all else: one order for the same set.
  package static func precedes(_ one: Self, _ other: Self) -> Bool {
    if one.sender != other.sender { return one.sender < other.sender }
    if one.packed != other.packed { return one.packed < other.packed }
    return one.rest < other.rest
  }

  private var rest: UInt64 {
    UInt64(line) << 48 | UInt64(path.number) << 32 | UInt64(kind.number) << 16 | UInt64(node.number)
  }
}
