import Foundation
import Testing

@testable import ScenarioFiles

/// Texts that libyaml reads differently from the standard are either read correctly or refused.
@Suite struct MisreadTests {
  /// A plain text may begin with ? if no blank follows (YAML 1.2, 7.3.3); libyaml would drop the ?.
  @Test(arguments: ["{?foo: bar}", "[?x]", "{a: ?b}", "{?\"a\": 1}", "[ä, ?x]", "[\n  a,\n  ?x]"])
  func textsThatBeginWithAQuestionMarkInBracketsAreRefused(text: String) {
    let (tree, codes) = StandardYAML.reading(of: Data(text.utf8))
    #expect(tree == nil && codes == [.syntax], "\(codes)")
  }

  @Test(
    arguments: [
      ("?foo: bar", ["+MAP", "=VAL ?foo", "=VAL bar", "-MAP"]), ("a: what?", ["+MAP", "=VAL a", "=VAL what?", "-MAP"]),
      ("[\"?x\", 'why?']", ["+SEQ", "=VAL ?x", "=VAL why?", "-SEQ"]),
      ("{a?: b}", ["+MAP", "=VAL a?", "=VAL b", "-MAP"]),
      ("? a\n: b\n", ["+MAP", "=VAL a", "=VAL b", "-MAP"]),
      ("a: \"?\"\nb: c\n", ["+MAP", "=VAL a", "=VAL ?", "=VAL b", "=VAL c", "-MAP"]),
    ]) func otherQuestionMarksAreAccepted(text: String, events: [String])
  {
    #expect(StandardYAML.reading(of: Data(text.utf8)).tree.map(StandardYAML.events) == events)
  }

  /// A blank line belongs to a text that keeps its lines, whether or not the text ends there (YAML 1.2, 8.1.2 and
  /// 8.1.3).
  @Test(
    arguments: [
      ("a: |\n  x\n   ", "x\n \n"), ("a: |\n  x\n   \n", "x\n \n"), ("a: |+\n   ", "\n"), ("a: |\n  x", "x"),
      ("a: |\n  x\n", "x\n"), ("a: x\n  ", "x"), ("a: x ", "x"),
    ]) func trailingBlankLinesAreKept(text: String, value: String)
  {
    let tree = StandardYAML.reading(of: Data(text.utf8)).tree
    #expect(tree.map(StandardYAML.events) == ["+MAP", "=VAL a", "=VAL " + value, "-MAP"])
  }
}
