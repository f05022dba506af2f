/// Where values of a line go, by the names of their fields.
struct FieldTarget: BitwiseCopyable, Sendable {
  let slot: UInt16
  let rank: UInt8
  let unit: TimeUnit?
}

/// Which names of fields are wanted and where their values go: the roles first, then fields that rules ask for.
struct FieldTable: Sendable {
  private(set) var slots = Role.allCases.count
  private var mapped: [String: [FieldTarget]] = [:]
  /// Roles that the known names do not fill, since the user has said what does.
  private var taken: Set<Role> = []
  /// Slots that are filled from the query or the cookie.
  private(set) var derived: [(slot: Int, from: FieldName)] = []
  /// The slot that each class rule looks at.
  private(set) var ruleSlots: [Int] = []

  init(_ options: LogOptions) {
    for map in options.maps { add(map) }
    for rule in options.classRules { ruleSlots.append(slot(for: rule.field)) }
  }

  private mutating func add(_ map: FieldMap) {
    taken.insert(map.role)
    if map.role == .time || map.role == .arrival { taken.formUnion([.time, .arrival, .end, .date]) }
    if map.role == .duration { taken.formUnion([.secondDuration, .thirdDuration]) }
    fill(map.role.rawValue, from: map.field, unit: map.unit)
  }

  private mutating func fill(_ slot: Int, from field: FieldName, unit: TimeUnit? = nil) {
    guard case .field(let name) = field else { return derived.append((slot, field)) }
    // `ip` and `address` stand for whatever field of the format holds it.
    let isAny = name == "ip" || name == "address"
    let names = isAny ? KnownFields.meanings.filter { $0.value.role == .address }.map(\.key) + [name] : [name]
    for name in names {
      let target = FieldTarget(slot: UInt16(clamping: slot), rank: 0, unit: unit ?? KnownFields.meanings[name]?.unit)
      mapped[name, default: []].append(target)
    }
  }

  private mutating func slot(for field: FieldName) -> Int {
    if case .field(let name) = field, let role = FieldMap.roles[name] { return role.rawValue }
    let slot = slots
    slots += 1
    fill(slot, from: field)
    return slot
  }

  /// Where the value of a field goes; empty: nobody wants it.
  func targets(of name: String) -> [FieldTarget] {
    var targets = mapped[name] ?? []
    if let known = KnownFields.meanings[name], !taken.contains(known.role) {
      targets.append(FieldTarget(slot: UInt16(known.role.rawValue), rank: known.rank, unit: known.unit))
    }
    return targets
  }

  /// Every name that somebody wants.
  var names: [String] { Set(mapped.keys).union(KnownFields.meanings.keys).filter { !targets(of: $0).isEmpty }.sorted() }
}

/// The values of one line, by slot; the memory is one thread's.
struct Row {
  private let values: UnsafeMutablePointer<Text>
  private let ranks: UnsafeMutablePointer<UInt8>
  private let units: UnsafeMutablePointer<TimeUnit?>
  /// Room for values whose escapes are resolved, which together are no longer than the line.
  private let arena: UnsafeMutablePointer<UInt8>
  private let used: UnsafeMutablePointer<Int>
  private let capacity: Int
  let count: Int

  init(slots: Int, longestLine: Int) {
    count = slots
    capacity = longestLine
    arena = .allocate(capacity: longestLine)
    used = .allocate(capacity: 1)
    used.initialize(to: 0)
    values = .allocate(capacity: slots)
    ranks = .allocate(capacity: slots)
    units = .allocate(capacity: slots)
    units.initialize(repeating: nil, count: slots)
    clear()
  }

  func free() {
    values.deallocate()
    ranks.deallocate()
    units.deallocate()
    arena.deallocate()
    used.deallocate()
  }

  @inline(__always) func clear() {
    values.initialize(repeating: .empty, count: count)
    ranks.initialize(repeating: .max, count: count)
    used.pointee = 0
  }

  /// Makes a text of at most some bytes, which lives as long as the line's values.
  ///
  /// - Parameter write: writes the bytes, and returns how many they are.
  func text(_ most: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) -> Text {
    guard used.pointee + most <= capacity else { return .empty }
    let start = arena + used.pointee
    let count = write(start)
    assert(count <= most)
    used.pointee += count
    return Text(start, count)
  }

  @inline(__always) func set(_ target: FieldTarget, _ value: Text) {
    let slot = Int(target.slot)
    guard target.rank < ranks[slot], !value.isNone else { return }
    values[slot] = value
    ranks[slot] = target.rank
    units[slot] = target.unit
  }

  @inline(__always) func set(slot: Int, _ value: Text) { values[slot] = value }
  @inline(__always) subscript(role: Role) -> Text { values[role.rawValue] }
  @inline(__always) subscript(slot slot: Int) -> Text { values[slot] }
  @inline(__always) func unit(of role: Role) -> TimeUnit? { units[role.rawValue] }
}
