/// How lines of logs are written.
package enum LogFormat: String, CaseIterable, Sendable {
  /// nginx and Apache: common, combined, or as a given pattern has it.
  case nginx
  case alb
  /// Tables with a line `#Fields:`, as CloudFront and other writers of W3C's extended format have them.
  case cloudfront
  /// An object of JSON a line, or a document of objects.
  case jsonl
  /// OpenTelemetry's spans or log records in JSON.
  case otlp
  /// A table with commas, of requests or of counts.
  case csv
}

/// Why a line is no request.
package enum Rejection: Int, CaseIterable, Error, Sendable {
  /// It is not as the format has lines.
  case malformed
  case noTime
  /// Before 1990, after 2100, or a day that no month has.
  case impossibleTime
  case tooLong
  /// It has neither a request nor a path, a status or a User-Agent; or it is a span of something else than a server.
  case noRequest
  /// The file ends within it.
  case tornEnd
}
