/// Advice beside a diagnostic: a remark, and texts that mend the scenario, each of them valid at its place.
///
/// A literal is a remark and must not tell anybody what to write; what to write goes through `write` and its siblings, so
/// that tests can put every suggestion into the scenario and read it again.
package struct Help: Hashable, Sendable {
  /// One change that mends the scenario.
  package enum Mend: Hashable, Sendable {
    /// In place of the text above the carets.
    case replace(String)
    /// A key with its value, for the mapping that the carets point at.
    case add(key: String, value: String)
    /// A value elsewhere in the scenario, by its path.
    case set(path: String, value: String)
    /// Values elsewhere, by their paths, that mend it together.
    case setAll([Value])

    /// A value by its path.
    package struct Value: Hashable, Sendable {
      package var path: String
      package var value: String
    }

    /// As it stands in the message.
    package var text: String {
      switch self {
      case .replace(let text): text
      case .add(let key, let value): "\(key): \(value)"
      case .set(let path, let value): "\(path): \(value)"
      case .setAll(let values): values.map { "\($0.path): \($0.value)" }.joined(separator: " and ")
      }
    }
  }

  private enum Lead: Hashable, Sendable {
    case write, like, meant
  }

  private var lead: Lead
  /// Any one of them mends the scenario.
  package private(set) var mends: [Mend]
  /// What the mends do not say.
  package var remark: String

  private init(_ lead: Lead, _ mends: [Mend], _ remark: String = "") {
    (self.lead, self.mends, self.remark) = (lead, mends, remark)
  }

  /// A remark alone.
  package init(_ remark: String) { self.init(.write, [], remark) }

  /// What is meant, in place of the text above the carets.
  static func write(_ texts: String...) -> Help { Help(.write, texts.map { .replace($0) }) }

  static func write(_ texts: [String]) -> Help { Help(.write, texts.map { .replace($0) }) }

  /// An example of what may stand in place of the text above the carets.
  static func write(like example: String) -> Help { Help(.like, [.replace(example)]) }

  /// The word that was probably meant.
  static func meant(_ word: String) -> Help { Help(.meant, [.replace(word)]) }

  /// A key that is missing, with values that it may have.
  static func add(_ key: String, _ values: String...) -> Help { Help(.write, values.map { .add(key: key, value: $0) }) }

  /// A value of a key elsewhere, by its path.
  static func set(_ path: String, _ value: String) -> Help { Help(.write, [.set(path: path, value: value)]) }

  /// Values of keys elsewhere that mend it together.
  static func setAll(_ values: [Mend.Value]) -> Help { Help(.write, [.setAll(values)]) }

  /// With a remark behind it.
  func and(_ remark: String) -> Help {
    var help = self
    help.remark = [self.remark, remark].filter { !$0.isEmpty }.joined(separator: "; ")
    return help
  }

  /// Without the replacements that do not hold; nil when nothing is left to say.
  func keeping(_ holds: (String) -> Bool) -> Help? {
    var help = self
    help.mends = mends.filter { if case .replace(let text) = $0 { holds(text) } else { true } }
    return help.mends.isEmpty && help.remark.isEmpty ? nil : help
  }

  /// The whole of it as one line.
  package var text: String { [advice, remark].filter { !$0.isEmpty }.joined(separator: "; ") }

  private var advice: String {
    var texts = mends.map(\.text.printable)
    // Of several values of one key the key is said once.
    if case .add(let key, _)? = mends.first {
      texts = texts.prefix(1) + texts.dropFirst().map { String($0.dropFirst(key.count + 2)) }
    }
    guard let last = texts.popLast() else { return "" }
    let all = texts.isEmpty ? last : texts.joined(separator: ", ") + " or " + last
    switch lead {
    case .write: return "write " + all
    case .like: return "write it like " + all
    case .meant: return "did you mean '\(all)'?"
    }
  }
}

extension Help: ExpressibleByStringInterpolation {
  package init(stringLiteral remark: String) { self.init(remark) }
}
