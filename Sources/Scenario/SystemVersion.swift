/// A version of the system, as far as it is known: 26, 26.1.
package struct SystemVersion: Hashable, Sendable {
  private let parts: [Substring]

  /// The first numbers with dots between in a text: 26.1 of `iOS 26.1 (23B85)`; nil: there are none.
  package init?(_ text: String) {
    let isDigit = { (character: Character) in ("0"..."9").contains(character) }
    let numbers = text.drop { !isDigit($0) }.prefix { isDigit($0) || $0 == "." }
    parts = numbers.split(separator: ".")
    if parts.isEmpty { return nil }
  }

  /// Numbers with dots between.
  package var text: String { parts.joined(separator: ".") }

  /// Whether two versions agree as far as both are known.
  package func agrees(with other: SystemVersion) -> Bool { zip(parts, other.parts).allSatisfy { $0 == $1 } }
}

extension OperatingSystem {
  /// What `os.version` says, else the version that names the preset; nil: neither does.
  package var versionText: String? { version ?? preset.versionText }
}

extension Preset {
  /// nil for presets that are no system of their own.
  package var versionText: String? {
    switch self {
    case .ios26, .ios17: String(rawValue.drop { !$0.isNumber })
    case .prompt, .lazy, .watchFace, .developerMode: nil
    }
  }
}
