import Scenario

/// What must hold of the bytes before YAML reads them.
enum TextCheck {
  /// 4 MB.
  static let mostBytes = 4_000_000

  /// A reason to refuse the text, at a byte of it.
  struct Refusal {
    var code: Code
    /// nil: the whole text.
    var offset: Int?
    var sentence: String
    var note: String
    var help: Help
  }

  /// The text without a byte order mark.
  static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
  }

  /// The first reason to refuse, or nil.
  static func refusal(of bytes: [UInt8]) -> Refusal? {
    if bytes.count > mostBytes { return tooLarge }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || isWideWithoutMark(bytes) {
      return Refusal(
        code: .encoding, offset: nil, sentence: "the text is UTF-16, not UTF-8", note: "",
        help: "save the file as UTF-8")
    }
    return scan(bytes)
  }

  private static let tooLarge = Refusal(
    code: .tooLarge, offset: nil, sentence: "the text is larger than 4 MB", note: "",
    help: "a scenario has a few kB; is this the right file?")

  private static func isWideWithoutMark(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 4 && (bytes[0] == 0) != (bytes[1] == 0) && (bytes[2] == 0) == (bytes[0] == 0)
      && (bytes[3] == 0) == (bytes[1] == 0)
  }

  private static func scan(_ bytes: [UInt8]) -> Refusal? {
    bytes.withUnsafeBufferPointer { buffer in
      var index = 0
      while index < buffer.count {
        let byte = buffer[index]
        if byte >= 0x20 && byte < 0x7F || byte == 0x0A || byte == 0x0D || byte == 0x09 {
          index += 1
          continue
        }
        guard let (scalar, length) = decode(buffer, at: index) else { return invalid(byte, at: index) }
        if scalar.isHidden { return hidden(scalar, at: index) }
        index += length
      }
      return nil
    }
  }

  private static func invalid(_ byte: UInt8, at offset: Int) -> Refusal {
    Refusal(
      code: .encoding, offset: offset, sentence: "the text is not UTF-8",
      note: "byte 0x\(String(byte, radix: 16)) does not belong here", help: "save the file as UTF-8")
  }

  private static func hidden(_ scalar: Unicode.Scalar, at offset: Int) -> Refusal {
    Refusal(
      code: .controlCharacter, offset: offset, sentence: "the text holds the control character \(scalar.codePointName)",
      note: "invisible here", help: "take it out")
  }

  /// The scalar whose UTF-8 form begins at `index`, with its length; nil when there is none.
  private static func decode(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> (Unicode.Scalar, Int)? {
    let first = UInt32(bytes[index])
    let length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0
    guard length > 0, index + length <= bytes.count else { return nil }
    var value = length == 1 ? first : first & (0xFF >> UInt32(length + 1))
    for offset in 1..<max(length, 1) {
      let next = UInt32(bytes[index + offset])
      guard next & 0xC0 == 0x80 else { return nil }
      value = value << 6 | next & 0x3F
    }
    let isShortest = length < 3 || value >= (length == 3 ? 0x800 : 0x10000)
    guard isShortest, let scalar = Unicode.Scalar(value) else { return nil }
    return (scalar, length)
  }
}
