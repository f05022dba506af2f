import Scenario
import SimulationKernel

extension ScenarioBuilder {
  mutating func person(_ section: Section) -> Person {
    let pages = shares(section.value("next_page"))
    return Person(
      unlocksPerDay: section.numberDistribution("unlocks_per_day") ?? .constant(0),
      dayVariation: section.number("day_variation"), hours: hours(section),
      session: section.distribution("session") ?? .constant(.zero),
      glancesPerUnlock: section.number("glances_per_unlock") ?? 0, homeVisits: section.number("home_visits") ?? 0,
      nextPageFromFirst: pages.first ?? .none, nextPageFromLater: pages.last ?? .none)
  }

  mutating func hours(_ section: Section) -> HourWeights {
    guard let node = section.value("hours"), let items = node.items else {
      return section.text("hours") == "flat" ? .flat : .default
    }
    let weights = items.compactMap { item in
      Reading.read(item) { text throws(ValueProblem) in try PlainNumbers.number(text) }
    }
    guard weights.count == 24, items.count == 24 else { return .flat }
    if weights.allSatisfy({ $0 == 0 }) {
      problems.add(
        .allZero, at: span(of: "hours", in: section), "all weights of 'hours' are 0", note: "when, then?",
        help: "give an hour a weight above 0; flat makes all alike")
    }
    return HourWeights(weights: weights)
  }

  private func shares(_ node: Node?) -> [Share] {
    guard let node else { return [] }
    return (node.items ?? [node]).compactMap { item in
      Reading.read(item) { text throws(ValueProblem) in try Quantities.share(text) }
    }
  }

  mutating func network(_ section: Section) -> NetworkHabits {
    if let node = section.written("network"), node.text != nil { return .fixed(radio(node)) }
    let network = section.section("network")
    let wifi = shares(network.value("wifi"))
    let offline = network.section("offline")
    let cellular = network.value("cellular").map { node in self.cellular(node) }
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
