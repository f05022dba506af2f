internal import CDygraphs

/// The chart library that pages with a zoomable figure carry.
enum Dygraphs {
  /// Without the line that names a source map: nothing is to be fetched.
  static let script: String = {
    let bytes = UnsafeBufferPointer(start: wf_dygraphs_bytes(), count: wf_dygraphs_count())
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    return lines.filter { !$0.hasPrefix("//# sourceMappingURL") }.joined(separator: "\n")
  }()
}
