import Scenario

/// Checks the constants of a profile whose shape is that of the key table.
struct ProfileCheck {
  private var problems: ProblemList

  /// Checks the profile of a tree, if there is one.
  static func check(_ root: Node, problems: inout ProblemList) {
    guard let profile = root["os"]?["profile"], profile.pairs != nil else { return }
    var check = ProfileCheck(problems: problems)
    let pairs = profile["os"]?.pairs ?? []
    if pairs.isEmpty { check.refuseEmpty(profile) }
    for pair in pairs { check.checkConstant(pair) }
    if check.problems.isEmpty { check.checkOrders(profile, pairs) }
    problems = check.problems
  }

  private mutating func refuseEmpty(_ profile: Node) {
    problems.add(
      .nothingThere, at: profile["os"]?.span ?? profile.span, "the profile has no constants", note: "none here",
      help: "its os maps keys of os to what was measured")
  }

  private mutating func checkConstant(_ pair: Node.Pair) {
    guard let constant = BracketConstant(rawValue: pair.key),
      let entry = KeyTable.standard["os." + constant.rawValue]
    else { return refuseKey(pair) }
    var check = TreeCheck(problems: problems)
    for end in MeasuredEnd.allCases {
      guard let node = pair.value[end.rawValue] else { continue }
      let place = TreeCheck.Place(key: end.rawValue, span: node.span, owner: pair.key.quoted)
      check.check(node, entry, place)
    }
    problems = check.problems
    for end in MeasuredEnd.allCases {
      guard let node = pair.value[end.rawValue], let text = node.text, entry.words.contains(text) else { continue }
      problems.add(
        .wrongShape, at: node.span, "\(end.rawValue.quoted) of \(pair.key.quoted) is a word", note: "no amount",
        help: "a profile holds amounts that were measured")
    }
  }

  private mutating func refuseKey(_ pair: Node.Pair) {
    let known = KeyTable.standard.entries.filter(\.isAmount).map { String($0.path.dropFirst("os.".count)) }
    problems.add(
      .unknownKey, at: pair.keySpan, "unknown constant \(pair.key.quoted) in the profile",
      note: "no key of os with one amount",
      help: Spelling.hint(pair.key, among: known) ?? Help("they are \(known.joined(separator: ", "))"))
  }

  /// Refuses ends on the wrong side of the value.
  private mutating func checkOrders(_ profile: Node, _ pairs: [Node.Pair]) {
    let systems = MeasuredEnd.allCases.map { ProfileBuilder(profile: profile).system($0) }
    for pair in pairs {
      guard let constant = BracketConstant(rawValue: pair.key) else { continue }
      let amounts = systems.map { $0.amount(of: constant) ?? 0 }
      let (low, value, high) = (amounts[0], amounts[1], amounts[2])
      if low > value { refuseOrder(pair, .low, "more") }
      if high < value { refuseOrder(pair, .high, "less") }
    }
  }

  private mutating func refuseOrder(_ pair: Node.Pair, _ end: MeasuredEnd, _ word: String) {
    problems.add(
      .wrongOrder, at: pair.value[end.rawValue]?.span ?? pair.keySpan,
      "\(end.rawValue.quoted) of \(pair.key.quoted) is \(word) than its value", note: "on the wrong side",
      help: "low, value and high rise, distributions by their mean")
  }
}
