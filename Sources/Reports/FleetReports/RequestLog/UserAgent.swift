import Scenario

/// The User-Agent header that URLSession sends by default. It consists of the name and version of the bundle, and the
/// versions of CFNetwork and the kernel.
///
/// Apple does not document this format, so the version pairs are taken from real logs.
enum UserAgent {
  /// Returns the User-Agent of an app extension, which contains the name and version of the extension instead of the
  /// app's.
  static func ofExtension(kind: String, _ preset: Preset) -> [UInt8] {
    let words = kind.split { !($0.isLetter || $0.isNumber) }
    let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() + "WidgetExtension"
    return PercentEncoding.encoded(name) + Array("/\(build) \(system(preset))".utf8)
  }

  /// A typical CFBundleVersion of an app that is several years old.
  private static let build = 231

  private static func system(_ preset: Preset) -> String {
    switch preset {
    case .ios17: "CFNetwork/1474 Darwin/23.0.0"
    case .ios26, .prompt, .lazy, .watchFace, .developerMode: "CFNetwork/3860.100.1 Darwin/25.0.0"
    }
  }
}

/// The encoding of text in URLs (RFC 3986, 2.1).
enum PercentEncoding {
  /// Returns text in which all characters other than unreserved ones are encoded as `%` and two hexadecimal digits.
  ///
  /// - Parameter alsoDots: whether to encode dots as well, because they are used as separators.
  static func encoded(_ text: String, alsoDots: Bool = false) -> [UInt8] {
    text.utf8.flatMap { byte -> [UInt8] in
      isUnreserved(byte) && !(alsoDots && byte == UInt8(ascii: ".")) ? [byte] : triple(byte)
    }
  }

  /// Returns the three-byte percent-encoding of a byte.
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
