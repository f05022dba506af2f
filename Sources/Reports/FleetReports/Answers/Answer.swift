import Scenario
import Studies

/// A figure shown in an answer, with its limit or reference.
struct Claim {
  /// The name of the goal or figure that the claim is about.
  var name: String
  /// The result, such as `passes` or `worse`.
  var word: String
  var tone: Answer.Tone
  var figure: FigureName
  /// The values and the limit, as text.
  var words: String
  var value: Quantity?
  var limit: Double?
  var interval: Interval?
  var prompt: Quantity?
  var lazy: Quantity?
  /// The values under assumptions that are varied, including the presets.
  var assumed: [Quantity] = []

  /// The claim as a list item with a bar that shows the value.
  var chip: Markup {
    let ends = [interval?.low, interval?.high].compactMap { $0 } + assumed.map(\.approximate)
    return FleetReports.chip(
      tone.rawValue, name, word, words, chipBar(value: value?.approximate, limit: limit, reaching: ends))
  }

  fileprivate var json: JSONValue {
    [
      "name": name, "outcome": word, "figure": figure.text, "unit": figure.unit.rawValue, "value": value,
      "low": interval?.low, "high": interval?.high, "limit": limit, "prompt": prompt, "lazy": lazy,
    ]
  }
}

extension Claim {
  /// Creates the claim for a goal.
  init(_ result: GoalResult) {
    let figure = result.goal.figure
    let reach = GoalText.bracket(result)
    let value = result.value.map { GoalText.text($0.approximate, figure) } ?? NumberText.unknownWord
    let (word, tone): (String, Answer.Tone) =
      switch result.verdict {
      case .fail: ("fails", .bad)
      case .warn: ("is missed (warning)", .open)
      case .inconclusive: ("is inconclusive", .open)
      case .pass: ("passes", .good)
      }
    self.init(
      name: result.goal.id, word: word, tone: tone, figure: figure,
      words: value + ", " + limitWords(result.goal.comparison) + " " + GoalText.limit(result)
        + (reach.isEmpty ? "" : "; bracket " + reach),
      value: result.value, limit: result.limit, interval: result.interval, prompt: result.prompt, lazy: result.lazy,
      assumed: result.bracketValues.compactMap { $0 })
  }
}

/// The answer to a study, shown at the top of its page and at the end of its terminal output.
struct Answer {
  /// The tone of an answer: good or bad news for the user. It determines the colour of the answer's strip. The raw
  /// values are CSS classes.
  enum Tone: String {
    case good = "is-good"
    case bad = "is-bad"
    case open = "is-open"
    case plain = "is-plain"
  }

  var word: String
  var tone: Tone
  /// The reasons for the answer, as clauses without full stops. The most important reason comes first.
  var reasons: [String]
  /// The caveats that apply to the answer.
  var caveats: [String] = []
  var claims: [Claim] = []

  /// The sentences that follow the verdict word, which state the reasons and caveats.
  var reason: String {
    let clauses = (reasons + caveats).filter { !$0.isEmpty }
    return clauses.enumerated().map { ($0 == 0 ? $1 : Self.sentence($1)) + "." }.joined(separator: " ")
  }

  /// Returns a clause with its first letter capitalized, unless the clause starts with the name of a key or figure.
  private static func sentence(_ clause: String) -> String {
    clause.prefix { $0 != " " }.allSatisfy(\.isLetter) ? clause.asSentence : clause
  }

  var line: String { reason.isEmpty ? word + "." : word + ": " + reason }

  /// Returns the answer as the strip at the top of a page.
  ///
  /// - Parameters:
  ///   - whose: the name of the run or lever that the strip is about, if the page has several strips.
  ///   - remarks: the facts on which the answer is based, one paragraph each.
  func strip(id: String = "verdict", whose: String = "", remarks: [String] = [], _ more: [Markup] = []) -> Markup {
    let name: [Markup] = whose.isEmpty ? [] : [.tag("p", ["class": "whose"], whose)]
    let heading = Markup.tag(
      "h2", ["id": id + "-question"],
      [.tag("span", ["class": "word"], word), .text(String(line.dropFirst(word.count)))])
    let chips = claims.isEmpty ? [] : [Markup.tag("ul", ["class": "chips"], claims.map(\.chip))]
    let notes = remarks.filter { !$0.isEmpty }.map { Markup.tag("p", ["class": "basis"], $0) }
    return .tag(
      "section", ["id": id, "class": "verdict " + tone.rawValue, "aria-labelledby": id + "-question"],
      name + [heading] + chips + more + notes)
  }

  /// The verdict word, its sentence and its claims, as JSON.
  var json: JSONValue { ["word": word, "sentence": line, "claims": claims.map(\.json)] }
}

/// Returns only the answers, for use in scripts. Each answer is printed on a single line.
func answerOnly(_ answers: [String]) -> [UInt8] { Array(answers.map { plain($0) + "\n" }.joined().utf8) }

extension Preset {
  /// Returns the condition under which a claim is true, such as `if the system is prompt`.
  static func condition(_ preset: Preset?) -> String {
    preset.map { "if the system is \($0.rawValue)" } ?? "under the scenario's own settings"
  }
}

/// Returns a count with its noun, such as `1 setting` or `2 settings`.
func counted(_ count: Int, _ thing: String) -> String {
  NumberText.whole(Double(count)) + " " + thing + (count == 1 ? "" : "s")
}

/// Returns a clause as a sentence with a leading space; empty if the clause is empty.
func sentence(_ clause: String) -> String { clause.isEmpty ? "" : " " + clause.asSentence + "." }

/// Returns lines of text joined into one sentence with a leading space; empty if there are no lines.
func sentence(ofLines lines: [String]) -> String {
  lines.isEmpty ? "" : " " + lines.joined(separator: "; ").asSentence + "."
}

extension Markup {
  /// Returns a labelled region with text that users can copy.
  static func code(_ name: String, _ text: String) -> Markup {
    .tag("pre", ["tabindex": "0", "role": "region", "aria-label": name], [.tag("code", [:], text)])
  }
}

/// Returns the name of an enumeration case with its words separated, such as `too_long` for `tooLong`.
func spelled(_ name: some Any, _ separator: String = "_") -> String {
  "\(name)".map { $0.isUppercase ? separator + $0.lowercased() : String($0) }.joined()
}
