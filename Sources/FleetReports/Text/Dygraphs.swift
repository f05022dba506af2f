internal import CDygraphs

/// The chart library that pages with a zoomable figure carry.
enum Dygraphs {
  /// Without the line that names a source map: nothing is to be fetched.
  static let script: String = {
    let bytes = UnsafeBufferPointer(start: wf_dygraphs_bytes(), count: wf_dygraphs_count())
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let kept = lines.filter { !$0.starts(with: "//# sourceMappingURL".utf8) }
    return String(decoding: Array(kept.joined(separator: "\n".utf8)), as: UTF8.self)
  }()
}
