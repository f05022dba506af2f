import RequestStatistics

/// The facts derived from a User-Agent string.
struct AgentFacts: BitwiseCopyable {
  var name = NameIndex.none
  var requestClass = RequestClass.unknown
  /// The major system version; 0 if unknown.
  var system: UInt8 = 0
  /// The index of the first rule given by the user that matches; the largest integer if no rule matches.
  var rule: Int32 = .max
}

/// A User-Agent parser.
///
/// URLSession sends `<bundle>/<build> CFNetwork/<version> Darwin/<version>`; an extension sends its own bundle name
/// with percent-encoding. Apple does not document this, but it was observed in public clients and logs.
struct AgentReader {
  /// The User-Agent text, with the escapes of nginx and CloudFront decoded.
  let text: [UInt8]
  private let lowered: [UInt8]
  private let isMozilla: Bool

  /// The maximum number of times that a text may be encoded; CloudFront encodes texts that are already encoded.
  private static let maxEncodings = 3

  init(_ raw: Text) {
    var text = Array(raw.bytes)
    for _ in 0..<Self.maxEncodings where text.contains(where: Escapes.mayBegin) { text = Escapes.percentAndHex(text) }
    self.text = text
    lowered = text.map(Letters.lower)
    isMozilla = text.withText { $0.hasPrefix("Mozilla/") }
  }

  /// The iOS version for each major version of Darwin.
  ///
  /// Source: Darwin releases. Since version 26, Apple numbers its systems by year.
  private static let systems: [Int: UInt8] = [20: 14, 21: 15, 22: 16, 23: 17, 24: 18, 25: 26, 26: 27]

  /// The major iOS version; 0 if unknown.
  var system: UInt8 {
    text.withText { text in
      // Only User-Agents of Macs contain the processor architecture.
      if text.contains("(x86_64)") || text.contains("(arm64)") { return 0 }
      if let darwin = Self.number(after: "Darwin/", text) { return Self.systems[darwin] ?? 0 }
      let found = Self.number(after: "iPhone OS ", text) ?? Self.number(after: "iOS ", text)
      return found.flatMap { (10..<64).contains($0) ? UInt8($0) : nil } ?? 0
    }
  }

  private static func number(after word: StaticString, _ text: Text) -> Int? {
    guard let place = text.place(of: word) else { return nil }
    let rest = text.from(place + word.utf8CodeUnitCount)
    return Digits.two(rest, 0)
  }

  private static let bots: [StaticString] = [
    "bot", "crawler", "spider", "slurp", "curl", "wget", "monitor", "healthcheck", "health-check", "uptime", "pingdom",
    "python-requests", "python-urllib", "go-http-client", "scan", "zgrab", "nagios", "prometheus",
  ]

  /// The class of the sender, as far as it can be derived from the User-Agent.
  var requestClass: RequestClass {
    text.withText { text in
      guard !text.isNone else { return .unknown }
      if !isMozilla, holds("widget") { return .widget }
      if !isMozilla, product.withText({ $0.contains("Extension") }) { return .otherExtension }
      if text.contains("CFNetwork/") { return .app }
      if Self.bots.contains(where: holds) { return .bot }
      if isMozilla { return .browser }
      return text.contains("Alamofire") || text.contains("iOS ") ? .app : .other
    }
  }

  /// Returns whether the User-Agent contains a word, ignoring case.
  private func holds(_ word: StaticString) -> Bool { lowered.withText { $0.contains(word) } }

  /// The product name, which is the text before the first slash.
  private var product: [UInt8] { Array(text.prefix { $0 != UInt8(ascii: "/") }) }

  /// The product name without its build number, plus `CFNetwork` and the Darwin version, so that many phones share one
  /// name.
  var name: [UInt8] {
    text.withText { text in
      guard !text.isNone else { return [] }
      var name = Self.words(product)
      if text.contains("CFNetwork/") { name += Array(" CFNetwork".utf8) }
      if let darwin = Self.number(after: "Darwin/", text) { name += Array(" Darwin/\(darwin)".utf8) }
      return name
    }
  }

  /// Returns the words in a product name, omitting words that may identify a person.
  private static func words(_ product: [UInt8]) -> [UInt8] {
    let words = product.prefix(64).split(separator: 0x20).prefix(6).map { NameCleaner.segment(Array($0)) }
    return Array(words.joined(separator: [0x20]))
  }
}
