internal import Platform

/// A POSIX extended regular expression, compiled once and usable from any thread.
///
/// `@unchecked` is safe because a compiled expression never changes, and POSIX allows any number of threads to use it
/// for matching at the same time.
package final class Expression: @unchecked Sendable {
  package let source: String
  private let compiled: UnsafeMutablePointer<regex_t>

  /// - Throws: the C library's error message about the expression.
  package init(_ source: String) throws(ExpressionProblem) {
    guard !source.utf8.contains(0) else { throw ExpressionProblem(source: source, reason: "It contains a zero byte") }
    let compiled = UnsafeMutablePointer<regex_t>.allocate(capacity: 1)
    compiled.initialize(to: regex_t())
    let status = regcomp(compiled, source, REG_EXTENDED)
    guard status == 0 else {
      var message = [CChar](repeating: 0, count: 200)
      _ = regerror(status, compiled, &message, message.count)
      compiled.deallocate()
      let reason = String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      throw ExpressionProblem(source: source, reason: reason)
    }
    (self.source, self.compiled) = (source, compiled)
  }

  deinit {
    regfree(compiled)
    compiled.deallocate()
  }

  func matches(_ text: Text) -> Bool {
    var range = regmatch_t(rm_so: 0, rm_eo: regoff_t(text.count))
    return UnsafeRawPointer(text.start).withMemoryRebound(to: CChar.self, capacity: text.count) {
      regexec(compiled, $0, 1, &range, REG_STARTEND) == 0
    }
  }
}

/// A regular expression rejected by the C library.
package struct ExpressionProblem: Error, Hashable {
  package let source: String
  package let reason: String
}
