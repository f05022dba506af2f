/// Formats of access logs by the words that files and the command line have for them.
package enum LogFormatName: String, CaseIterable, Hashable, Sendable {
  /// Found from the first lines.
  case auto
  /// nginx's and Apache's combined, common, or a log_format that is given.
  case nginx
  /// AWS's Application Load Balancer.
  case alb
  /// Amazon CloudFront's standard logs.
  case cloudfront
  /// A JSON object a line.
  case jsonl
  /// OpenTelemetry's spans and log records in JSON.
  case otlp
  /// Counts in a table.
  case csv
}
