import Scenario

/// What URLSession sends as User-Agent when the app sets none: the bundle's name and version, those of CFNetwork and of
/// the kernel.
///
/// Apple documents none of it; the pairs of versions are those that logs show.
enum UserAgent {
  /// An extension's own name and version, not the app's.
  static func ofExtension(kind: String, _ preset: Preset) -> [UInt8] {
    let words = kind.split { !($0.isLetter || $0.isNumber) }
    let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() + "WidgetExtension"
    return PercentEncoding.encoded(name) + Array("/\(build) \(system(preset))".utf8)
  }

  /// CFBundleVersion of an app that is some years old.
  private static let build = 231

  private static func system(_ preset: Preset) -> String {
    switch preset {
    case .ios17: "CFNetwork/1474 Darwin/23.0.0"
    case .ios26, .prompt, .lazy, .watchFace, .developerMode: "CFNetwork/3860.100.1 Darwin/25.0.0"
    }
  }
}

/// Text in URLs (RFC 3986, 2.1).
enum PercentEncoding {
  /// A text of unreserved characters, all others as `%` and two digits.
  ///
  /// - Parameter alsoDots: for texts that dots part from others.
  static func encoded(_ text: String, alsoDots: Bool = false) -> [UInt8] {
    text.utf8.flatMap { byte -> [UInt8] in
      isUnreserved(byte) && !(alsoDots && byte == UInt8(ascii: ".")) ? [byte] : triple(byte)
    }
  }

  /// The three bytes that stand for one.
  private static func triple(_ byte: UInt8) -> [UInt8] {
    [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~".utf8.contains(byte)
    }
  }
}
