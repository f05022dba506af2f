package import RequestStatistics

/// Names that the lines of all files share.
package struct LogNames: Sendable {
  package let paths = NameTable()
  package let agents = NameTable()
  package let kinds = NameTable()
  package let nodes = NameTable()

  package init() {}
}
