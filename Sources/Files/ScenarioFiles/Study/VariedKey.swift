import Scenario

/// A key that a sweep varies, with a list of values or a range.
struct VariedKey {
  var steps: [PathStep]
  /// The listed values; empty if a range is given.
  var values: [Node]
  var range: SweepRange?
  /// The only item of the list, which may be either a value or a range `a..b`.
  private var lone: Node?
  /// Whether the item must be a range.
  private var isNoList = false
  /// The types used to read the quantities of the key; empty until they are known.
  private(set) var amountTypes: [ValueType] = []
  /// The source of the key: `--vary` or `sweep.vary`.
  var origin: String
  /// The position of the complete path.
  var span: Span

  var path: String { steps.map(\.text).joined(separator: ".") }

  func setting(_ value: Node) -> Setting { Setting(steps: steps, value: value, option: origin) }

  /// Parses a command-line argument `PATH=V1,V2,...`; returns `nil` if there is a problem.
  init?(argument source: Int, problems: inout ProblemList) {
    let form = "--vary takes PATH=V1,V2,..."
    guard let (scalars, equals) = Setting.split(source, form, example: "run.seed=1,2,3", problems: &problems) else {
      return nil
    }
    guard let items = Setting.list(scalars, from: equals + 1, source, &problems) else { return nil }
    values = items.count == 1 ? items[0].items ?? items : items
    if items.count == 1, items[0].text?.contains("..") == true { lone = items[0] }
    steps = Setting.steps(scalars[..<equals], source)
    origin = "--vary"
    span = Span(source: source, line: 1, column: 1, length: equals)
    guard isComplete(&problems) else { return nil }
  }

  /// Reads a key under `sweep.vary` with its list of values; returns `nil` if there is a problem.
  init?(pair: Node.Pair, problems: inout ProblemList) {
    steps = Setting.steps(ofKey: pair)
    (origin, span) = ("sweep.vary", pair.keySpan)
    if let items = pair.value.items {
      values = items
    } else if pair.value.text != nil, !pair.value.isNull {
      (values, lone, isNoList) = ([pair.value], pair.value, true)
    } else {
      problems.add(
        .wrongShape, at: pair.value.span, "\(pair.key.quoted) takes a list of values, or a range",
        note: "neither", help: "a list such as [1h, 2h], or a range such as 1h..2h")
      return nil
    }
    guard isComplete(&problems) else { return nil }
  }

  /// Determines the target of the path, and whether the values form a list or a range.
  mutating func settle(_ method: SweepMethod, _ root: Node, problems: inout ProblemList) {
    guard let target = SettingApplier.target(of: setting(values[0]), in: root, problems: &problems) else { return }
    amountTypes = target.amountTypes
    guard let lone, isNoList || !target.takesRanges || method == .sobol else { return }
    guard method == .sobol else {
      refuse(lone, method, &problems)
      return
    }
    range = SweepRange(lone, target, path: path, problems: &problems)
    values = []
  }

  private func refuse(_ lone: Node, _ method: SweepMethod, _ problems: inout ProblemList) {
    let isRange = (try? Quantities.ends(lone.text ?? "")) != nil
    problems.add(
      .wrongShape, at: lone.span, "the \(method.rawValue) method needs a list of values for \(path.quoted)",
      note: isRange ? "a range" : "not a list",
      help: isRange
        ? "give a list of values, or use the sobol method with a number of points"
        : .write("[\(lone.flowText)]"))
  }

  /// Returns the value at a position in the range or list, where 0 is the start and 1 is the end.
  func value(at place: Double) -> Node {
    range?.value(at: place) ?? values[min(Int(place * Double(values.count)), values.count - 1)]
  }

  /// Returns an axis with the values that occur in the settings.
  func axis(taken nodes: [Node]) -> SweepAxis {
    if let range { return range.axis(path, taken: nodes) }
    let listed = values.map { SweepValue($0, amountTypes) }.uniqued
    let amounts = listed.compactMap(\.amount)
    guard amounts.count == listed.count, let low = amounts.min(), let high = amounts.max(), low < high else {
      return SweepAxis(path: path, scale: .categorical, values: listed)
    }
    return SweepAxis(
      path: path, scale: .numeric(low: low, high: high), unit: amountTypes.first?.amountUnit ?? "",
      values: listed.eachOnceByAmount)
  }

  private func isComplete(_ problems: inout ProblemList) -> Bool {
    if values.isEmpty || values.contains(where: \.isNull) {
      problems.add(
        .missingValue, at: span, "\(origin) has \(values.isEmpty ? "no values" : "an empty value")",
        note: "for this path",
        help: "separate values with commas: 1h, 2h")
      return false
    }
    let isOfScenario =
      steps.count <= Setting.maxSteps && !["schema", "sweep", "tune", "calibrate"].contains(steps[0].text)
    if !isOfScenario {
      problems.add(
        .settingPath, at: steps[0].span, "\(origin) does not name a key to vary", note: "not a scenario value")
    }
    return isOfScenario
  }
}

extension Node {
  /// The value as YAML on a single line, for display to users.
  var flowText: String {
    oneLine { text, _ in
      text.printable(longest: 200)
    } key: {
      $0.printable(longest: 200)
    }
  }
}
