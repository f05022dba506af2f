import Scenario
import SimulationKernel

/// `radios` and `phones`: what the file adds to the built-in tables, and the names that cohorts use.
struct TableBuilder: PartBuilder {
  let draft: Draft

  /// Adds them to the draft.
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
      .duplicateName, at: pair.keySpan, "the \(what) \(pair.key.quoted) is built in", note: "has its own numbers",
      help: .write("my-\(pair.key)"))
  }

  private func radio(_ name: String, _ section: Section) -> RadioProfile {
    let tails = section.items("tails").map { spell($0) }
    if tails.count > RadioProfile.mostTails {
      problems.add(
        .tooBig, at: span(of: "tails", in: section),
        "radio \(name.quoted) has \(tails.count) tails; at most \(RadioProfile.mostTails) are simulated",
        note: "too many", help: "take some away")
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

  /// The profile of a name; a problem and wifi when there is none.
  func radio(_ node: Node) -> RadioProfile {
    let known = RadioProfile.allCases + draft.radios
    guard let name = node.text, !node.isNull else { return .wifi }
    if let profile = known.first(where: { $0.rawValue == name }) { return profile }
    refuse(name, at: node.span, "radio", among: known.map(\.rawValue))
    return .wifi
  }

  /// A profile for the time off wifi.
  func cellular(_ node: Node) -> RadioProfile {
    let profile = radio(node)
    if node.text == RadioProfile.wifi.rawValue {
      problems.add(
        .unknownWord, at: node.span, "'cellular' is another radio than 'wifi'", note: "that is what it changes with",
        help: "phones that are always on wifi have network: wifi")
    }
    return profile
  }

  /// Phones with their shares, their names checked.
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
