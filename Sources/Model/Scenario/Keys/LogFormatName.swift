/// The format of an access log; raw values are the names used in files and on the command line.
package enum LogFormatName: String, CaseIterable, Hashable, Sendable {
  /// The format that is detected from the first lines of the log.
  case auto
  /// The combined or common format of nginx and Apache, or a custom format that is given by log_format.
  case nginx
  /// The format of AWS's Application Load Balancer.
  case alb
  /// The format of Amazon CloudFront's standard logs.
  case cloudfront
  /// One JSON object per line.
  case jsonl
  /// OpenTelemetry spans and log records in JSON.
  case otlp
  /// A CSV table of request counts.
  case csv
}
