import FleetEngine
import SimulationKernel

/// A value in a run's file that lists its fields once, for both writing and reading.
package protocol Stored {
  /// A placeholder value, whose fields are overwritten when a file is read.
  static var blank: Self { get }
  /// Visits the fields in the order of their bytes. When reading, also checks the values.
  mutating func visit(_ file: inout StoredFields)
}

/// The fields of a file, which are written or read in order. No fields are read after an error.
///
/// Values that are read are limited so that the sum of any two values fits into 64 bits.
package struct StoredFields {
  /// The maximum count, and the maximum sum of related counts: 2^62.
  static let maxCount = Int64(1) << 62
  private static let maxReal = 1e30

  package let isReading: Bool
  private var writer = ByteWriter()
  private var reader: ByteReader
  /// The first error found while reading; `nil` if there is none.
  private var damage: String?

  /// Creates an empty file for writing.
  package init() { (isReading, reader) = (false, ByteReader(rowsIn: [])) }

  /// Creates a reader of the bytes of a file.
  package init(_ bytes: [UInt8]) { (isReading, reader) = (true, ByteReader(bytes)) }

  /// All bytes written so far.
  package var bytes: [UInt8] { writer.finished() }

  package var hasFailed: Bool { damage != nil || reader.hasFailed }

  /// Records an error if a condition is not satisfied.
  ///
  /// - Parameter what: a noun phrase for the invalid value.
  package mutating func check(_ isSound: @autoclosure () -> Bool, _ what: String) {
    if isReading, !hasFailed, !isSound() { damage = what }
  }

  /// The error to throw if the bytes are invalid.
  package var refusal: StoredFileError {
    StoredFileError("is damaged: it contains \(damage ?? "bytes that were not written to it")")
  }

  /// - Throws: the error found while reading, or an error if there are bytes left.
  package func end() throws(StoredFileError) {
    guard damage == nil else { throw refusal }
    do { try reader.end() } catch { throw refusal }
  }

  package mutating func field<Value: Stored>(_ value: inout Value) { value.visit(&self) }

  /// Visits the fields of a value in the given order.
  mutating func fields<Root, each Value: Stored>(
    of root: inout Root, _ paths: repeat WritableKeyPath<Root, each Value>
  ) {
    repeat field(&root[keyPath: each paths])
  }

  fileprivate mutating func number(_ value: inout Int64) {
    guard isReading else { return writer.write(short: value) }
    value = reader.shortNumber()
    check((-Self.maxCount...Self.maxCount).contains(value), "an impossible number")
    if hasFailed { value = 0 }
  }

  fileprivate mutating func real(_ value: inout Double) {
    guard isReading else { return writer.write(real: value) }
    value = reader.real()
    check((-Self.maxReal...Self.maxReal).contains(value), "an impossible figure")
    if hasFailed { value = 0 }
  }

  fileprivate mutating func text(_ value: inout String) {
    guard isReading else {
      writer.write(short: Int64(value.utf8.count))
      return writer.write(Array(value.utf8))
    }
    let length = reader.shortNumber()
    let bytes = reader.bytes(Int(length))
    value = String(validating: bytes, as: UTF8.self) ?? ""
    check(value.utf8.count == bytes.count, "text that is not UTF-8")
  }

  /// Reads or writes the number of elements that follow, each of which takes at least one byte. Returns the number, or
  /// 0 after an error.
  fileprivate mutating func count(_ written: Int) -> Int {
    var count = Int64(written)
    number(&count)
    guard isReading else { return written }
    let left = Int64(reader.left)
    check((0...left).contains(count), "a list longer than the file")
    return hasFailed ? 0 : Int(count)
  }
}

/// An error that explains why a file in a results directory cannot be read. Its text follows the file's name and has no
/// full stop.
package struct StoredFileError: Error, Hashable, Sendable {
  package var sentence: String

  package init(_ sentence: String) { self.sentence = sentence }
}

extension Int64: Stored {
  package static var blank: Int64 { 0 }
  package mutating func visit(_ file: inout StoredFields) { file.number(&self) }
}

extension Int: Stored {
  package static var blank: Int { 0 }
  package mutating func visit(_ file: inout StoredFields) {
    var number = Int64(self)
    file.number(&number)
    self = Int(number)
  }
}

extension Double: Stored {
  package static var blank: Double { 0 }
  package mutating func visit(_ file: inout StoredFields) { file.real(&self) }
}

extension Bool: Stored {
  package static var blank: Bool { false }
  package mutating func visit(_ file: inout StoredFields) {
    var number: Int64 = self ? 1 : 0
    file.number(&number)
    file.check((0...1).contains(number), "a choice other than yes or no")
    self = number == 1
  }
}

extension String: Stored {
  package static var blank: String { "" }
  package mutating func visit(_ file: inout StoredFields) { file.text(&self) }
}

/// Enumerations are stored as their raw values.
extension Stored where Self: RawRepresentable<String> & CaseIterable {
  package static var blank: Self { allCases[allCases.startIndex] }
  package mutating func visit(_ file: inout StoredFields) {
    var word = rawValue
    file.text(&word)
    let known = Self(rawValue: word)
    file.check(known != nil, "a word unknown to this version")
    self = known ?? self
  }
}

extension Optional: Stored where Wrapped: Stored {
  package static var blank: Wrapped? { nil }
  package mutating func visit(_ file: inout StoredFields) {
    var isPresent = self != nil
    file.field(&isPresent)
    if file.isReading { self = isPresent ? Wrapped.blank : nil }
    self?.visit(&file)
  }
}

extension Array: Stored where Element: Stored {
  package static var blank: [Element] { [] }
  package mutating func visit(_ file: inout StoredFields) {
    let count = file.count(count)
    if file.isReading { self = [] }
    // Elements are appended one by one, so that the memory used never exceeds what the number of bytes justifies.
    for index in 0..<count where !file.hasFailed {
      if file.isReading { append(.blank) }
      self[index].visit(&file)
    }
  }
}

extension Sequence<Int64> {
  /// Whether the elements are valid counts and their sum does not exceed the maximum count.
  var areCounts: Bool {
    var sum: Int64 = 0
    for count in self {
      guard count >= 0, count <= StoredFields.maxCount - sum else { return false }
      sum += count
    }
    return true
  }
}
