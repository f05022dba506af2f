package import Planning
package import Scenario
import SimulationKernel

/// A reader for plan files (Docs/PLAN.md).
package struct PlanReader {
  package struct Outcome: Sendable {
    /// The plan; `nil` if `diagnostics` contains an error.
    package var plan: Plan?
    /// The window length for peaks; `nil` to choose it automatically.
    package var window: LoadWindow?
    package var diagnostics: [Diagnostic] = []
    /// The tree and its source texts, to which positions refer; `nil` if the file has problems.
    var checked: (root: Section, problems: ProblemList)?
  }

  private let root: Section
  private var problems: ProblemList

  /// Whether the schema named in a file is that of a plan.
  package static func isPlan(_ bytes: [UInt8]) -> Bool {
    SourceText(file: "", bytes, schema: "widgetfleet/plan/").isQuotable
  }

  package static func read(text bytes: [UInt8], fileName: String) -> Outcome {
    var problems = ProblemList(file: SourceText(file: fileName, bytes, schema: "widgetfleet/plan/v"))
    guard let written = TreeReader.read(source: 0, problems: &problems) else {
      return Outcome(diagnostics: problems.diagnostics)
    }
    if let schema = written["schema"], schema.text?.hasPrefix("widgetfleet/v") == true {
      problems.add(
        .unknownSchema, at: schema.span, "this is a scenario, not a plan", note: "a scenario",
        help: "a plan names this file under its key 'from'; 'widgetfleet init plan' creates one")
      return Outcome(diagnostics: problems.diagnostics)
    }
    let node = Shorthand.expand(written, at: "plan")
    var check = TreeCheck(problems: problems)
    check.checkPlan(node)
    problems = check.problems
    guard problems.isEmpty else { return Outcome(diagnostics: problems.diagnostics) }
    var reader = PlanReader(root: Section(node: node, pattern: "plan"), problems: problems)
    let plan = reader.plan()
    let window = reader.root.text("window").flatMap { name in LoadWindow.allCases.first { $0.name == name } }
    guard reader.problems.isEmpty else { return Outcome(diagnostics: reader.problems.diagnostics) }
    return Outcome(plan: plan, window: window, checked: (reader.root, reader.problems))
  }

  private mutating func plan() -> Plan {
    var plan = Plan()
    plan.name = root.text("name") ?? ""
    plan.description = root.text("description") ?? ""
    plan.base = root.text("from") ?? root.section("from").text("old") ?? ""
    plan.next = root.section("from").text("new")
    plan.start = date(root.value("start")) ?? plan.start
    plan.days = root.integer("days") ?? plan.days
    plan.currency = root.text("currency") ?? ""
    plan.active = root.share("active")?.fraction
    plan.growth = growth(from: plan.start)
    plan.keep = retention()
    plan.rollout = rollout(from: plan.start, hasNew: plan.next != nil)
    plan.calendar = calendar()
    plan.capacity = root.named("capacity").map { capacity($0.pair, $0.section) }
    plan.prices = root.items("prices").map { price($0) }
    for (price, section) in zip(plan.prices, root.items("prices")) where price.quantity == .unitHours {
      let has = plan.capacity.contains { $0.unit != nil && (price.endpoint == nil || price.endpoint == $0.endpoint) }
      if has { continue }
      problems.add(
        .unknownName, at: section.value("of")?.span, "no capacity is given in units, so there are no unit hours",
        note: "of which units?", help: "capacity.ENDPOINT.unit is the load that one unit serves")
    }
    return plan
  }

  // MARK: Dates

  private mutating func date(_ node: Node?) -> LocalDay? {
    guard let node, let text = node.text else { return nil }
    return date(text, at: node.span)
  }

  private mutating func date(_ text: String, at span: Span) -> LocalDay? {
    if let instant = text.count == 10 ? try? CalendarText.instant(text + "T00:00:00Z") : nil {
      return LocalDay(number: instant / TimeAmount.day.milliseconds)
    }
    problems.add(
      .badInstant, at: span, "\(text.quoted) is not a date", note: "not a date", help: .write(like: "2027-01-01"))
    return nil
  }

  /// Returns the entries of a mapping with dates as keys, sorted by date.
  private mutating func dates<Value>(
    _ node: Node?, _ name: String, _ parse: (String) throws(ValueProblem) -> Value
  ) -> [(day: LocalDay, value: Value)] {
    pairs(node, name).compactMap { pair in
      guard let day = date(pair.key, at: pair.keySpan), let value = value(pair, parse) else { return nil }
      return (day, value)
    }.sorted { $0.day < $1.day }
  }

  private mutating func pairs(_ node: Node?, _ name: String) -> [Node.Pair] {
    guard let node else { return [] }
    if let pairs = node.pairs { return pairs }
    problems.add(
      .wrongShape, at: node.span, "\(name.quoted) takes keys with values, not \(node.shape)",
      note: "\(node.shape) here", help: root.entry(name).map { Help($0.help) })
    return []
  }

  private mutating func value<Value>(
    _ pair: Node.Pair, _ parse: (String) throws(ValueProblem) -> Value
  ) -> Value? {
    guard let text = pair.value.text else {
      problems.add(
        .wrongShape, at: pair.value.span, "\(pair.key.quoted) takes one value, not \(pair.value.shape)",
        note: "\(pair.value.shape) here")
      return nil
    }
    do { return try parse(text) } catch {
      problems.add(error, of: pair.key.quoted, at: pair.value.span)
      return nil
    }
  }

  // MARK: Parts

  private static let laws = ["table", "linear", "exponential", "logistic", "bass"]

  private mutating func growth(from start: LocalDay) -> PhoneGrowth {
    let section = root.section("growth")
    var growth = PhoneGrowth()
    growth.start = Double(section.count("devices") ?? 0)
    let given = Self.laws.compactMap { law in section.node?.pairs?.first { $0.key == law } }
    if given.count > 1 {
      problems.add(
        .conflictingKeys, at: given[1].keySpan,
        "\(given[0].key.quoted) and \(given[1].key.quoted) are two growth laws",
        note: "the second law", help: "keep one of them")
    }
    switch given.first?.key {
    case "table":
      let points = dates(section.written("table"), "growth.table", Quantities.count)
      if let early = points.first(where: { $0.day <= start }) {
        problems.add(
          .wrongOrder, at: section.written("table")?.span, "\(early.day.text) is not after the plan's start",
          note: "the first day uses growth.devices", help: "dates must be after start")
      }
      growth.law = .table(points.map { .init(day: Int($0.day.number - start.number), phones: Double($0.value)) })
    case "linear": growth.law = .linear(section.read("linear", Quantities.perSecond).map { $0 * 86_400 } ?? 0)
    case "exponential": growth.law = .exponential(section.share("exponential")?.fraction ?? 0)
    case "logistic":
      let part = section.section("logistic")
      growth.law = .logistic(
        ceiling: Double(part.count("ceiling") ?? 1), rate: part.share("rate")?.fraction ?? 0,
        midpoint: part.duration("midpoint").map { $0.seconds / 86_400 })
    case "bass":
      let part = section.section("bass")
      growth.law = .bass(
        ceiling: Double(part.count("ceiling") ?? 1), innovation: part.number("innovation") ?? 0,
        imitation: part.number("imitation") ?? 0)
    default: break
    }
    return growth
  }

  private mutating func retention() -> Retention? {
    guard let node = root.written("keep") else { return nil }
    var retention = Retention([])
    for pair in pairs(node, "keep") {
      guard let share = value(pair, Quantities.share)?.fraction else { continue }
      if pair.key == "floor" {
        retention.floor = share
        continue
      }
      let age: TimeAmount
      do { age = try Quantities.duration(pair.key) } catch {
        problems.add(error, of: pair.key.quoted, at: pair.keySpan)
        continue
      }
      let days = age.milliseconds / TimeAmount.day.milliseconds
      if days < 1 || age.milliseconds % TimeAmount.day.milliseconds != 0 {
        problems.add(
          .outOfRange, at: pair.keySpan, "\(pair.key.quoted) is not a whole number of days", note: "an age in days",
          help: .write(like: "7d"))
      }
      retention.points.append(.init(day: Int(days), share: share))
    }
    retention.points.sort { $0.day < $1.day }
    if zip(retention.points, retention.points.dropFirst()).contains(where: { $0.share < $1.share }) {
      problems.add(
        .wrongOrder, at: node.span, "the shares of 'keep' rise with age", note: "phones that left do not come back",
        help: "shares must fall or stay the same")
    }
    return retention
  }

  private mutating func rollout(from start: LocalDay, hasNew: Bool) -> Rollout {
    let section = root.section("rollout")
    var rollout = Rollout()
    if !hasNew {
      if section.node != nil {
        problems.add(
          .missingKey, at: section.node?.span, "there is no new version to release", note: "a release of what?",
          help: "from: {old: FILE, new: FILE} names both versions")
      }
      return rollout
    }
    rollout.automatic = section.share("automatic")?.fraction ?? rollout.automatic
    rollout.manual = section.share("manual")?.fraction ?? rollout.manual
    if let day = date(section.written("start")) { rollout.start = Int(day.number - start.number) }
    let stages = section.value("stages")
    if let pairs = stages?.pairs {
      rollout.stages = .staged(
        pairs.compactMap { pair in
          guard let age = try? Quantities.duration(pair.key), let share = value(pair, Quantities.share) else {
            problems.add(
              .unreadable, at: pair.keySpan, "\(pair.key.quoted) is not a time after the start", note: "not a time",
              help: .write(like: "3d"))
            return nil
          }
          return .init(day: Int(age.milliseconds / TimeAmount.day.milliseconds), share: share.fraction)
        }.sorted { $0.day < $1.day })
    } else {
      rollout.stages = stages?.text == "at-once" ? .atOnce : .phased
    }
    return rollout
  }

  private mutating func calendar() -> TrafficCalendar {
    let section = root.section("calendar")
    var calendar = TrafficCalendar()
    calendar.setWeekdays(
      (section.written("weekdays")?.items ?? []).compactMap { Reading.read($0, PlainNumbers.number) })
    calendar.spans = dates(section.written("dates"), "calendar.dates", PlainNumbers.number).map { day, factor in
      .init(name: day.text, from: day, to: day, factor: factor)
    }
    for campaign in section.items("campaigns") {
      guard let from = date(campaign.value("from")), let to = date(campaign.value("to")) else { continue }
      if to < from {
        problems.add(
          .wrongOrder, at: campaign.value("to")?.span, "the campaign ends before it starts", note: "the last day",
          help: .write(like: from.text))
      }
      calendar.spans.append(
        .init(name: campaign.text("name") ?? "", from: from, to: to, factor: campaign.number("factor") ?? 1))
    }
    return calendar
  }

  private mutating func capacity(_ pair: Node.Pair, _ section: Section) -> PlannedCapacity {
    var capacity = PlannedCapacity(endpoint: pair.key)
    capacity.unit = section.read("unit", Quantities.perSecond)
    capacity.target = section.share("target")?.fraction ?? 1
    capacity.lead = Int((section.duration("lead")?.seconds ?? 0) / 86_400)
    let units = section.integer("units").map(Double.init)
    capacity.amount = capacity.unit == nil ? section.read("load", Quantities.perSecond) : units
    if (capacity.unit != nil) == (section.written("load") != nil) {
      problems.add(
        .conflictingKeys, at: pair.keySpan, "\(pair.key.quoted) takes either a load or the load of a unit",
        note: "one of them is needed", help: "load: 7k/s, or {unit: 200/s, units: 40}")
    }
    if capacity.target == 0 {
      problems.add(
        .outOfRange, at: section.value("target")?.span, "a utilisation of 0 % needs infinite capacity",
        note: "too small",
        help: .write(like: "70%"))
    }
    return capacity
  }

  private mutating func price(_ section: Section) -> Price {
    var price = Price()
    price.name = section.text("name") ?? ""
    price.quantity = Price.Quantity(rawValue: section.text("of") ?? "") ?? .requests
    price.endpoint = section.text("endpoint")
    if price.quantity == .pushes, let node = section.written("endpoint") {
      problems.add(
        .conflictingKeys, at: node.span, "pushes do not go to an endpoint", note: "has no effect here",
        help: "remove 'endpoint'")
    }
    price.per = max(amount(section, "per", of: price) ?? 1, 1)
    price.free = amount(section, "free", of: price) ?? 0
    guard let node = section.value("price") else { return price }
    price.tiers =
      node.items == nil
      ? [.init(upTo: nil, micros: micros(node))]
      : section.items("price").map { tier in
        .init(upTo: amount(tier, "up_to", of: price), micros: tier.value("at").map { micros($0) } ?? 0)
      }
    let ends = price.tiers.dropLast().map { $0.upTo ?? 0 }
    if price.tiers.isEmpty || price.tiers.last?.upTo != nil || zip([0] + ends, ends).contains(where: { $0 >= $1 }) {
      problems.add(
        .wrongOrder, at: node.span.narrow, "a price's tiers must rise, and the last must be open-ended",
        note: "tiers here", help: "for example [{up_to: 300M, at: 1.00}, {at: 0.90}]")
    }
    return price
  }

  /// Returns a number of requests, bytes or hours; `nil` if the key is omitted.
  private mutating func amount(_ section: Section, _ key: String, of price: Price) -> Int64? {
    guard let node = section.value(key), let text = node.text else { return nil }
    let isOfBytes = [.bytesUp, .bytesDown].contains(price.quantity)
    let value = isOfBytes ? (try? Quantities.size(text))?.bytes : try? Quantities.count(text)
    if value == 0, key == "per" {
      problems.add(
        .outOfRange, at: node.span, "'per' is 0", note: "too small", help: .write(like: isOfBytes ? "1GB" : "1M"))
    }
    if value == nil {
      problems.add(
        .unitUnknown, at: node.span, "\(key.quoted) is not a number of \(price.quantity.words)", note: "another unit",
        help: .write(like: isOfBytes ? "1GB" : "1M"))
    }
    return value
  }

  /// Returns an amount of money in millionths of a currency unit.
  private mutating func micros(_ node: Node) -> Int64 {
    do {
      return try Decimal(node.text ?? "").times(1_000_000)
    } catch {
      problems.add(
        error.code, at: node.span, "a price \(error.sentence)", note: "not an amount",
        help: "at most six decimals, such as 0.085")
      return 0
    }
  }
}

extension TreeCheck {
  /// Checks the tree of a plan file against the key table.
  fileprivate mutating func checkPlan(_ root: Node) {
    guard let pairs = root.pairs else {
      problems.add(
        .wrongShape, at: root.span, "a plan is a mapping, not \(root.shape)", note: "keys and values expected",
        help: "it begins with schema: widgetfleet/plan/v1")
      return
    }
    checkMapping(pairs, at: "plan", Place(key: "", span: root.span.narrow, owner: "the plan"), noun: "a plan")
  }
}
