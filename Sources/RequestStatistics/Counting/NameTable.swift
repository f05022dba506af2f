import SimulationKernel

/// Names that lines of a log share, each stored once: paths, User-Agents, kinds, servers.
///
/// A log may hold any number of them. Which are told apart depends on the names alone, not on their order: where there
/// are more than the table holds, those with the lowest hashes make room, half of them at a time.
package final class NameTable: Sendable {
  /// Most names that are told apart.
  package static let capacity = 4_096
  /// Bytes of a name; what is longer is cut.
  package static let longest = 200

  private let state = Guarded(State())

  private struct State {
    var indices: [[UInt8]: UInt16] = [:]
    /// By index; nil: no name, or one that made room. An index is never given twice.
    var names: [[UInt8]?] = [nil]
    /// Names whose hash has fewer leading zeros than this are not told apart.
    var level = 0

    mutating func makeRoom() {
      level += 1
      for (name, index) in indices where NameTable.level(of: name) < level {
        indices[name] = nil
        names[Int(index)] = nil
      }
    }
  }

  package init() {}

  /// The place of a name, which gets one if it has none and there is room; callers keep what they were told.
  package func index(of name: some Collection<UInt8>) -> NameIndex {
    let name = Array(name.prefix(Self.longest))
    let ownLevel = Self.level(of: name)
    return state.withLock { state in
      if let known = state.indices[name] { return NameIndex(known) }
      while ownLevel >= state.level, state.indices.count >= Self.capacity { state.makeRoom() }
      guard ownLevel >= state.level, let index = UInt16(exactly: state.names.count) else { return .none }
      state.names.append(name)
      state.indices[name] = index
      return NameIndex(index)
    }
  }

  /// The name at a place; nil: none, or one that made room.
  package subscript(_ index: NameIndex) -> String? {
    state.withLock { state in
      guard Int(index.number) < state.names.count else { return nil }
      return state.names[Int(index.number)].map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// The share of all names that are told apart.
  package var share: Double { state.withLock { Double(sign: .plus, exponent: -$0.level, significand: 1) } }

  private static func level(of name: [UInt8]) -> Int { StableHash.of(name).leadingZeroBitCount }
}
