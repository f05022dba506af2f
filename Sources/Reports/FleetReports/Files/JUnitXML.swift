import Scenario
import Studies

/// Returns the goals as JUnit XML for CI tools, with one test case per goal.
///
/// A failed goal is a failure. An inconclusive goal is skipped or, if `isStrict` is true, treated as a failure. A
/// missed goal of severity `warning` passes with a message.
package func junitXML(of report: Report, isStrict: Bool) -> [UInt8] {
  let scenario = report.result.scenario
  let cases = report.goals.map { testCase($0, of: scenario.name, isStrict: isStrict) }
  let failures = report.goals.count { fails($0, isStrict) }
  let skipped = report.goals.count { $0.verdict == .inconclusive && !fails($0, isStrict) }
  let counts = "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(skipped)\""
  let properties = [
    ("version", report.provenance.version), ("seed", String(scenario.run.seed)),
    ("replications", String(report.result.replications.count)), ("scenario_sha256", report.provenance.scenarioHash),
  ].map { "      <property name=\"\($0.0)\" value=\"\(xml($0.1))\"/>\n" }.joined()
  let text = """
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="widgetfleet" \(counts)>
      <testsuite name="\(xml(scenario.name))" \(counts)>
        <properties>
    \(properties)    </properties>
    \(cases.joined())  </testsuite>
    </testsuites>

    """
  return Array(text.utf8)
}

private func testCase(_ result: GoalResult, of scenario: String, isStrict: Bool) -> String {
  let head = "    <testcase classname=\"\(xml(scenario))\" name=\"\(xml(result.goal.id))\""
  let value = plain(GoalText.text(result.value?.approximate, result.goal.figure))
  let reason = result.explanation.isEmpty ? "" : "; " + result.explanation
  let sentence = xml("\(result.goal.text), but the value is \(value)\(reason)")
  let inside: String
  if fails(result, isStrict) {
    inside = "<failure type=\"\(result.verdict.rawValue)\" message=\"\(sentence)\"/>"
  } else {
    switch result.verdict {
    case .inconclusive: inside = "<skipped message=\"\(xml("inconclusive" + reason))\"/>"
    case .warn: inside = "<system-out>warning: \(sentence)</system-out>"
    case .pass, .fail: return head + "/>\n"
    }
  }
  return head + ">\n      " + inside + "\n    </testcase>\n"
}

/// Returns whether a goal's result causes the command to exit with status 1.
private func fails(_ result: GoalResult, _ isStrict: Bool) -> Bool {
  result.verdict == .fail || isStrict && result.verdict == .inconclusive && result.goal.severity == .error
}

/// Returns text that is escaped for XML, including attribute values.
private func xml(_ text: String) -> String {
  text.unicodeScalars.reduce(into: "") { escaped, scalar in
    switch scalar {
    case "&": escaped += "&amp;"
    case "<": escaped += "&lt;"
    case ">": escaped += "&gt;"
    case "\"": escaped += "&quot;"
    case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
    default: escaped.unicodeScalars.append(scalar)
    }
  }
}
