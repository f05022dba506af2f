import Scenario
import SimulationKernel

extension Scenario {
  /// The preset, the profile, and the keys on which every system of the scenario agrees: a cohort's own preset decides
  /// the others. The constants that a bracket replaces stay out (MODEL.md 4.8).
  var resolvedSystem: PlainValue {
    let preset = PlainValue.Pair(key: "preset", value: .text(os.preset.rawValue))
    let measured = profile.map { [PlainValue.Pair(key: "profile", value: $0.resolved)] } ?? []
    let others = fleet.cohorts.compactMap { $0.os.map { PlainValue.without(bracketConstants, $0.resolvedKeys) } }
    let given = PlainValue.without(bracketConstants, os.resolvedKeys)
    let common = others.reduce(given) { PlainValue.common($0, $1) }
    let notes: [PlainValue.Pair] =
      common == os.resolvedKeys ? [] : [.init(key: "x-resolved", value: .mapping(os.resolvedKeys))]
    return .mapping([preset] + measured + common + notes)
  }
}

extension PlainValue {
  /// The keys of `os` but for some constants.
  fileprivate static func without(_ constants: [BracketConstant], _ pairs: [Pair], below path: String = "")
    -> [Pair]
  {
    pairs.compactMap { pair in
      let key = path + pair.key
      if constants.contains(where: { $0.rawValue == key }) { return nil }
      guard case .mapping(let inner) = pair.value, constants.contains(where: { $0.rawValue.hasPrefix(key + ".") })
      else {
        return pair
      }
      return Pair(key: pair.key, value: .mapping(without(constants, inner, below: key + ".")))
    }
  }

  /// The keys that two mappings share with their values; mappings inside them likewise, but for `idle` and `<dist>`.
  fileprivate static func common(_ left: [Pair], _ right: [Pair]) -> [Pair] {
    left.compactMap { pair in
      guard let other = right.first(where: { $0.key == pair.key }) else { return nil }
      if pair == other { return pair }
      let isNested = ["start_delay", "stale_view_reload", "silent_push", "budget"].contains(pair.key)
      guard isNested, case .mapping(let inner) = pair.value, case .mapping(let outer) = other.value else { return nil }
      return Pair(key: pair.key, value: .mapping(common(inner, outer)))
    }
  }
}

extension OperatingSystem {
  /// Every key of `os` but the preset.
  var resolvedKeys: [PlainValue.Pair] {
    let capacity: PlainValue =
      switch budget.capacity {
      case .views: .text("views")
      case .perDay(let runs): .text(QuantityText.perDay(runs))
      case .range(let from, let to): .text("\(QuantityText.perDay(from))..\(QuantityText.perDay(to))")
      case .drawn(let runs): .distribution(runs)
      }
    return PlainValue.pairs(
      of: self, at: "os", ["idle": .mapping(idle, at: "os.idle"), "capacity": capacity])
  }
}
