import DeviceModel
import Scenario
import SimulationKernel

/// The named windows of a scenario, converted to a form suitable for counting (MODEL.md 8.6).
struct WindowPreparation {
  private let scenario: Scenario
  let times: WindowSpells
  /// The spells during which each window applies, indexed by window and then by zone number.
  private let spells: [[[WindowPlan.Spell]]]
  private(set) var changes: [[WindowCells.Change]] = []
  /// The window indices of each cell. A cell is a set of windows that apply at the same time.
  private(set) var windowsOfCells: [[Int]] = [[]]

  init(_ scenario: Scenario, zoneNames: [String], walls: [WallClock]) {
    self.scenario = scenario
    times = WindowSpells(clock: scenario.clock, zoneNames: zoneNames, walls: walls)
    spells = scenario.windows.map { [times] in times.byZone($0.time) }
    for zone in walls.indices { changes.append(changes(in: zone)) }
  }

  /// Returns the transitions between cells in a time zone during the measured period.
  private mutating func changes(in zone: Int) -> [WindowCells.Change] {
    let (start, end) = (Instant.start, scenario.clock.end)
    let ends = spells.flatMap { $0[zone].flatMap { [$0.from, $0.to] } }.filter { $0 > start && $0 < end }
    var changes: [WindowCells.Change] = []
    for instant in [start] + Set(ends).sorted() {
      let holding = spells.indices.filter { spells[$0][zone].contains { $0.from <= instant && instant < $0.to } }
      let cell = windowsOfCells.firstIndex(of: holding) ?? windowsOfCells.count
      if cell == windowsOfCells.count { windowsOfCells.append(holding) }
      if changes.last?.cell != cell {
        changes.append(WindowCells.Change(from: changes.isEmpty ? .longAgo : instant, cell: cell))
      }
    }
    return changes
  }

  /// Returns the cells of all time zones; `nil` if there are no named windows.
  func cells(_ storage: SamplerStorage) -> WindowCells? {
    guard !scenario.windows.isEmpty else { return nil }
    return WindowCells(
      changes: storage.keep(changes.map { storage.keep($0) }),
      spells: storage.keep(spells.map { zones in storage.keep(zones.map { storage.keep($0) }) }))
  }

  /// The spans of the windows that apply at the same instants on all phones, limited to the measured period.
  var spans: [WindowSpan] {
    scenario.windows.indices.flatMap { window -> [WindowSpan] in
      guard scenario.fleet.shares(scenario.windows[window].time), let first = spells[window].first else { return [] }
      return first.compactMap { spell in
        let (from, to) = (max(spell.from, .start), min(spell.to, scenario.clock.end))
        return from < to ? WindowSpan(window: window, from: from, to: to) : nil
      }
    }
  }
}

/// A calculation of the spells during which windows apply, in each time zone of a fleet.
struct WindowSpells {
  let clock: Clock
  let zoneNames: [String]
  let walls: [WallClock]

  /// Returns the spells of a window, indexed by zone number.
  func byZone(_ time: WindowTime) -> [[WindowPlan.Spell]] {
    if let once = time.once {
      let start = clock.startUnixMilliseconds
      let spell = WindowPlan.Spell(
        from: Instant(millisecondsSinceStart: once.lowerBound - start),
        to: Instant(millisecondsSinceStart: once.upperBound - start))
      return walls.map { _ in [spell] }
    }
    let spells = { (wall: WallClock) in
      Calendar(wall: wall, clock: clock).spells(from: time.from, to: time.to, on: time.days)
    }
    guard let name = time.zone.name else { return walls.map(spells) }
    let shared = spells(walls[zoneNames.firstIndex(of: name) ?? 0])
    return walls.map { _ in shared }
  }
}
