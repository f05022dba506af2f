import Scenario

extension SystemProfile {
  /// The profile as its file has it.
  var resolved: PlainValue {
    let phones = measurement.phones.map { PlainValue.Pair(key: $0.model, value: .count($0.count)) }
    let measured = PlainValue.pairs(
      of: measurement, at: "os.profile.measured", phones.isEmpty ? [:] : ["phones": .mapping(phones)])
    var pairs: [PlainValue.Pair] = [
      .init(key: "schema", value: .text(Self.schema)), .init(key: "name", value: .text(name)),
    ]
    if !measured.isEmpty { pairs.append(.init(key: "measured", value: .mapping(measured))) }
    pairs.append(.init(key: "os", value: .mapping(constants.map(resolved))))
    return .mapping(pairs)
  }

  private func resolved(_ measured: MeasuredConstant) -> PlainValue.Pair {
    let path = measured.constant.rawValue
    let ends = zip(MeasuredEnd.inFile, [values, low, high]).compactMap { end, system in
      PlainValue.mapping(system.resolvedKeys).value(at: path).map { PlainValue.Pair(key: end.rawValue, value: $0) }
    }
    var facts: [PlainValue.Pair] = [
      .init(key: "method", value: .text(measured.method.rawValue)),
      .init(key: "n", value: .count(measured.observations)),
    ]
    if let phones = measured.phones { facts.append(.init(key: "phones", value: .count(phones))) }
    return PlainValue.Pair(key: path, value: .mapping(ends + facts))
  }
}

extension MeasuredEnd {
  /// In the order in which files have them.
  fileprivate static let inFile: [MeasuredEnd] = [.value, .low, .high]
}

extension PlainValue {
  /// The value at a path of keys with dots between; nil: none.
  fileprivate func value(at path: String) -> PlainValue? {
    path.split(separator: ".").reduce(Optional(self)) { value, key in
      guard case .mapping(let pairs) = value else { return nil }
      return pairs.first { $0.key == key }?.value
    }
  }
}
