/// Why a file of a results folder cannot be read as what it should be.
package struct StoredFileError: Error, Hashable, Sendable {
  package enum Fault: Hashable, Sendable {
    /// Something that our files never hold, at a line counted from 1 and in a column or under a key; nil for the file, or
    /// the line, as a whole.
    case damaged(line: Int?, column: String?, String)
    /// A schema other than the expected one, named as the file names it.
    case otherSchema(String)
    /// The folder says itself that it is not complete.
    case incomplete
  }

  package var file: String
  package var fault: Fault

  package init(_ file: String, line: Int?, column: String? = nil, _ message: String) {
    self.file = file
    fault = .damaged(line: line, column: column, message)
  }

  package init(_ file: String, _ fault: Fault) {
    self.file = file
    self.fault = fault
  }

  /// As a sentence without a full stop, to follow the file's name.
  package var sentence: String {
    switch fault {
    case .damaged(let line, let column, let message):
      "is damaged" + (line.map { " at line \($0)" } ?? "") + (column.map { ", \($0)" } ?? "") + ": " + message
    case .otherSchema(let name): "has schema \(name), which this version does not know"
    case .incomplete: "says that its folder is not complete"
    }
  }
}
