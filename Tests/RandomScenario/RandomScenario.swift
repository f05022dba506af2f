import Scenario

/// Valid scenarios that cover every key of the table, drawn from a seed that reproduces them.
///
/// Fleets and rates are small, and each device is simulated for a few days, for tests that run thousands of scenarios.
package struct RandomScenario {
  package let seed: UInt64
  /// The scenario file.
  package let text: String

  /// Creates a scenario from a seed.
  ///
  /// - Parameter devices: the number of devices; by default drawn from 3 to 30, mostly few.
  package init(seed: UInt64, devices: Int? = nil) {
    self.seed = seed
    text = Self.text(Dice(seed: seed), devices)
  }

  /// Creates a scenario from choices.
  ///
  /// - Parameter choices: the values that replace the first draws.
  package init(choices: [UInt8], devices: Int?) {
    seed = 0
    text = Self.text(Dice(seed: 0, choices: choices), devices)
  }

  private static func text(_ dice: Dice, _ devices: Int?) -> String {
    var author = Author(dice: dice)
    return author.scenario(devices: devices).lines().joined(separator: "\n") + "\n"
  }

  /// The keys that these scenarios never have: those of studies, which `run` ignores.
  package static var keysLeftOut: Set<String> {
    // A provider is code of a program, and a generated file has none.
    let others = ["sweep", "tune", "calibrate", "kinds.*.reload.provider", "kinds.*.reload.version"]
    return Set(
      KeyTable.standard.entries.map(\.path).filter { path in
        others.contains { path == $0 || path.hasPrefix($0 + ".") }
      })
  }
}

/// The author of one scenario.
struct Author {
  static let endpoints = ["api", "images", "slow one"]
  static let kinds = ["weather", "news feed", "=c <b>", "счёт"]
  static let zones = [
    "Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Chatham", "UTC",
    "America/Los_Angeles",
  ]
  /// The groups for audiences, with their fixed shares.
  static let groups = [("vip", "30%"), ("has parcel", "62.5%")]
  /// The first days of clocks: an ordinary one, and some just before clock changes in Europe, America or Australia.
  static let days = [
    ("2027-01-", 18), ("2027-03-", 26), ("2027-03-", 12), ("2027-10-", 29), ("2027-11-", 5), ("2027-04-", 2),
  ]

  var dice: Dice
  var kinds: [String] = []
  /// The names of the scenario's own tables.
  var radios: [String] = []
  var phones: [String] = []
  /// Whether the backend has limits.
  var limits = false
  /// Whether a cohort receives widget pushes.
  var takesWidgetPushes = false
  /// The endpoint that the backend lists.
  var endpointInUse = endpoints[0]
  var day = days[0]
  var warmupDays = 0
  var durationDays = 1
  /// Whether the scenario has named windows.
  var hasWindows = false

  init(dice: Dice) { self.dice = dice }

  mutating func scenario(devices: Int?) -> Tree {
    kinds = Array(Self.kinds.prefix(dice.from(1...4)))
    limits = dice.oneIn(10)
    var fields = Fields()
    fields["schema"] = "widgetfleet/v1"
    fields["name"] = "random"
    if dice.oneIn(4) { fields["description"] = .quoted("drawn from a seed: \\\"any\\\"\\n") }
    fields["clock"] = clock()
    let size = devices ?? (dice.oneIn(8) ? dice.from(3...30) : dice.from(3...6))
    fields["run"] = run(devices: size, isFixed: devices != nil)
    if !dice.oneIn(3) { fields["app"] = app() }
    hasWindows = dice.oneIn(3)
    if hasWindows {
      fields["windows"] = .map([("evening", times().tree), ("=a <b>", times().tree)])
    }
    fields["kinds"] = .map(kinds.map { ($0, kind()) })
    tables(into: &fields)
    let system = dice.oneIn(4) ? nil : system()
    fields["fleet"] = fleet(devices: size, preset: system?.preset ?? "ios-26")
    if let system { fields["os"] = system.tree }
    fields["backend"] = backend()
    if !dice.oneIn(4) { fields["events"] = events() }
    if dice.oneIn(3) { fields["goals"] = goals() }
    return fields.tree
  }

  /// Draws the clock; steps divide the warm-up and duration, and are short for a backend with limits.
  private mutating func clock() -> Tree {
    day = dice.pick(Self.days)
    warmupDays = dice.from(0...1)
    durationDays = dice.oneIn(4) ? dice.from(2...3) : 1
    var fields = Fields()
    fields["start"] = .plain(day.0 + two(day.1) + dice.pick(["T00:00:00Z", "T01:30:00+01:00", "T00:00:00.250Z"]))
    if warmupDays == 1 {
      if dice.oneIn(2) { fields["warmup"] = dice.pick(["1d", "30h"]) }
    } else {
      fields["warmup"] = dice.pick(["0s", "6h", "90min"])
    }
    // Settling first simulates 128 phones per cohort for nine days, which is slow over a thousand scenarios.
    fields["settle"] = dice.oneIn(8) ? dice.pick(["1d", "12h"]) : "0s"
    if durationDays > 1 || dice.oneIn(2) {
      fields["duration"] = durationDays == 1 ? dice.pick(["1d", "30h"]) : "\(durationDays)d"
    }
    if limits || dice.oneIn(2) {
      fields["step"] = limits ? dice.pick(["5s", "10s"]) : dice.pick(["10s", "1min", "30s"])
    }
    return fields.tree
  }

  private mutating func run(devices: Int, isFixed: Bool) -> Tree {
    var fields = Fields()
    fields["seed"] = "\(dice.below(1_000_000))"
    if dice.oneIn(4) { fields["replications"] = isFixed ? "1" : "\(dice.from(1...2))" }
    if dice.oneIn(4) { fields["simulate"] = isFixed || dice.oneIn(2) ? "all" : "\(dice.from(1...devices))" }
    if dice.oneIn(4) { fields["device_rows"] = dice.oneIn(2) ? "all" : "\(dice.from(0...devices))" }
    return fields.tree
  }

  private mutating func app() -> Tree {
    var fields = Fields()
    if dice.oneIn(2) { fields["opens_per_day"] = number(0...12) }
    if dice.oneIn(2) { fields["foreground"] = distribution(seconds: 1...300) }
    if dice.oneIn(2) {
      var session = Fields()
      session["per_day"] = number(0...4)
      if dice.oneIn(2) { session["length"] = distribution(seconds: 60...3_600) }
      fields["audio_session"] = session.tree
    } else if dice.oneIn(3) {
      fields["audio_session"] = "none"
    }
    if !dice.oneIn(3) { fields["reloads"] = .list((0...dice.below(3)).map { _ in reload() }) }
    return fields.tree
  }

  private mutating func reload() -> Tree {
    let occasion = dice.pick(["open", "launch", "close", "change", "profile-switch", "background-refresh", "audio"])
    var fields = Fields()
    fields["when"] = .plain(occasion)
    switch occasion {
    case "open", "close": break
    case "launch": fields["share"] = share(0...100)
    case "audio": fields["every"] = duration(seconds: 60...1_800)
    default: fields["per_day"] = number(0...12)
    }
    fields["kinds"] = someKinds()
    for key in ["clears_cache", "fills_cache", "restarts"] where dice.oneIn(3) { fields[key] = flag() }
    return fields.tree
  }
}
