/// A request from the browser.
package struct HTTPRequest: Sendable {
  package var isPost: Bool
  /// The path, without the token.
  package var path: String
  /// The names and values of the query, in order.
  package var query: [(name: String, value: String)]

  package func all(_ name: String) -> [String] { query.filter { $0.name == name }.map(\.value) }
  package func last(_ name: String) -> String? { all(name).last }
}

/// The answer to a request.
package enum HTTPAnswer: Sendable {
  case page([UInt8])
  case text(String)
  /// Server-sent events, one per call of the function, which may block for a fraction of a second; `nil` ends the
  /// answer.
  case events(@Sendable () -> [UInt8]?)
  case refused(Status, String)

  package enum Status: UInt32, Sendable {
    case badRequest = 400
    case forbidden = 403
    case notFound = 404
    case conflict = 409
    case tooLarge = 413
  }
}
