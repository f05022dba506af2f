internal import CProcessor

/// A rule that maps a 64-bit uniform to a time span; a larger uniform never gives a shorter span.
///
/// Tables are views of a `SamplerStorage`, which must outlive the sampler. A draw neither allocates nor retains.
public enum SpanSampler: BitwiseCopyable, Sendable {
  case constant(TimeAmount)
  /// A whole number of milliseconds from `from` to below `from + width`; always `from` if the width is 0.
  ///
  /// MODEL.md's U(a, b) is continuous; this is U(a, b) rounded down to whole milliseconds. The relative bias is at most
  /// the width in milliseconds times 2^-64.
  case uniform(from: TimeAmount, width: TimeAmount)
  case choice(ChoiceTable<TimeAmount>)
  case table(QuantileTable)

  /// Returns U(from, to) in whole milliseconds, which is constant unless `to` is longer than `from`.
  @inlinable public static func uniform(from: TimeAmount, to: TimeAmount) -> SpanSampler {
    to > from ? .uniform(from: from, width: to - from) : .constant(from)
  }

  /// Whether every draw gives the same span, so that no draw is needed.
  @inlinable public var isConstant: Bool {
    if case .constant = self { true } else { false }
  }

  /// Returns the span for the uniform `u`.
  @inlinable @inline(__always) public func span(at u: UInt64) -> TimeAmount {
    if case .constant(let span) = self { span } else { drawn(at: u) }
  }

  /// Returns the span for the uniform `u`, inlined for callers where the speed is worth the code size.
  @inlinable @inline(__always) public func spanInPlace(at u: UInt64) -> TimeAmount {
    if case .table(let table) = self { table.span(at: u) } else { span(at: u) }
  }

  /// Computes the spans for eight uniforms; with wide vectors, looking up eight spans in a table takes as long as
  /// looking up four.
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

  /// Returns a nonnegative span multiplied by `u` / 2^64, rounded down.
  @inlinable public static func part(of width: TimeAmount, at u: UInt64) -> TimeAmount {
    let product = UInt64(bitPattern: width.milliseconds).multipliedFullWidth(by: u)
    return TimeAmount(milliseconds: Int64(bitPattern: product.high))
  }
}

/// A rule that maps a 64-bit uniform to a plain number; a larger uniform never gives a smaller number.
///
/// Tables are views of a `SamplerStorage`, which must outlive the sampler. A draw neither allocates nor retains.
public enum NumberSampler: BitwiseCopyable, Sendable {
  case constant(Double)
  /// A number from `from` to `from + width`, in steps of 2^-53 of the width; the upper end is reached only by rounding.
  case uniform(from: Double, width: Double)
  case choice(ChoiceTable<Double>)
  case table(QuantileTable)

  /// Whether every draw gives the same number, so that no draw is needed.
  @inlinable public var isConstant: Bool {
    if case .constant = self { true } else { false }
  }

  /// Returns the number for the uniform `u`.
  @inlinable public func number(at u: UInt64) -> Double {
    switch self {
    case .constant(let number): number
    case .uniform(let from, let width): from + width * (Double(Int64(u >> 11)) / 9_007_199_254_740_992)
    case .choice(let choice): choice.value(at: u)
    case .table(let table): table.number(at: u)
    }
  }
}

/// A probability as a threshold for a 64-bit uniform, rounded down to a multiple of 2^-64.
public struct Chance: BitwiseCopyable, Sendable {
  @usableFromInline let threshold: UInt64
  /// Whether the event always happens, so that no draw is needed.
  public let isCertain: Bool

  @inlinable public init(_ share: Share) {
    let scaled = share.fraction * 18_446_744_073_709_551_616
    isCertain = scaled >= 18_446_744_073_709_551_616
    threshold = isCertain ? .max : UInt64(scaled)
  }

  @inlinable public var isImpossible: Bool { threshold == 0 }

  /// Whether an event of this probability happens at the uniform `u`; at the same `u`, it also happens for any larger
  /// probability.
  @inlinable public func happens(at u: UInt64) -> Bool { isCertain || u < threshold }
}

/// A choice among a few values, each of which is assigned a range of the 64-bit uniforms.
///
/// The table is a view of memory that belongs to a `SamplerStorage`, which must outlive it. Values are in ascending
/// order, so a larger uniform never gives a smaller value. A draw takes time linear in the number of values.
public struct ChoiceTable<Value: BitwiseCopyable & Sendable>: BitwiseCopyable, @unchecked Sendable {
  // This type is `@unchecked` because of the pointer. Its memory is written before the table is created and never
  // changed.

  /// A value and the end of its range of uniforms.
  public struct Entry: BitwiseCopyable, Sendable {
    public var value: Value
    /// The end of the range, which is the first uniform of the next entry; unused in the last entry.
    public var end: UInt64

    @inlinable public init(value: Value, end: UInt64) {
      self.value = value
      self.end = end
    }
  }

  @usableFromInline let entries: UnsafePointer<Entry>
  @usableFromInline let last: Int

  /// Creates a view of `count` entries, at least one, with ascending ends.
  public init(entries: UnsafePointer<Entry>, count: Int) {
    precondition(count > 0, "a choice has at least one value")
    self.entries = entries
    last = count - 1
  }

  /// Returns the value for the uniform `u`.
  @inlinable public func value(at u: UInt64) -> Value {
    var index = 0
    while index < last && u >= entries[index].end { index &+= 1 }
    return entries[index].value
  }
}

/// The memory of a prepared scenario's tables; every sampler created here is valid for the lifetime of this object.
///
/// This class is `Sendable` because a lock protects the list of blocks, and each block is complete before it is shared.
public final class SamplerStorage: Sendable {
  private let blocks = Locked<[UInt]>([])

  public init() {}

  deinit {
    for address in blocks.withLock({ $0 }) { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
  }

  /// Stores the cells of a quantile table; there must be exactly `QuantileTable.cellCount` cells, all finite.
  public func table(cells: [QuantileTable.Cell]) -> QuantileTable {
    precondition(cells.count == QuantileTable.cellCount, "a quantile table has a fixed number of cells")
    return QuantileTable(cells: keep(cells).start)
  }

  /// Stores a choice among values by weights, which need not add up to 1.
  ///
  /// At least one weight must be above 0; none may be negative, infinite or NaN. Probabilities are accurate to 2^-52
  /// and the same on every machine. Values of weight 0 are never drawn.
  public func choice<Value: BitwiseCopyable & Comparable & Sendable>(
    of options: [(value: Value, weight: Double)]
  ) -> ChoiceTable<Value> {
    let possible = options.filter { $0.weight > 0 }.sorted { $0.value < $1.value }
    let total = possible.reduce(0) { $0 + $1.weight }
    precondition(total > 0 && total.isFinite, "a choice has positive finite weights")
    var sum = 0.0
    let entries = possible.map { option in
      sum += option.weight
      return ChoiceTable<Value>.Entry(value: option.value, end: Self.uniform(below: sum / total))
    }
    return ChoiceTable(entries: keep(entries).start, count: entries.count)
  }

  /// Returns the smallest uniform that is not below the probability.
  private static func uniform(below probability: Double) -> UInt64 {
    let scaled = probability * 18_446_744_073_709_551_616
    return scaled < 18_446_744_073_709_551_616 ? UInt64(scaled) : .max
  }

  /// Copies values to cache-aligned memory that is freed together with this object.
  public func keep<Element: BitwiseCopyable>(_ elements: [Element]) -> PreparedList<Element> {
    let bytes = max(elements.count * MemoryLayout<Element>.stride, 1)
    let block = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
    let typed = block.bindMemory(to: Element.self, capacity: elements.count)
    elements.withUnsafeBufferPointer {
      if let first = $0.baseAddress { typed.initialize(from: first, count: $0.count) }
    }
    blocks.withLock { $0.append(UInt(bitPattern: block)) }
    return PreparedList(start: UnsafePointer(typed), count: elements.count)
  }
}
