import Scenario
import SimulationKernel

/// A builder for `kinds`, which model the code of widget timeline providers.
struct KindBuilder: PartBuilder {
  let draft: Draft
  private var policies: PolicyBuilder { PolicyBuilder(draft: draft) }

  func kind(named pair: Node.Pair, _ section: Section) -> Kind {
    var kind: Kind = section.filled()
    kind.name = pair.key
    kind.phases = phases(section, pair)
    kind.windows = section.items("when").compactMap { window($0) }
    kind.jitter = section.part("jitter")
    kind.requests = requests(section)
    policies.checkHints(of: kind, pair)
    kind.cache = section.part("cache")
    kind.onError = policies.errorPolicy(section)
    if let provider = kind.provider {
      refuse(["entries", "when", "on_error"], in: section, besides: "a provider", help: "the provider's code decides")
      kind.follow(provider)
    }
    kind.taps = section.part("taps")
    kind.taps?.requests = requests(section.section("taps"))
    return kind
  }

  private func phases(_ section: Section, _ pair: Node.Pair) -> [Phase] {
    guard let phases = section.written("phases") else {
      requireReload(section, pair)
      return [phase(section)]
    }
    for key in ["entries", "reload"] where section.written(key) != nil {
      problems.add(
        .conflictingKeys, at: span(of: key, in: section), "'phases' replaces \(key.quoted)",
        note: "belongs in the phases", help: "each phase has its own")
    }
    if phases.items?.isEmpty == true {
      refuseEmpty("phases", in: section)
    }
    let total = (section.items("phases").dropLast().reduce(0) { $0 + min($1.integer("repeat") ?? 1, 10_000) })
    if total > Self.maxPhases {
      problems.add(
        .tooBig, at: span(of: "phases", in: section),
        "the phases before the last add up to \(total.grouped) runs; at most 10 000 are simulated",
        note: "too many in total", help: "repeat them less often")
    }
    var read = section.items("phases").map { phase($0) }
    if let last = read.indices.last { read[last].repeats = 1 }
    return read
  }

  private static let maxPhases = 10_000

  private func requireReload(_ section: Section, _ pair: Node.Pair) {
    guard let node = section.node, node.pairs != nil, !node.hasOrMeans("reload") else { return }
    problems.add(
      .missingKey, at: pair.keySpan, "kind \(pair.key.quoted) lacks the key 'reload'", note: "'reload' is required",
      help: Help.add("reload", "1h", "at-end", "never").and("or phases"))
  }

  private func phase(_ section: Section) -> Phase {
    var phase: Phase = section.filled()
    phase.reload = policies.policy(section, "reload") ?? .never
    return phase
  }

  private func window(_ section: Section) -> PolicyWindow? {
    let reload = policies.policy(section, "reload")
    guard let (time, name) = WindowBuilder(draft: draft).time(ofPolicy: section) else { return nil }
    return reload.map {
      var window = PolicyWindow(time, name: name, reload: $0)
      window.jitter = section.part("jitter")
      window.staleAfter = section.duration("stale_after")
      return window
    }
  }

  private static let maxRequests = 1_000

  private func requests(_ section: Section) -> [Request] {
    let requests = section.items("requests").compactMap { request($0) }
    let total = requests.reduce(0) { $0 + min($1.count, 1_000_000) }
    if total > Self.maxRequests {
      problems.add(
        .tooBig, at: span(of: "requests", in: section), "a run sends \(total) requests; at most 1 000 are simulated",
        note: "too many in total", help: "lower the counts")
    }
    return requests
  }

  private func request(_ section: Section) -> Request? {
    guard let name = section.written("endpoint")?.text else { return nil }
    var request: Request = section.filled()
    request.endpoint = draft.endpoint(named: name)
    request.up = bytes(section, "up")
    request.down = bytes(section, "down")
    return request
  }

  /// Returns the size in bytes for each family. A family without a size uses the size of the next smaller family that
  /// has one, or else that of the next larger one.
  private func bytes(_ section: Section, _ key: String) -> BytesByFamily {
    guard section.value(key)?.pairs != nil else { return BytesByFamily(all: section.size(key) ?? .zero) }
    let sizes = section.section(key)
    let given = KeyTable.families.map { sizes.size($0) }
    guard var last = given.lazy.compactMap({ $0 }).first else {
      problems.add(
        .nothingThere, at: span(of: key, in: section), "\(key.quoted) lists no family", note: "at least one is needed",
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

/// A builder for `app`: the containing app and the reloads that it requests.
struct AppBuilder: PartBuilder {
  let draft: Draft

  func app() -> App {
    let section = root.section("app")
    var app: App = section.filled()
    app.audioSession = section.part("audio_session")
    app.reloads = section.items("reloads").compactMap { reload($0) }
    return app
  }

  private func reload(_ section: Section) -> AppReload? {
    let kinds = kinds(section.written("kinds"))
    guard let when = section.written("when")?.text else { return nil }
    checkOccasionKeys(section, when)
    guard let occasion = occasion(section, when) else { return nil }
    var reload: AppReload = section.filled()
    reload.occasion = occasion
    reload.kinds = kinds
    return reload
  }

  private static let ratedOccasions = ["change", "profile-switch", "background-refresh"]

  private func checkOccasionKeys(_ section: Section, _ when: String) {
    guard ["open", "launch", "close", "audio"].contains(when) || Self.ratedOccasions.contains(when) else { return }
    let needed = Self.ratedOccasions.contains(when) ? "per_day" : ["audio": "every", "launch": "share"][when]
    for key in ["per_day", "every", "share"] {
      if key == needed, section.node?[key] == nil {
        problems.add(
          .missingKey, at: section.written("when")?.span, "a reload with when: \(when) lacks the key \(key.quoted)",
          note: "how often?", help: section.entry(key).map { Help($0.help) })
      } else if key != needed {
        refuse([key], in: section, besides: "when: " + when)
      }
    }
  }

  private func occasion(_ section: Section, _ when: String) -> AppReload.Occasion? {
    switch when {
    case "open": .open
    case "launch": section.share("share").map { .launch($0) }
    case "close": .close
    case "change": section.number("per_day").map { .change(perDay: $0) }
    case "profile-switch": section.number("per_day").map { .profileSwitch(perDay: $0) }
    case "background-refresh": section.number("per_day").map { .backgroundRefresh(perDay: $0) }
    case "audio": section.duration("every").map { .audio(every: $0) }
    default: nil
    }
  }
}
