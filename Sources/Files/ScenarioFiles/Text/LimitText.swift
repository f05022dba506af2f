import Scenario

/// Parsers for the limits of goals, which depend on the unit of the metric.
enum LimitText {
  /// The dimension of a metric. Only metrics of the same dimension can be compared.
  enum Dimension: CaseIterable {
    case perDay, perWindow, time, clockTime, count, size, share, rate, ratio, energy, percent
  }

  /// The suffix of limits per measured period, for periods shorter than a day.
  private static let perPeriod = "/period"

  /// Parses a limit in the unit of a metric.
  static func value(_ text: String, of figure: FigureName, at range: Range<Int>) throws(AssertionProblem) -> Double {
    do {
      let ofPeriod = figure.isOfPeriod && figure.unit.dimension == .perDay && text.hasSuffix(perPeriod)
      return ofPeriod
        ? try PlainNumbers.number(String(text.dropLast(perPeriod.count))) : try value(text, figure.unit.dimension)
    } catch {
      throw AssertionProblem(problem: explain(error, text, figure), range: range)
    }
  }

  /// Parses a percentage that may exceed 100 %; for example, 150% is returned as 1.5.
  static func factor(_ text: String, at range: Range<Int>) throws(AssertionProblem) -> Double {
    do { return try percent(text, shiftedBy: 2) } catch {
      throw AssertionProblem(
        problem: ValueProblem(
          .badAssertion, "the factor before 'of' must be a percentage", note: "not a percentage",
          help: .write(like: "150%")), range: range)
    }
  }

  private static func value(_ text: String, _ dimension: Dimension) throws(ValueProblem) -> Double {
    if text == "0" { return 0 }
    return switch dimension {
    case .perDay: Double(try Quantities.rate(text).count) / 1_000_000
    case .perWindow: try perWindow(text)
    case .rate: Double(try Quantities.rate(text).count) / 86_400_000_000
    case .time: Double(try Quantities.duration(text).milliseconds) / 1_000
    case .clockTime:
      text.contains(":")
        ? Double(try CalendarText.timeOfDay(text).sinceMidnight.milliseconds) / 3_600_000
        : Double(try Quantities.duration(text).milliseconds) / 3_600_000
    case .count: Double(try Quantities.count(text))
    case .size: Double(try Quantities.size(text).bytes)
    case .share: try Quantities.share(text).fraction
    case .ratio: try PlainNumbers.number(text)
    case .energy: try energy(text)
    case .percent: try percent(text, shiftedBy: 0)
    }
  }

  private static func percent(_ text: String, shiftedBy shift: Int) throws(ValueProblem) -> Double {
    guard text.last == "%" else {
      throw ValueProblem(
        .unitMissing, "needs a % sign", note: "of what?", help: .write(text + "%"))
    }
    return try Decimal(text.dropLast()).double(shiftedBy: shift)
  }

  /// Parses a count per named window, such as 12/window.
  private static func perWindow(_ text: String) throws(ValueProblem) -> Double {
    guard text.hasSuffix("/window") else {
      let number = text.prefix { $0.isDigit || $0 == "." }
      throw ValueProblem(
        .unitMissing, "is a number per window and needs /window", note: "per window of the label during",
        help: .write((number.isEmpty ? "12" : String(number)) + "/window"))
    }
    return try PlainNumbers.number(String(text.dropLast("/window".count)))
  }

  /// Parses an energy in joules.
  private static func energy(_ text: String) throws(ValueProblem) -> Double {
    let number = text.prefix { $0.isDigit || $0 == "." || $0 == "_" }
    guard let shift = ["mJ": 3, "J": 0, "kJ": -3][text.dropFirst(number.count)] else {
      throw ValueProblem(
        number.count == text.count ? .unitMissing : .unitUnknown, "is an energy and needs a unit",
        note: "how much?", help: Help.write(like: "5J").and("units: mJ, J, kJ"))
    }
    return try Decimal(number).double(shiftedBy: shift)
  }

  /// Returns a problem for a limit that cannot be read. If the unit belongs to a different quantity, the problem names
  /// that quantity.
  private static func explain(_ problem: ValueProblem, _ text: String, _ figure: FigureName) -> ValueProblem {
    let words: [(Dimension, String)] = [
      (.time, "a duration"), (.share, "a share"), (.rate, "a rate"), (.size, "a size"), (.energy, "an energy"),
    ]
    let other = words.first { dimension, _ in
      do { return try value(text, dimension).isFinite } catch { return false }
    }
    if let other {
      let isShare = other.0 == .share && figure.metric == .failures && figure.labels.cause.isEmpty
      let requests = FigureName(.requests, .total, figure.labels.with(\.reason, ""))
      let help = isShare ? Help.write("\(text) of \(requests.text)") : .write(like: example(figure.unit))
      return ValueProblem(
        .wrongDimension, "\(text.quoted) is \(other.1), but \(figure.metric.rawValue) is in \(figure.unit.rawValue)",
        note: "another unit", help: help)
    }
    var problem = problem
    problem.sentence = "the limit \(problem.sentence)"
    let repaired = problem.help?.keeping { (try? value($0, figure.unit.dimension)) != nil }
    problem.help = repaired?.repairs.isEmpty == false ? repaired : .write(like: example(figure.unit))
    return problem
  }

  /// Returns an example of a limit in the given unit.
  static func example(_ unit: MetricUnit) -> String {
    switch unit.dimension {
    case .perDay: "40/day"
    case .perWindow: "12/window"
    case .rate: "7k/s"
    case .time: "15min"
    case .clockTime: "21:30"
    case .count: "2.5M"
    case .size: "20MB"
    case .share: "2%"
    case .ratio: "3.5"
    case .energy: "5J"
    case .percent: "0.5%"
    }
  }
}

extension MetricUnit {
  /// The dimension of the unit. Two metrics can be compared only if they have the same dimension.
  var dimension: LimitText.Dimension {
    switch self {
    case .runsPerDay, .waitsPerDay, .hitsPerDay, .viewsPerDay, .timesPerDay, .runsPerPeriod, .waitsPerPeriod,
      .hitsPerPeriod, .viewsPerPeriod, .timesPerPeriod:
      .perDay
    case .runsPerWindow, .waitsPerWindow, .hitsPerWindow, .viewsPerWindow, .timesPerWindow: .perWindow
    case .seconds: .time
    case .hours: .clockTime
    case .requests, .pushes, .widgets, .runs: .count
    case .bytes: .size
    case .share: .share
    case .requestsPerSecond: .rate
    case .ratio: .ratio
    case .joulesPerDay, .joulesPerPeriod, .joulesPerWindow: .energy
    case .percentPerDay, .percentPerPeriod: .percent
    }
  }
}
