import Scenario

/// A reader that interprets plain values according to the types of their keys.
enum Scalars {
  static let longestText = 10_000
  static let longestName = 100
  private static let longestQuantity = 200

  /// Checks that a scalar is a valid value of the given type.
  ///
  /// - Returns: the numeric size of the value in the smallest unit of its type, for comparison with bounds; 0 for types
  ///   without a size.
  static func measure(_ node: Node, as type: ValueType) throws(ValueProblem) -> Double {
    guard case .scalar(let text, let isPlain) = node.content else { return 0 }
    switch type {
    case .number, .integer, .flag:
      guard isPlain else { throw quoted(type, text) }
    default: break
    }
    return try measure(text, as: type)
  }

  /// Checks that a string is a valid value of the given type, and returns its numeric size in the smallest unit of the
  /// type.
  static func measure(_ text: String, as type: ValueType) throws(ValueProblem) -> Double {
    if type != .text { try checkLength(text, longestQuantity) }
    switch type {
    case .number: return try PlainNumbers.number(text)
    case .integer: return Double(try PlainNumbers.integer(text))
    case .count: return Double(try Quantities.count(text))
    case .share: return try Quantities.share(text).fraction
    case .change: return try Quantities.change(text).fraction
    case .duration: return Double(try Quantities.duration(text).milliseconds)
    case .rate: return Double(try Quantities.rate(text).count)
    case .size: return Double(try Quantities.size(text).bytes)
    case .power: return Double(try Quantities.power(text).microwatts)
    case .energyPerBit: return Double(try Quantities.energyPerBit(text).picojoules)
    case .battery: return Double(try Quantities.battery(text))
    case .zipf: return try Quantities.zipf(text)
    case .timeOfDay: return Double(try CalendarText.timeOfDay(text).sinceMidnight.milliseconds)
    default: try check(text, as: type)
    }
    return 0
  }

  /// Returns the numeric size of a bound from the table; `nil` if the bound does not apply to the type.
  static func bound(_ text: String?, as type: ValueType) -> Double? { text.flatMap { try? measure($0, as: type) } }

  private static func check(_ text: String, as type: ValueType) throws(ValueProblem) {
    switch type {
    case .schema: try checkSchema(text)
    case .text: try checkLength(text, longestText)
    case .label, .kind, .endpoint, .phone, .radio: try checkName(text)
    case .folderName: try checkFolderName(text)
    case .words(let words): try checkWord(text, words)
    case .flag: try checkFlag(text)
    case .instant: _ = try CalendarText.instant(text)
    case .weekdays: _ = try CalendarText.days(text)
    case .zone: try Zones.check(text)
    default: break
    }
  }

  private static func quoted(_ type: ValueType, _ text: String) -> ValueProblem {
    ValueProblem(
      type == .flag ? .notBoolean : .unreadable, "must not be quoted", note: "quotes make it a string",
      help: Help.write(text).and("without quotes"))
  }

  private static func checkSchema(_ text: String) throws(ValueProblem) {
    guard text != "widgetfleet/v1" else { return }
    if text.hasPrefix("widgetfleet/plan/") {
      throw ValueProblem(
        .unknownSchema, "is that of a plan, not of a scenario", note: "a plan",
        help: "forecast it with 'widgetfleet plan FILE'; the scenario is the file under its key 'from'")
    }
    throw ValueProblem(
      .unknownSchema, "is not a supported version", note: "unknown version", help: .write("widgetfleet/v1"))
  }

  private static func checkLength(_ text: String, _ maximum: Int) throws(ValueProblem) {
    guard text.utf8.count > maximum, text.unicodeScalars.count > maximum else { return }
    throw ValueProblem(.badName, "is too long", note: "at most \(maximum) characters")
  }

  static func checkName(_ text: String) throws(ValueProblem) {
    try checkLength(text, longestName)
    let isBlank = text.allSatisfy(\.isWhitespace)
    if isBlank || text.contains("\n") || text.contains("\t") {
      throw ValueProblem(.badName, "is not a name", note: isBlank ? "nothing visible" : "must be one line")
    }
  }

  private static func checkFolderName(_ text: String) throws(ValueProblem) {
    let isAllowed = text.unicodeScalars.allSatisfy {
      ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "-"
    }
    guard text.isEmpty || !isAllowed || text.first == "-" else { return try checkLength(text, 64) }
    let folded = text.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
    let suggestion = String(String(folded).drop { $0 == "-" }).prefix(64)
    throw ValueProblem(
      .badName, "is not a folder name", note: "only a-z, 0-9 and -, and no leading -",
      help: suggestion.isEmpty ? nil : .write(String(suggestion)))
  }

  static func checkWord(_ text: String, _ words: [String]) throws(ValueProblem) {
    guard !words.contains(text) else { return }
    let list = words.joined(separator: ", ")
    let near = Spelling.hint(text, among: words)
    throw ValueProblem(
      .unknownWord, words.count == 1 ? "must be \(list)" : "must be one of \(list)", note: "not one of the words",
      help: near)
  }

  private static func checkFlag(_ text: String) throws(ValueProblem) {
    guard text != "true", text != "false" else { return }
    let meant = ["yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"]
    let folded = text.lowercased()
    let word = meant[folded] ?? (folded == "true" || folded == "false" ? folded : nil)
    throw ValueProblem(
      .notBoolean, "must be true or false", note: "only true and false are booleans",
      help: word.map { .write($0) } ?? .write("true", "false"))
  }
}

/// The reason why a value cannot be read.
struct ValueProblem: Error, Hashable {
  var code: Code
  /// The problem, worded to follow the name of the key, such as `needs a unit`.
  var sentence: String
  /// The short note displayed next to the caret.
  var note: String
  var help: Help?

  init(_ code: Code, _ sentence: String, note: String = "", help: Help? = nil) {
    self.code = code
    self.sentence = sentence
    self.note = note
    self.help = help
  }
}
