import Scenario
import SimulationKernel

/// `kinds`: the providers' code.
struct KindBuilder: PartBuilder {
  let draft: Draft

  func kind(named pair: Node.Pair, _ section: Section) -> Kind {
    let attempts = section.section("attempts")
    return Kind(
      name: pair.key, phases: phases(section, pair), windows: section.items("when").compactMap { window($0) },
      jitter: jitter(section), requests: requests(section), cache: cache(section), onError: errorPolicy(section),
      attempts: Attempts(
        count: attempts.smallInteger("count") ?? 1, backoff: attempts.duration("backoff") ?? .seconds(2)),
      isBackgroundSession: section.flag("background_session"), taps: taps(section),
      locationChangesPerDay: section.number("location_changes_per_day") ?? 0, isProtected: section.flag("protected"),
      crash: section.share("crash") ?? .none, staleAfter: section.duration("stale_after"),
      cpu: section.duration("cpu") ?? .zero)
  }

  private func phases(_ section: Section, _ pair: Node.Pair) -> [Phase] {
    guard let phases = section.written("phases") else {
      requireReload(section, pair)
      return [Phase(entries: entries(section), reload: policy(section, "reload") ?? .never)]
    }
    for key in ["entries", "reload"] where section.written(key) != nil {
      problems.add(
        .conflictingKeys, at: span(of: key, in: section), "'phases' stands in place of \(key.quoted)",
        note: "goes into the phases", help: "each phase has its own")
    }
    if phases.items?.isEmpty == true {
      problems.add(
        .nothingThere, at: span(of: "phases", in: section), "'phases' is empty", note: "at least one is needed")
    }
    return section.items("phases").map { Phase(entries: entries($0), reload: policy($0, "reload") ?? .never) }
  }

  private func requireReload(_ section: Section, _ pair: Node.Pair) {
    guard section.node?.pairs != nil, section.node?["reload"] == nil else { return }
    problems.add(
      .missingKey, at: pair.keySpan, "kind \(pair.key.quoted) lacks the key 'reload'", note: "'reload' is required",
      help: Help.add("reload", "1h", "at-end", "never").and("or phases"))
  }

  private func entries(_ section: Section) -> Entries {
    let entries = section.section("entries")
    return Entries(
      count: entries.smallInteger("count") ?? 1, every: entries.duration("every") ?? .hour,
      alignment: entries.text("align") == "wall" ? .wall : .run)
  }

  /// A policy; nil where it is left out or a problem has been found.
  func policy(_ section: Section, _ key: String) -> ReloadPolicy? {
    guard let node = section.value(key) else { return nil }
    if let word = node.text { return word == "at-end" ? .atEnd : word == "never" ? .never : nil }
    let policy = section.section(key)
    guard let after = policy.written("after"), let pairs = after.pairs,
      !pairs.contains(where: { DistributionForm(rawValue: $0.key) != nil })
    else { return policy.distribution("after").map { .after($0) } }
    return date(policy.section("after"), policy)
  }

  private func date(_ date: Section, _ policy: Section) -> ReloadPolicy? {
    let (at, every) = (date.written("at"), date.written("every"))
    let isForeign = date.node?.pairs?.contains { date.entry($0.key) == nil } ?? false
    if isForeign, at == nil, every == nil { return nil }
    guard (at == nil) != (every == nil) else {
      let what = at == nil ? "'after' lacks 'at' or 'every'" : "'at' and 'every' exclude each other"
      problems.add(
        at == nil ? .missingKey : .conflictingKeys, at: span(of: "after", in: policy), what,
        note: at == nil ? "when?" : "which of them?",
        help: at == nil ? .add("every", "1h") : "take one of them away")
      return nil
    }
    if every != nil, date.written("days") != nil {
      problems.add(
        .conflictingKeys, at: span(of: "days", in: date), "'days' goes with 'at', not with 'every'",
        note: "no use here",
        help: "use a window under when for days")
    }
    if at != nil {
      return date.time("at").map { .afterClock($0, zone: date.zone("zone"), days: date.days("days") ?? []) }
    }
    return date.duration("every").map { .afterMultiple(of: $0, zone: date.zone("zone")) }
  }

  private func window(_ section: Section) -> PolicyWindow? {
    let reload = policy(section, "reload")
    guard let from = section.time("from"), let to = section.time("to") else { return nil }
    if from == to {
      problems.add(
        .wrongOrder, at: section.written("to")?.span ?? section.node?.span.narrow, "the window ends where it begins",
        note: "nothing lies between", help: "a whole day goes from 00:00 to 24:00")
    }
    return reload.map {
      PolicyWindow(days: section.days("days") ?? [], from: from, to: to, zone: section.zone("zone"), reload: $0)
    }
  }

  private func errorPolicy(_ section: Section) -> ErrorPolicy {
    if section.written("on_error")?.text == "retry-after" { return .retryAfter }
    return policy(section, "on_error").map { .reload($0) } ?? .retryAfter
  }

  private func jitter(_ section: Section) -> Jitter? {
    guard section.written("jitter") != nil else { return nil }
    let jitter = section.section("jitter")
    return jitter.duration("up_to").map { Jitter(upTo: $0, scope: jitter.text("per") == "device" ? .device : .run) }
  }

  private func cache(_ section: Section) -> Cache? {
    guard section.written("cache") != nil else { return nil }
    let cache = section.section("cache")
    return Cache(
      ttl: cache.duration("ttl"), scope: cache.text("scope") == "instance" ? .instance : .kind,
      singleFlight: cache.flag("single_flight"))
  }

  private func taps(_ section: Section) -> Taps? {
    guard section.written("taps") != nil else { return nil }
    let taps = section.section("taps")
    return Taps(
      perDay: taps.number("per_day") ?? 0, burst: taps.smallInteger("burst") ?? 1, gap: taps.duration("gap") ?? .zero,
      reloads: taps.text("reloads") == "instance" ? .instance : .kind)
  }
}

extension KindBuilder {
  private static let mostRequests = 1_000

  private func requests(_ section: Section) -> [Request] {
    let requests = section.items("requests").compactMap { request($0) }
    let total = requests.reduce(0) { $0 + min($1.count, 1_000_000) }
    if total > Self.mostRequests {
      problems.add(
        .tooBig, at: span(of: "requests", in: section), "a run sends \(total) requests; at most 1 000 are simulated",
        note: "too many in all", help: "lower the counts")
    }
    return requests
  }

  private func request(_ section: Section) -> Request? {
    guard let name = section.written("endpoint")?.text else { return nil }
    return Request(
      endpoint: draft.endpoint(named: name), count: section.smallInteger("count") ?? 1, up: bytes(section, "up"),
      down: bytes(section, "down"))
  }

  /// A family that is left out takes the next smaller one that is given, else the next larger.
  private func bytes(_ section: Section, _ key: String) -> BytesByFamily {
    guard section.value(key)?.pairs != nil else { return BytesByFamily(all: section.size(key) ?? .zero) }
    let sizes = section.section(key)
    let given = KeyTable.families.map { sizes.size($0) }
    guard var last = given.lazy.compactMap({ $0 }).first else {
      problems.add(
        .nothingThere, at: span(of: key, in: section), "\(key.quoted) names no family", note: "at least one is needed",
        help: "families are \(KeyTable.families.joined(separator: ", "))")
      return BytesByFamily(all: .zero)
    }
    let filled = given.map { size -> ByteCount in
      last = size ?? last
      return last
    }
    return BytesByFamily(small: filled[0], medium: filled[1], large: filled[2], extraLarge: filled[3])
  }
}
