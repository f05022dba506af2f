/// What a request asks for, as its first line has it.
struct Target: BitwiseCopyable {
  /// Without query and fragment; empty: it asks for no path.
  var path = Text.empty
  var query = Text.empty

  init() {}

  /// `/path?query#fragment`, or with the scheme and the host before it; `*`, `host:443` and what is none of these have
  /// no path.
  @inline(__always) init(_ text: Text) {
    var text = text
    if text.count > 0, text[0] != UInt8(ascii: "/") {
      guard let start = Self.pathStart(text) else { return }
      text = text.from(start)
    }
    var end = text.count
    if let mark = text.place(of: UInt8(ascii: "#")) { end = mark }
    if let mark = text.upTo(end).place(of: UInt8(ascii: "?")) {
      query = text.slice(mark + 1, end)
      end = mark
    }
    path = text.upTo(end)
  }

  /// Where the path begins behind `https://host`.
  private static func pathStart(_ text: Text) -> Int? {
    guard let scheme = text.place(of: "://"), scheme < 12 else { return nil }
    return text.place(of: UInt8(ascii: "/"), from: scheme + 3)
  }

  /// The target of `GET /path HTTP/1.1`, which may hold spaces; a text without a space is garbage of some port scan.
  @inline(__always) static func ofRequest(_ line: Text) -> Text {
    guard let space = line.place(of: 0x20), space <= 16 else { return .empty }
    let rest = line.from(space + 1)
    // " HTTP/1.1"
    let version = rest.count - 9
    if version > 0, rest[version] == 0x20, rest[version + 1] == UInt8(ascii: "H") { return rest.upTo(version) }
    if let space = rest.place(of: " HTTP/") { return rest.upTo(space) }
    return rest
  }

  /// The value of a parameter; empty: it is not there.
  static func parameter(_ name: Text, in list: Text, separator: UInt8 = UInt8(ascii: "&")) -> Text {
    var place = 0
    while place < list.count {
      let end = list.place(of: separator, from: place) ?? list.count
      let pair = list.slice(place, end).trimmed
      if pair.count > name.count, pair[name.count] == UInt8(ascii: "="), pair.upTo(name.count) == name {
        return pair.from(name.count + 1)
      }
      place = end + 1
    }
    return .empty
  }
}
