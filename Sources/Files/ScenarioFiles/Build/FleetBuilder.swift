import Scenario
import SimulationKernel

/// A builder for `fleet`: its cohorts and the widgets on their devices.
struct FleetBuilder: PartBuilder {
  let draft: Draft

  private static let maxInstances = 64

  func fleet() -> Fleet {
    let section = root.section("fleet")
    let items = section.items("cohorts")
    checkCohorts(items, section)
    let cohorts = items.map { cohort($0) }
    var fleet: Fleet = section.filled()
    fleet.cohorts = cohorts
    return fleet
  }

  private func checkCohorts(_ items: [Section], _ fleet: Section) {
    if fleet.written("cohorts")?.items?.isEmpty == true {
      refuseEmpty("cohorts", in: fleet, help: "a cohort is a part of the fleet with its own zones and widgets")
    }
    refuseRepeatedNames(items, of: "cohorts")
    checkShares(items, fleet)
  }

  private func checkShares(_ items: [Section], _ fleet: Section) {
    guard items.count > 1 || items.first?.node?["share"] != nil else { return }
    var total = 0.0
    var isComplete = true
    for item in items where item.node?.pairs != nil {
      if item.node?.hasOrMeans("share") == false {
        problems.add(
          .missingKey, at: place(item), "cohort \(cohortName(item)) lacks the key 'share'",
          note: "'share' is required", help: "share may be omitted only if there is a single cohort")
      }
      if let share = item.share("share") { total += share.fraction } else { isComplete = false }
    }
    guard isComplete, let span = span(of: "cohorts", in: fleet) else { return }
    problems.checkTotal(total, at: span, of: "the cohorts")
  }

  private func cohortName(_ section: Section) -> String { (section.text("name") ?? "?").quoted }

  private func cohort(_ section: Section) -> Cohort {
    let own: Preset? = section.written("os") == nil ? nil : section.word("os")
    let widgets = section.items("widgets").compactMap { placement($0) }
    let instances = widgets.reduce(0) { $0 + $1.members.count }
    if instances > Self.maxInstances {
      problems.add(
        .tooBig, at: span(of: "widgets", in: section),
        "a device of cohort \(cohortName(section)) may have \(instances) widgets; at most 64 are simulated",
        note: "too many", help: "remove some")
    }
    let (habits, system) = (HabitBuilder(draft: draft), SystemBuilder(os: root.section("os")))
    return .with { cohort in
      cohort.name = section.text("name") ?? ""
      cohort.share = section.share("share") ?? .all
      cohort.zones = section.shares("zones")
      cohort.phones = TableBuilder(draft: draft).phones(section)
      cohort.person = habits.person(section.section("person"))
      cohort.network = habits.network(section)
      cohort.power = habits.power(section)
      cohort.os = own.map { system.operatingSystem(preset: $0) }
      cohort.widgets = widgets
    }
  }

  private func placement(_ section: Section) -> Placement? {
    let place: Placement.Place =
      section.text("place") == nil ? .homePage(section.integer("page") ?? 1) : .lockScreen
    let share = section.share("share") ?? .all
    guard section.node?.pairs != nil else { return nil }
    guard section.node?["stack"] != nil else {
      checkWidgetKeys(section)
      return member(section).map {
        Placement(members: [$0], isStack: false, otherWeight: 0, place: place, share: share)
      }
    }
    return stack(section, place, share)
  }

  private func checkWidgetKeys(_ section: Section) {
    if section.node?.hasOrMeans("kind") == false {
      problems.add(
        .missingKey, at: section.node?.span.narrow, "the widget lacks the key 'kind'", note: "a kind or a stack",
        help: draft.kindNames.first.map { .add("kind", $0) })
    }
    guard section.written("place") != nil else { return }
    refuse(
      ["page", "family"], in: section, besides: "place: lock-screen",
      help: "the lock screen has no pages, and its widgets count as small")
  }

  private func member(_ section: Section) -> Placement.Member? {
    guard let kind = kind(section.written("kind")) else { return nil }
    let family = section.text("family").flatMap { KeyTable.families.firstIndex(of: $0) }
    return Placement.Member(
      kind: kind, family: family.flatMap { Family(rawValue: $0) } ?? .small, weight: weight(of: section))
  }

  private func weight(of section: Section) -> Double {
    section.entry("weight") == nil ? 1 : section.number("weight") ?? 1
  }

  private func stack(_ section: Section, _ place: Placement.Place, _ share: Share) -> Placement {
    refuse(
      ["kind", "family", "place"], in: section, besides: "'stack'", note: "belongs to the members",
      help: "a stack has members, a page and a share")
    var members: [Placement.Member] = []
    var other = 0.0
    for item in section.items("stack") {
      if item.node?["other"] != nil { other += item.number("other") ?? 0 }
      checkMemberKeys(item)
      if let member = member(item) { members.append(member) }
    }
    checkStack(section, members)
    return Placement(members: members, isStack: true, otherWeight: other, place: place, share: share)
  }

  private func checkMemberKeys(_ section: Section) {
    guard section.node?.pairs != nil else { return }
    let (hasKind, hasOther) = (section.node?.hasOrMeans("kind") == true, section.node?["other"] != nil)
    if !hasKind && !hasOther {
      problems.add(
        .missingKey, at: section.node?.span.narrow, "the member lacks the key 'kind'", note: "a kind or other",
        help: "a member is {kind: NAME, weight: 1} or {other: 4}")
    }
    guard hasOther else { return }
    refuse(
      ["kind", "family", "weight"], in: section, besides: "'other'", help: "other is the weight of other apps' members")
  }

  private func checkStack(_ section: Section, _ members: [Placement.Member]) {
    let items = section.items("stack")
    if !items.contains(where: { $0.node?["kind"] != nil }) {
      problems.add(
        .nothingThere, at: span(of: "stack", in: section), "'stack' has no member from this app",
        note: "at least one is needed")
    } else if !members.isEmpty, members.allSatisfy({ $0.weight == 0 }) {
      problems.add(
        .allZero, at: span(of: "stack", in: section), "all weights of the stack are 0", note: "none is ever shown",
        help: "give one of its members a weight above 0")
    }
  }
}

/// A builder for the habits of a cohort, such as the use of phones, networks and chargers.
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

/// The possible interpretations of shares without a percent sign: relative weights, or parts of the remainder.
struct MeantShares {
  private let total: Double
  /// The remainder after subtracting all shares that have a percent sign; `nil` if there are none.
  private let rest: Double?

  /// Determines the possible interpretations of shares without a percent sign.
  ///
  /// - Parameter pairs: the values and their shares.
  init(_ pairs: [Node.Pair]) {
    let bare = pairs.compactMap { Self.bare($0.value) }
    let shares = pairs.filter { Self.bare($0.value) == nil }.map { try? Quantities.share($0.value.text ?? "").fraction }
    let others = shares.compactMap { $0 }
    let isReadable = others.count == shares.count
    total = isReadable ? bare.reduce(0, +) : 0
    rest = others.contains { $0 > 0 } ? 1 - others.reduce(0, +) : nil
  }

  /// Returns a replacement for a share without a percent sign, such that all shares add up to 100 %; `nil` if there is
  /// none.
  func text(of pair: Node.Pair) -> String? {
    guard let number = Self.bare(pair.value), total > 0 else { return nil }
    let share = number / total * (rest ?? 1)
    guard share > 0, share <= 1 else { return nil }
    return PlainNumbers.text(shifting: (share * 1e11).rounded() / 1e11, by: 2) + "%"
  }

  /// Returns a positive number that is written without a unit; `nil` for any other value.
  private static func bare(_ node: Node) -> Double? {
    guard case .scalar(let text, isPlain: true) = node.content, let number = try? Decimal(text).double(shiftedBy: 0),
      number > 0
    else { return nil }
    return number
  }
}
