import Foundation
import Scenario
import Testing

@testable import ScenarioFiles

/// The parser for values in brackets gives the events of libyaml.
@Suite struct FlowEventsTests {
  private func events(_ text: String, _ visit: ([UInt8], (YAMLEvent) -> Bool) -> YAMLFailure?) -> (
    events: [String], failure: YAMLFailure?
  ) {
    var events: [String] = []
    let failure = visit(Array(text.utf8)) { event in
      if case .other = event.kind { return true }
      events.append("\(event)")
      return true
    }
    return (events, failure)
  }

  /// Expects the same kinds, texts and positions; documents and streams have none.
  private func expectSame(_ text: String) {
    let (own, ownFailure) = events(text, FlowEvents.visit)
    let (other, otherFailure) = events(text, YAMLEvents.visit)
    #expect(ownFailure == nil && otherFailure == nil, "\(text)")
    let isContent = { (event: String) in !event.contains("documentStart") && !event.contains("documentEnd") }
    #expect(own.filter(isContent).dropLast() == other.filter(isContent).dropLast(), "\(text)")
  }

  @Test(arguments: [
    "15min", "0s..15min", "{}", "[]", "{a: b}", "{ a: {b: [c, d ] } , e: 'it''s' }", "[1, 2,3]", "{a: b, }",
    "{\"a\": \"x\\n\\u00e9\", 'b c': d e f}", "[{a: 1}, {a: 2}]", "[\n  a,\n  b c\n]",
    "{at: \"15:30\", zone: Europe/Berlin}", "{a: , b: 1}", "{a: x:y}", "[a#b, c] # note", "{a: [], b: {}}", "-5%",
  ]) func eventsAreThoseOfYAML(text: String) { expectSame(text) }

  /// The defaults of all keys, which every program reads.
  @Test func defaultsAreReadAlike() {
    var count = 0
    for entry in KeyTable.standard.entries {
      guard case .value(let text) = entry.default else { continue }
      count += 1
      expectSame(text)
    }
    #expect(count > 100)
  }

  @Test(arguments: [
    "{a: b", "[a", "{a: b] ", "\"a", "&a b", "*a", "{a: !b c}", "[a] b", "a: b", "{a: \"\\q\"}", "\"\\ud83d\\ude00\"",
    "",
  ]) func otherTextIsAFailureOrNothing(text: String) {
    let (found, failure) = events(text, FlowEvents.visit)
    #expect(failure != nil || text.isEmpty)
    #expect(!found.isEmpty)
  }

  /// Deep brackets end in a failure.
  @Test func deepBracketsAreRefused() {
    let text = String(repeating: "[", count: 100_000)
    #expect(events(text, FlowEvents.visit).failure?.problem == "brackets are nested too deeply")
  }
}
