import Scenario
import SimulationKernel

/// The habits of a cohort: of people, their networks and their chargers.
struct HabitBuilder: PartBuilder {
  let draft: Draft

  func person(_ section: Section) -> Person {
    let pages = shares(section.value("next_page"))
    var person: Person = section.filled()
    person.hours = hours(section)
    person.nextPageFromFirst = pages.first ?? .none
    person.nextPageFromLater = pages.last ?? .none
    return person
  }

  private func shares(_ node: Node?) -> [Share] {
    guard let node else { return [] }
    return (node.items ?? [node]).compactMap { Reading.read($0, Quantities.share) }
  }

  func network(_ section: Section) -> NetworkHabits {
    let tables = TableBuilder(draft: draft)
    if let node = section.written("network"), node.text != nil { return .fixed(tables.radio(node)) }
    let network = section.section("network")
    let wifi = shares(network.value("wifi"))
    var roaming: Roaming = network.filled()
    roaming.wifiShare = wifi.count == 24 ? wifi : Array(repeating: wifi.first ?? .none, count: 24)
    if let cellular = network.value("cellular") { roaming.cellular = tables.cellular(cellular) }
    return .roaming(roaming)
  }

  func power(_ section: Section) -> PowerHabits {
    if section.text("power") == "mains" { return .mains }
    return .battery(section.section("power").filled())
  }
}
