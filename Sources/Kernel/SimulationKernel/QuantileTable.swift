public import CProcessor

/// An inverse distribution function as a table of cubics, which maps a 64-bit uniform to a value without libm.
///
/// The top bit of the uniform selects a half of the distribution. The distance from that half's tail is split into 40
/// octaves of 32 equal cells, so that probabilities down to 2^-41 keep their relative precision. Only IEEE sums and
/// products of the stored coefficients are used (Swift never fuses them), so equal tables give identical bits on every
/// machine. A larger uniform never gives a smaller value; `Numerics` checks this when it fills a table.
///
/// The table is a view of memory that belongs to a `SamplerStorage`, which must outlive it. Equal tables share the same
/// memory.
public struct QuantileTable: BitwiseCopyable, Hashable, @unchecked Sendable {
  // This type is `@unchecked` because of the pointer. Its memory is written before the table is created and never
  // changed.

  /// The cubic of one cell: `c0 + t (c1 + t (c2 + t c3))` with t from 0 to below 1.
  ///
  /// t increases away from the tail. As the uniform increases, t increases in the lower half and decreases in the upper
  /// half.
  public struct Cell: BitwiseCopyable, Hashable, Sendable {
    public var c0: Double
    public var c1: Double
    public var c2: Double
    public var c3: Double

    @inlinable public init(c0: Double, c1: Double, c2: Double, c3: Double) {
      self.c0 = c0
      self.c1 = c1
      self.c2 = c2
      self.c3 = c3
    }

    @inlinable public func value(at t: Double) -> Double { c0 + t * (c1 + t * (c2 + t * c3)) }
  }

  /// The number of octaves per half, from the median to the tail; distances below 2^-41 from the tail are treated as
  /// 2^-41.
  @inlinable public static var octaves: Int { 40 }
  /// The number of cells per octave.
  @inlinable public static var cellsPerOctave: Int { 32 }
  /// The number of cells per half; the lower half comes first.
  @inlinable public static var cellsPerHalf: Int { 1_280 }
  /// The number of cells in a table (80 KiB); nearly every draw uses the first kilobytes of a half.
  @inlinable public static var cellCount: Int { 2_560 }
  /// The number of distinct values of t in a cell. A step of t is large enough to change the value by more than the
  /// rounding error of the cubic.
  @inlinable public static var stepsPerCell: Double { 4_294_967_296 }
  /// The maximum span, 2^46 ms (2 230 years); longer spans are clamped to it.
  @inlinable public static var longestSpan: Double { 70_368_744_177_664 }

  @usableFromInline let cells: UnsafePointer<Cell>

  /// Creates a view of `cellCount` cells at `cells`, which must not change while the view is used.
  public init(cells: UnsafePointer<Cell>) { self.cells = cells }

  /// Returns the value for the uniform `u`, in milliseconds, rounded half up; negative values are treated as 0.
  @inlinable @inline(__always) public func span(at u: UInt64) -> TimeAmount {
    let place = Self.place(of: u)
    let value = min(cells[place.cell].value(at: place.t), Self.longestSpan)
    return TimeAmount(milliseconds: max(wf_whole_part(value + 0.5), 0))
  }

  /// Computes `span(at:)` for each of eight uniforms; requires a processor with wide vectors.
  @inline(__always)
  func makeEight(
    _ spans: UnsafeMutablePointer<InlineArray<8, TimeAmount>>, at uniforms: UnsafePointer<InlineArray<8, UInt64>>
  ) {
    wf_eight_spans(
      numbers, UnsafeRawPointer(uniforms).assumingMemoryBound(to: UInt64.self),
      UnsafeMutableRawPointer(spans).assumingMemoryBound(to: Int64.self))
  }

  /// The coefficients of all cells, cell by cell.
  @inline(__always) var numbers: UnsafePointer<Double> {
    UnsafeRawPointer(cells).assumingMemoryBound(to: Double.self)
  }

  /// Returns the value for the uniform `u` as a plain number; negative values are treated as 0.
  @inlinable @inline(__always) public func number(at u: UInt64) -> Double {
    let place = Self.place(of: u)
    let value = cells[place.cell].value(at: place.t)
    return max(value, 0)
  }

  /// Returns the cell for a uniform, and the position within the cell.
  @inlinable @inline(__always) public static func place(of u: UInt64) -> (cell: Int, t: Double) {
    let upper = Int64(bitPattern: u) >> 63  // all ones in the upper half
    let distance = max(u ^ UInt64(bitPattern: upper), 1 << 23)  // from the tail, in units of 2^-64
    let zeros = distance.leadingZeroBitCount  // from 1 to 40
    let fraction = distance &<< UInt64(zeros)
    let cell = (Int(upper) & cellsPerHalf) &+ (zeros &- 1) &* cellsPerOctave &+ Int((fraction >> 58) & 31)
    let step = Int64((fraction >> 26) & 0xFFFF_FFFF)
    return (cell, Double(step) / stepsPerCell)
  }
}
