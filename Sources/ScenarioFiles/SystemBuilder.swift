import Scenario
import SimulationKernel

/// `os`: the constants of the scheduler.
struct SystemBuilder {
  let os: Section

  /// A preset with the keys given under `os` on top.
  func operatingSystem(preset: Preset) -> OperatingSystem {
    var system = OperatingSystem(preset: preset)
    os.fill(&system)
    let budget = os.section("budget")
    if budget.written("capacity") != nil, let capacity = budget.capacity("capacity") {
      system.budget.capacity = capacity
    }
    if let idle = os.node?["idle"] { system.idle = idle.text == "none" ? nil : os.part("idle") }
    return system
  }

  /// The undocumented constants that are written.
  var givenConstants: Set<UndocumentedConstant> {
    let given = UndocumentedConstant.allCases.filter { constant in
      let keys = constant.rawValue.split(separator: ".").map(String.init)
      let sections = keys.dropLast().reduce(os) { $0.section($1) }
      return keys.last.map { sections.written($0) != nil } ?? false
    }
    return Set(given)
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
