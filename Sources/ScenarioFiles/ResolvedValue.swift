import Scenario

/// Where a value of a resolved scenario was said.
package enum ValueOrigin: Hashable, Sendable {
  /// Nobody said it.
  case standard
  /// A preset of `os` differs from the built-in default.
  case preset(String)
  /// A line of the file.
  case line(Int)
  /// The assignment of this index.
  case assignment(Int)
  /// The profile of `os` has measured it.
  case profile(String)
}

/// A value of a resolved scenario with its path and its origin.
struct ResolvedValue {
  /// What follows a step down: a key, or a place in a list.
  enum Step: Hashable {
    case key(String)
    case item(Int)

    var text: String {
      switch self {
      case .key(let key): key
      case .item(let index): String(index)
      }
    }
  }

  var path: [Step]
  var value: PlainValue
  var origin: ValueOrigin
  /// Whether it is only a remark: the bracket varies it, so that writing it down would say something else.
  var isRemark: Bool
}

/// Takes a resolved scenario apart, beside the tree that it was made from.
struct ResolvedWalk {
  private let table = KeyTable.standard
  private let scenario: Scenario
  /// `os` as a file may say it: without what the bracket varies.
  private let writableSystem: PlainValue
  private(set) var values: [ResolvedValue] = []

  init(_ scenario: Scenario, writtenAs root: Node?) {
    self.scenario = scenario
    writableSystem = scenario.resolvedSystem
    walk(scenario.resolvedWithSystem, root, at: "", [])
  }

  private mutating func walk(
    _ value: PlainValue, _ node: Node?, at pattern: String, _ path: [ResolvedValue.Step],
    said: ValueOrigin? = nil
  ) {
    switch value {
    case .mapping(let pairs) where isTaken(apart: pairs, at: pattern):
      // A word in place of the mapping says all of it.
      let whole = said ?? (node == nil || node?.pairs != nil ? nil : origin(of: node))
      for pair in pairs {
        let child = table.child(pair.key, of: pattern)?.path ?? pattern + "." + pair.key
        walk(pair.value, self.node(pair.key, in: node, at: pattern), at: child, path + [.key(pair.key)], said: whole)
      }
    case .list(let items) where !items.isEmpty && table.child("*", of: pattern) != nil && items.allSatisfy(\.isMapping):
      let nodes = self.items(of: node, at: pattern)
      let whole = said ?? (nodes.count == items.count ? nil : origin(of: node))
      for (index, item) in items.enumerated() {
        let node = nodes.count == items.count ? nodes[index] : nil
        walk(item, node, at: pattern + ".*", path + [.item(index)], said: whole)
      }
    default:
      let origin = said ?? origin(of: node) ?? unsaid(value, at: pattern, path)
      values.append(ResolvedValue(path: path, value: value, origin: origin, isRemark: isRemark(path)))
    }
  }

  private func isTaken(apart pairs: [PlainValue.Pair], at pattern: String) -> Bool {
    !pairs.isEmpty && pairs.allSatisfy { $0.key.hasPrefix("x-") || table.child($0.key, of: pattern) != nil }
  }

  /// What is written for a key; a single phase may stand for the keys of its kind.
  private func node(_ key: String, in node: Node?, at pattern: String) -> Node? {
    let only = pattern == "kinds.*" ? node?["phases"]?.items : nil
    return node?[key] ?? (only?.count == 1 ? only?.first?[key] : nil)
  }

  /// The items of a list; of a stack the other apps' members last, as in the resolved form.
  private func items(of node: Node?, at pattern: String) -> [Node] {
    let items = node?.items ?? []
    guard pattern.hasSuffix(".stack") else { return items }
    return items.filter { $0["other"] == nil } + items.filter { $0["other"] != nil }
  }

  /// Where a node was written; the last assignment that changed a part of it.
  private func origin(of node: Node?) -> ValueOrigin? {
    guard let node else { return nil }
    let source = node.latestSource
    return source > 0 ? .assignment(source - 1) : .line(node.span.line)
  }

  /// Who decides what nobody wrote.
  private func unsaid(_ value: PlainValue, at pattern: String, _ path: [ResolvedValue.Step]) -> ValueOrigin {
    if pattern.hasSuffix(".x-os-resolved"), case .item(let cohort)? = path.dropLast().last {
      return .preset(scenario.fleet.cohorts[cohort].os?.preset.rawValue ?? "")
    }
    guard pattern.hasPrefix("os.") else { return .standard }
    if let profile = scenario.profile, pattern.hasPrefix("os.profile") || profile.holds(path, scenario) {
      return .profile(profile.name)
    }
    let standard = PlainValue.mapping(OperatingSystem(preset: .ios26).resolvedKeys)
    return standard.value(at: path.dropFirst()) == value ? .standard : .preset(scenario.os.preset.rawValue)
  }

  private func isRemark(_ path: [ResolvedValue.Step]) -> Bool {
    path.first == .key("os") && writableSystem.value(at: path.dropFirst()) == nil
  }
}

extension Scenario {
  /// Like `resolved`, with every key of `os`.
  fileprivate var resolvedWithSystem: PlainValue {
    guard case .mapping(let pairs) = resolved else { return resolved }
    let measured = profile.map { [PlainValue.Pair(key: "profile", value: $0.resolved)] } ?? []
    let system = [PlainValue.Pair(key: "preset", value: .text(os.preset.rawValue))] + measured + os.resolvedKeys
    return .mapping(pairs.map { $0.key == "os" ? .init(key: "os", value: .mapping(system)) : $0 })
  }
}

extension SystemProfile {
  /// Whether it decides a value below `os`.
  fileprivate func holds(_ path: [ResolvedValue.Step], _ scenario: Scenario) -> Bool {
    let key = path.dropFirst().map(\.text).joined(separator: ".")
    return constants.contains { $0.constant.rawValue == key && !scenario.givenConstants.contains($0.constant) }
  }
}

extension PlainValue {
  fileprivate var isMapping: Bool {
    if case .mapping = self { return true }
    return false
  }

  /// The value below some keys; nil: none.
  fileprivate func value(at path: some Collection<ResolvedValue.Step>) -> PlainValue? {
    guard let step = path.first else { return self }
    guard case .mapping(let pairs) = self, case .key(let key) = step else { return nil }
    return pairs.first { $0.key == key }?.value.value(at: path.dropFirst())
  }
}

extension Node {
  /// The highest source of itself and all below it; as deep as a file may nest.
  fileprivate var latestSource: Int {
    let below = (items ?? []).map(\.latestSource) + (pairs ?? []).map { max($0.keySpan.source, $0.value.latestSource) }
    return max(span.source, below.max() ?? 0)
  }
}
