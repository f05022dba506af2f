internal import CProcessor

/// How a random span of time follows from one uniform of 64 bits; a larger uniform never gives a shorter span.
///
/// Tables are views of a `SamplerStorage`, which must outlive the sampler. A draw allocates and retains nothing.
public enum SpanSampler: BitwiseCopyable, Sendable {
  case constant(TimeAmount)
  /// Whole milliseconds from `from` up to but excluding `from + width`; a width of 0 means `from`.
  ///
  /// MODEL.md's U(a, b) is continuous; rounded down to milliseconds it is this, exactly (bias of a width: 2^-64).
  case uniform(from: TimeAmount, width: TimeAmount)
  case choice(ChoiceTable<TimeAmount>)
  case table(QuantileTable)

  /// U(from, to) in whole milliseconds; constant when nothing lies between.
  @inlinable public static func uniform(from: TimeAmount, to: TimeAmount) -> SpanSampler {
    to > from ? .uniform(from: from, width: to - from) : .constant(from)
  }

  /// Whether every draw gives the same span, so that none needs to be made.
  @inlinable public var isConstant: Bool {
    if case .constant = self { true } else { false }
  }

  /// The span at the uniform `u`.
  @inlinable @inline(__always) public func span(at u: UInt64) -> TimeAmount {
    if case .constant(let span) = self { span } else { drawn(at: u) }
  }

  /// The span at the uniform `u`, inlined: for callers where a draw from a table is worth its room.
  @inlinable @inline(__always) public func spanInPlace(at u: UInt64) -> TimeAmount {
    if case .table(let table) = self { table.span(at: u) } else { span(at: u) }
  }

  /// The spans at eight uniforms: where the processor has wide vectors, those from a table at the price of four.
  @inline(__always)
  func makeEight(
    _ spans: UnsafeMutablePointer<InlineArray<8, TimeAmount>>, at uniforms: UnsafePointer<InlineArray<8, UInt64>>
  ) {
    if case .table(let table) = self, wf_has_wide_vectors() { return table.makeEight(spans, at: uniforms) }
    for index in 0..<8 { spans.pointee[index] = span(at: uniforms.pointee[index]) }
  }

  @usableFromInline func drawn(at u: UInt64) -> TimeAmount {
    switch self {
    case .constant(let span): span
    case .uniform(let from, let width): from + Self.part(of: width, at: u)
    case .choice(let choice): choice.value(at: u)
    case .table(let table): table.span(at: u)
    }
  }

  /// The share `u` / 2^64 of a span that is not negative, rounded down.
  @inlinable public static func part(of width: TimeAmount, at u: UInt64) -> TimeAmount {
    let product = UInt64(bitPattern: width.milliseconds).multipliedFullWidth(by: u)
    return TimeAmount(milliseconds: Int64(bitPattern: product.high))
  }
}
