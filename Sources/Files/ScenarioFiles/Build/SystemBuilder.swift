import Scenario
import SimulationKernel

/// A builder for `os`, which contains the scheduling constants of the operating system.
struct SystemBuilder {
  let os: Section

  /// Returns the constants of a preset, overridden by the keys of the profile and then by those under `os`.
  func operatingSystem(preset: Preset) -> OperatingSystem {
    guard let node = os.node, let builder = profileBuilder else { return written(preset: preset) }
    return SystemBuilder(os: Section(node: builder.filled(node, .value), pattern: os.pattern)).written(preset: preset)
  }

  /// The measured profile; `nil` if the scenario does not name one.
  var profile: SystemProfile? { profileBuilder?.build() }

  private var profileBuilder: ProfileBuilder? {
    guard let profile = os.node?["profile"], profile.pairs != nil else { return nil }
    return ProfileBuilder(profile: profile)
  }

  /// Returns the constants of a preset, overridden by the keys under `os`.
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

  /// The assumed or measured constants that are set explicitly under `os`.
  var givenConstants: Set<BracketConstant> {
    let measured = profile?.constants.map(\.constant) ?? []
    return Set((BracketConstant.assumed + measured).filter { os.node?.below($0.rawValue) != nil })
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

/// A builder for `radios` and `phones`, which extend the built-in tables. It also resolves the names that cohorts use.
struct TableBuilder: PartBuilder {
  let draft: Draft

  /// Adds the radio profiles and phone models to the draft.
  func build() {
    draft.radios = listedRadios()
    draft.phones = listedPhones()
  }

  private func listedRadios() -> [RadioProfile] {
    root.named("radios").map { pair, section in
      refuseBuiltIn(pair, "radio", among: RadioProfile.allCases.map(\.rawValue))
      return radio(pair.key, section)
    }
  }

  private func listedPhones() -> [Phone] {
    (root.written("phones")?.pairs ?? []).map { pair in
      refuseBuiltIn(pair, "phone", among: Phone.all.map(\.name))
      let energy = Reading.read(pair.value, Quantities.battery)
      return Phone(name: pair.key, centiwattHours: Int(energy ?? 100), evidence: .scenario)
    }
  }

  private func refuseBuiltIn(_ pair: Node.Pair, _ what: String, among names: [String]) {
    guard names.contains(pair.key) else { return }
    problems.add(
      .duplicateName, at: pair.keySpan, "the \(what) \(pair.key.quoted) is built in", note: "cannot be redefined",
      help: .write("my-\(pair.key)"))
  }

  private func radio(_ name: String, _ section: Section) -> RadioProfile {
    let tails = section.items("tails").map { spell($0) }
    if tails.count > RadioProfile.maxTails {
      problems.add(
        .tooBig, at: span(of: "tails", in: section),
        "radio \(name.quoted) has \(tails.count) tails; at most \(RadioProfile.maxTails) are simulated",
        note: "too many", help: "remove some")
    }
    var radio = RadioProfile.wifi
    section.fill(&radio)
    radio.rawValue = name
    radio.promotion = spell(section.section("promotion"))
    radio.tails = tails
    radio.evidence = .scenario(tails: tails.count)
    return radio
  }

  private func spell(_ section: Section) -> RadioSpell {
    var spell = RadioSpell(.zero, Power(microwatts: 0))
    section.fill(&spell)
    return spell
  }

  // MARK: Names

  /// Returns the radio profile with the given name; for an unknown name, adds a problem and returns Wi-Fi.
  func radio(_ node: Node) -> RadioProfile {
    let known = RadioProfile.allCases + draft.radios
    guard let name = node.text, !node.isNull else { return .wifi }
    if let profile = known.first(where: { $0.rawValue == name }) { return profile }
    refuse(name, at: node.span, "radio", among: known.map(\.rawValue))
    return .wifi
  }

  /// Returns the radio profile for phones of a cohort that are not on Wi-Fi.
  func cellular(_ node: Node) -> RadioProfile {
    let profile = radio(node)
    if node.text == RadioProfile.wifi.rawValue {
      problems.add(
        .unknownWord, at: node.span, "'cellular' must be a radio other than 'wifi'", note: "phones switch between them",
        help: "for phones that are always on wifi, use network: wifi")
    }
    return profile
  }

  /// Returns the phone models and their shares; adds a problem for each unknown model.
  func phones(_ section: Section) -> [Weighted<String>] {
    let known = (Phone.all + draft.phones).map(\.name)
    for pair in section.written("phones")?.pairs ?? [] where !known.contains(pair.key) {
      refuse(pair.key, at: pair.keySpan, "phone", among: known)
    }
    return section.shares("phones")
  }

  private func refuse(_ name: String, at span: Span, _ what: String, among known: [String]) {
    refuse(
      name, at: span, what, note: "neither built in nor under \(what)s", among: known,
      otherwise: "\(what)s are \(known.map(\.quoted).joined(separator: ", "))")
  }
}
