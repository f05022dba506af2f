import Scenario
import SimulationKernel

/// A builder for reload policies and their date rules.
struct PolicyBuilder: PartBuilder {
  let draft: Draft

  /// Returns the policy; `nil` if the key is omitted or its value has a problem.
  func policy(_ section: Section, _ key: String) -> ReloadPolicy? {
    guard let node = section.value(key) else { return nil }
    if let word = node.text { return word == "at-end" ? .atEnd : word == "never" ? .never : nil }
    let policy = section.section(key)
    if let provider = policy.written("provider") { return code(provider, policy) }
    refuse(["version"], in: policy, besides: "'after'")
    requireDate(policy, key, section)
    guard let rules = rules(policy) else { return nil }
    let date = EarliestDate(
      rules, isFromData: policy.text("from") == "data", atLeast: policy.duration("at_least") ?? .zero)
    return date.simple ?? .earliest(date)
  }

  /// Rejects a mapping that allows a provider but has neither a provider nor a date; elsewhere, the table does so.
  private func requireDate(_ policy: Section, _ key: String, _ section: Section) {
    guard let pairs = policy.node?.pairs, policy.entry("provider") != nil, policy.written("after") == nil,
      !pairs.contains(where: { policy.entry($0.key) == nil && Spelling.hint($0.key, among: ["after"]) != nil })
    else { return }
    problems.add(
      .missingKey, at: span(of: key, in: section), "'reload' lacks the key 'after'", note: "'after' is required",
      help: policy.entry("after").map { Help($0.help) })
  }

  /// Returns the policy for the named code; adds a problem if there is no such code, or if its version differs.
  private func code(_ provider: Node, _ policy: Section) -> ReloadPolicy? {
    guard let name = provider.text else { return nil }
    refuse(["after", "from", "at_least"], in: policy, besides: "'provider'", help: "keep only one of them")
    let version = policy.written("version")
    guard let table = problems.files.providers else { return .provider(ProviderName(name, version: version?.text)) }
    guard let code = table[name] else {
      refuse(
        name, at: provider.span, "provider", note: "not in this program", among: table.names,
        otherwise: table.list)
      return nil
    }
    if let version, version.text != code.version {
      problems.add(
        .unknownName, at: version.span, "provider \(name.quoted) has version \(code.version.quoted) in this program",
        note: "another version", help: "remove 'version' to use the code of this program")
    }
    return .provider(ProviderName(name, version: code.version))
  }

  /// Returns the date rules given by `after`; `nil` if the key is omitted or has a problem.
  private func rules(_ policy: Section) -> [DateRule]? {
    guard let after = policy.written("after") else { return nil }
    guard let items = after.items else { return rules(policy.section("after"), span(of: "after", in: policy)) }
    if items.isEmpty { refuseEmpty("after", in: policy) }
    let read = policy.items("after").compactMap { rules($0, $0.node?.span.narrow) }
    return read.count == items.count && !read.isEmpty ? read.flatMap { $0 } : nil
  }

  /// Returns the rules for a single date, given as a time span, as `hint`, or as a mapping with `at` or `every`.
  private func rules(_ date: Section, _ place: Span?) -> [DateRule]? {
    guard let node = date.node else { return nil }
    if node.text == "hint" { return [.hint] }
    guard let pairs = node.pairs, !pairs.contains(where: { DistributionForm(rawValue: $0.key) != nil }) else {
      return Reading.spans(node).map { [.span($0)] }
    }
    let (at, every) = (date.written("at"), date.written("every"))
    let isForeign = pairs.contains { date.entry($0.key) == nil }
    if isForeign, at == nil, every == nil { return nil }
    guard (at == nil) != (every == nil) else {
      let what = at == nil ? "'after' lacks 'at' or 'every'" : "'at' and 'every' are mutually exclusive"
      problems.add(
        at == nil ? .missingKey : .conflictingKeys, at: place, what, note: at == nil ? "when?" : "which one?",
        help: at == nil ? .add("every", "1h") : "remove one of them")
      return nil
    }
    if let at { return clockRules(at, date) }
    if date.written("days") != nil {
      problems.add(
        .conflictingKeys, at: span(of: "days", in: date), "'days' requires 'at', not 'every'",
        note: "has no effect here",
        help: "for days, use a window under 'when'")
    }
    return date.duration("every").map { [.multiple(of: $0, zone: date.zone("zone"))] }
  }

  /// Returns the rules given by `at`: rules for times of day, followed by rules for instants.
  private func clockRules(_ at: Node, _ date: Section) -> [DateRule]? {
    let nodes = at.items ?? [at]
    if nodes.isEmpty { refuseEmpty("at", in: date) }
    let times = nodes.compactMap { Reading.read($0, CalendarText.timeOfDay) }
    let instants = nodes.compactMap { Reading.read($0, CalendarText.instant) }
    if times.isEmpty, !instants.isEmpty {
      refuse(["zone", "days"], in: date, besides: "instants")
    }
    let clock = times.isEmpty ? [] : [DateRule.clock(times, zone: date.zone("zone"), days: date.days("days") ?? [])]
    let rules = clock + (instants.isEmpty ? [] : [.instants(instants)])
    return rules.isEmpty ? nil : rules
  }

  func errorPolicy(_ section: Section) -> ErrorPolicy {
    if section.written("on_error")?.text == "retry-after" { return .retryAfter }
    let policy = section.section("on_error")
    guard let backoff = policy.written("backoff") else {
      if let written = section.written("on_error"), written.pairs?.isEmpty == true {
        problems.add(
          .missingKey, at: span(of: "on_error", in: section), "'on_error' lacks 'after' or 'backoff'", note: "when?",
          help: .add("after", "15min"))
      }
      return self.policy(section, "on_error").map { .reload($0) } ?? .retryAfter
    }
    refuse(["after"], in: policy, besides: "'backoff'", help: "keep only one of them")
    let delays: Backoff = policy.section("backoff").filled()
    if backoff.pairs != nil, delays.first > delays.maximum {
      problems.add(
        .wrongOrder, at: span(of: "backoff", in: policy), "'first' must not exceed 'max'",
        note: "longer than the longest", help: "max is \(QuantityText.duration(delays.maximum))")
    }
    return .backoff(delays)
  }

  /// Rejects `hint` if none of the kind's endpoints provides a hint.
  func checkHints(of kind: Kind, _ pair: Node.Pair) {
    guard kind.policies.contains(where: \.takesHint),
      !kind.requests.contains(where: { draft.endpoints[$0.endpoint].hint != nil })
    else { return }
    problems.add(
      .missingKey, at: pair.keySpan, "kind \(pair.key.quoted) follows a hint, but none of its endpoints has one",
      note: "no 'hint' at its endpoints", help: "give the endpoint a hint, such as hint: 10min")
  }
}

extension EarliestDate {
  /// The simple policy for the date; `nil` if the date has further conditions.
  fileprivate var simple: ReloadPolicy? {
    guard rules.count == 1, !isFromData, atLeast == .zero else { return nil }
    switch rules[0] {
    case .span(let span): return .after(span)
    case .clock(let times, let zone, let days):
      return times.count == 1 ? .afterClock(times[0], zone: zone, days: days) : nil
    case .multiple(of: let every, let zone): return .afterMultiple(of: every, zone: zone)
    case .instants, .hint: return nil
    }
  }
}
