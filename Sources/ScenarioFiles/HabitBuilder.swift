import Scenario
import SimulationKernel

/// The habits of a cohort: of people, their networks and their chargers.
struct HabitBuilder: PartBuilder {
  let draft: Draft

  func person(_ section: Section) -> Person {
    let pages = shares(section.value("next_page"))
    return Person(
      unlocksPerDay: section.numberDistribution("unlocks_per_day") ?? .constant(0),
      dayVariation: section.number("day_variation"), hours: hours(section),
      session: section.distribution("session") ?? .constant(.zero),
      glancesPerUnlock: section.number("glances_per_unlock") ?? 0, homeVisits: section.number("home_visits") ?? 0,
      nextPageFromFirst: pages.first ?? .none, nextPageFromLater: pages.last ?? .none)
  }

  private func shares(_ node: Node?) -> [Share] {
    guard let node else { return [] }
    return (node.items ?? [node]).compactMap { item in
      Reading.read(item) { text throws(ValueProblem) in try Quantities.share(text) }
    }
  }

  func network(_ section: Section) -> NetworkHabits {
    let tables = TableBuilder(draft: draft)
    if let node = section.written("network"), node.text != nil { return .fixed(tables.radio(node)) }
    let network = section.section("network")
    let wifi = shares(network.value("wifi"))
    let offline = network.section("offline")
    let cellular = network.value("cellular").map { tables.cellular($0) }
    return .roaming(
      Roaming(
        wifiShare: wifi.count == 24 ? wifi : Array(repeating: wifi.first ?? .none, count: 24),
        dwell: network.duration("dwell") ?? .hour, cellular: cellular ?? .lte2021Verizon,
        offlineShare: offline.share("share") ?? .none, offlineMean: offline.duration("mean") ?? .minute))
  }

  func power(_ section: Section) -> PowerHabits {
    if section.text("power") == "mains" { return .mains }
    let power = section.section("power")
    return .battery(
      overnight: power.share("overnight") ?? .none, health: power.share("health") ?? .all,
      lowPowerMode: power.share("low_power_mode") ?? .none)
  }
}
