import Scenario
import SimulationKernel

/// What a profile gives for a constant, in rising order.
enum MeasuredEnd: String, CaseIterable {
  case low, value, high
}

/// `os.profile`, checked.
struct ProfileBuilder {
  let profile: Node

  /// What it says; constants that cannot be read are left out.
  func build() -> SystemProfile {
    let section = Section(node: profile, pattern: "os.profile")
    var measurement: SystemProfile.Measurement = section.section("measured").filled()
    measurement.phones = (profile["measured"]?["phones"]?.pairs ?? []).compactMap { pair in
      count(pair.value).map { SystemProfile.PhoneCount(model: pair.key, count: $0) }
    }
    return SystemProfile(
      name: section.text("name") ?? "", measurement: measurement, constants: constants, values: system(.value),
      low: system(.low), high: system(.high))
  }

  /// The defaults with one end of every constant.
  func system(_ end: MeasuredEnd) -> OperatingSystem {
    let empty = Node(content: .mapping([]), span: profile.span)
    return SystemBuilder(os: Section(node: filled(empty, end), pattern: "os")).written(preset: .ios26)
  }

  /// What is written under `os`, with one end of the constants that are not.
  func filled(_ os: Node, _ end: MeasuredEnd) -> Node {
    pairs.reduce(os) { node, pair in
      guard let value = pair.value[end.rawValue] else { return node }
      return node.filling(pair.key.split(separator: ".").map(String.init)[...], with: value)
    }
  }

  private var pairs: [Node.Pair] { profile["os"]?.pairs ?? [] }

  private var constants: [MeasuredConstant] {
    pairs.compactMap { pair in
      guard let constant = BracketConstant(rawValue: pair.key),
        let method = pair.value["method"]?.text.flatMap(MeasuringMethod.init), let number = count(pair.value["n"])
      else { return nil }
      return MeasuredConstant(
        constant, method: method, observations: number, phones: count(pair.value["phones"]))
    }
  }

  private func count(_ node: Node?) -> Int? {
    node.flatMap { Reading.read($0, PlainNumbers.integer) }.flatMap { Int(exactly: $0) }
  }
}
