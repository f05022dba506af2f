/// What one part of a device keeps of each widget, kind or event, in the device's block of memory.
struct Column<Index: PlanIndex, Value: BitwiseCopyable>: BitwiseCopyable {
  private let first: UnsafeMutablePointer<Value>

  @inline(__always) init(_ start: UnsafeMutableRawPointer) { first = start.assumingMemoryBound(to: Value.self) }

  subscript(index: Index) -> Value {
    @inline(__always) _read { yield first[index.place] }
    @inline(__always) nonmutating _modify { yield &first[index.place] }
  }

  func initialize(_ index: Index, to value: Value) { (first + index.place).initialize(to: value) }
  func initialize(repeating value: Value, count: Int) { first.initialize(repeating: value, count: count) }
}

/// Room for what a scheduler's rules keep of a widget.
struct AllowanceRoom: BitwiseCopyable {
  /// Bytes.
  static let size = 32

  private var words: (Int64, Int64, Int64, Int64) = (0, 0, 0, 0)
}

extension Column where Value == WidgetRow {
  /// What the scheduler keeps in a row's room, of a type that only its rules know; at most `AllowanceRoom.size` bytes.
  subscript<Allowance: BitwiseCopyable>(index: Index, as type: Allowance.Type) -> Allowance {
    @inline(__always) _read { yield room(index, type).pointee }
    @inline(__always) nonmutating _modify { yield &room(index, type).pointee }
  }

  @inline(__always)
  private func room<Allowance>(_ index: Index, _ type: Allowance.Type) -> UnsafeMutablePointer<Allowance> {
    UnsafeMutableRawPointer(first + index.place).assumingMemoryBound(to: type)
  }
}

/// What one part of a device keeps once, in the device's block of memory.
struct Cell<Value: BitwiseCopyable>: BitwiseCopyable {
  private let place: UnsafeMutablePointer<Value>

  @inline(__always) init(_ start: UnsafeMutableRawPointer) { place = start.assumingMemoryBound(to: Value.self) }

  var value: Value {
    @inline(__always) _read { yield place.pointee }
    @inline(__always) nonmutating _modify { yield &place.pointee }
  }

  func initialize(to value: Value) { place.initialize(to: value) }
}
