/// The memory of the tables of a prepared scenario; every sampler made here is valid as long as this lives.
///
/// Sendable: the list of blocks is behind a lock, and a block is complete before anybody sees it.
public final class SamplerStorage: Sendable {
  private let blocks = Guarded<[UInt]>([])

  public init() {}

  deinit {
    for address in blocks.withLock({ $0 }) { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
  }

  /// Keeps the cells of a quantile table, exactly `QuantileTable.cellCount` of them, all finite.
  public func table(cells: [QuantileTable.Cell]) -> QuantileTable {
    precondition(cells.count == QuantileTable.cellCount, "a quantile table has a fixed number of cells")
    return QuantileTable(cells: keep(cells).start)
  }

  /// Keeps a choice among values by weights, which need not add up to 1.
  ///
  /// At least one weight is above 0, none is negative, infinite or NaN. Shares are exact to 2^-52, and the same on
  /// every machine. Values of weight 0 are never drawn.
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

  /// The first uniform that does not lie below the probability.
  private static func uniform(below probability: Double) -> UInt64 {
    let scaled = probability * 18_446_744_073_709_551_616
    return scaled < 18_446_744_073_709_551_616 ? UInt64(scaled) : .max
  }

  /// Copies values to memory that is freed with this object, aligned to cache lines.
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
