import Scenario
import SimulationKernel

/// `os`: the constants of the scheduler.
struct SystemBuilder {
  let os: Section

  /// A preset with the keys of the profile on top, and those given under `os` above both.
  func operatingSystem(preset: Preset) -> OperatingSystem {
    guard let node = os.node, let builder = profileBuilder else { return written(preset: preset) }
    return SystemBuilder(os: Section(node: builder.filled(node, .value), pattern: os.pattern)).written(preset: preset)
  }

  /// What the profile says; nil: there is none.
  var profile: SystemProfile? { profileBuilder?.build() }

  private var profileBuilder: ProfileBuilder? {
    guard let profile = os.node?["profile"], profile.pairs != nil else { return nil }
    return ProfileBuilder(profile: profile)
  }

  /// A preset with the keys given under `os` on top.
  func written(preset: Preset) -> OperatingSystem {
    var system = OperatingSystem(preset: preset)
    os.fill(&system)
    let budget = os.section("budget")
    if budget.written("capacity") != nil, let capacity = budget.capacity("capacity") {
      system.budget.capacity = capacity
    }
    if let idle = os.node?["idle"] { system.idle = idle.text == "none" ? nil : os.part("idle") }
    return system
  }

  /// The undocumented constants, and those of the profile, that are written.
  var givenConstants: Set<BracketConstant> {
    let measured = profile?.constants.map(\.constant) ?? []
    return Set((BracketConstant.undocumented + measured).filter { os.node?.below($0.rawValue) != nil })
  }
}

extension Section {
  fileprivate func capacity(_ key: String) -> Budget.Capacity? {
    guard let text = text(key) else {
      return value(key).flatMap { DistributionReader.read($0, Quantities.rate) }.map { .drawn($0) }
    }
    if text == "views" { return .views }
    do {
      guard text.contains("..") else { return .perDay(try Quantities.rate(text)) }
      let (from, to) = try Quantities.ends(text)
      return .range(try Quantities.rate(from), try Quantities.rate(to))
    } catch { return nil }
  }
}
