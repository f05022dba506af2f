internal import Platform

extension LogProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .cannotOpen(let code): "cannot be opened: \(Self.words(code))"
    case .cannotRead(let code): "cannot be read: \(Self.words(code))"
    case .notAFile: "is neither a file nor a folder"
    case .damaged: "holds compressed data that is damaged"
    case .expandsTooFar: "grows more than a thousandfold when it is unpacked; it is taken for an attack"
    case .windowTooLarge: "was compressed with a window of more than 128 MiB: unpack it with `zstd -d --long=31`"
    case .wideCharacters: "is in UTF-16 or UTF-32: make it UTF-8 first"
    case .unknownFormat(let line):
      "is in no format that is known: say which (--as of logs, --format of calibrate), or name its fields with --map; a line looks like `\(line)`"
    case .noColumns: "is a table whose columns nothing names: name them with --map"
    case .tooManyRows: "has more counts than ten years have minutes"
    case .noMemory: "needs more memory than there is"
    }
  }

  private static func words(_ code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 200)
    guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension Rejection: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed: "not in the format"
    case .noTime: "without a time"
    case .impossibleTime: "with an impossible time"
    case .tooLong: "too long"
    case .noRequest: "no request"
    case .tornEnd: "cut off at the end of the file"
    }
  }
}

extension LogOptionProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .mapWithoutField(let text): "--map takes KEY=FIELD, not '\(text)'"
    case .endpointWithoutExpression(let text): "--endpoint takes NAME=REGEX, not '\(text)'"
    case .unknownKey(let key): "'\(key)' is not a key of --map: \(FieldMap.keys.joined(separator: ", "))"
    case .unknownUnit(let unit): "'\(unit)' is not a unit: \(TimeUnit.allCases.map(\.rawValue).joined(separator: ", "))"
    case .ruleWithoutExpression(let text): "--widget takes FIELD ~ REGEX, such as 'ua ~ ^WeatherWidget/', not '\(text)'"
    case .expression(let problem): "'\(problem.source)' is not a regular expression: \(problem.reason)"
    case .emptyPattern: "the pattern of the lines holds no variable"
    case .noLiteralBetween(let one, let other):
      "nothing stands between `\(one)` and `\(other)` in the pattern of the lines"
    case .addressAsID:
      "an address is no id: many phones share one, and one phone has many; --yes-ip takes it all the same"
    }
  }
}
