internal import CSQLite
import Platform

/// A single SQLite file, opened by one thread. All access to SQLite goes through this class.
///
/// Any status other than success is thrown as a `StoreError`. The code uses the C interface of SQLite 3.40.
final class Database {
  private let handle: OpaquePointer
  /// The first 100 bytes of the file when it was opened; fewer if it was shorter.
  let header: [UInt8]

  /// A value in a row of a database table.
  enum Value: Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
  }

  /// Opens a file and creates it if necessary; if `isReadOnly` is true, the file must already exist.
  init(_ path: String, isReadOnly: Bool = false) throws(StoreError) {
    // The header is read first, because closing the file later would release SQLite's locks on it.
    header = try Self.beginning(of: path)
    var handle: OpaquePointer?
    let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let status = sqlite3_open_v2(path, &handle, access | SQLITE_OPEN_NOMUTEX, nil)
    guard status == SQLITE_OK, let handle else {
      let error = Database.error(status, handle)
      sqlite3_close_v2(handle)
      throw error
    }
    self.handle = handle
  }

  deinit { sqlite3_close_v2(handle) }

  private static func beginning(of path: String) throws(StoreError) -> [UInt8] {
    var file: Int32 = -1
    repeat { file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) } while file < 0 && errno == EINTR
    guard file >= 0 else {
      if errno == ENOENT { return [] }
      throw .system(errno)
    }
    defer { close(file) }
    var bytes = Array(repeating: UInt8(0), count: 100)
    var count = -1
    repeat { count = read(file, &bytes, bytes.count) } while count < 0 && errno == EINTR
    if count < 0 { throw .system(errno) }
    return Array(bytes[..<count])
  }

  /// Executes statements that return no rows.
  func execute(_ statements: String) throws(StoreError) { try check(sqlite3_exec(handle, statements, nil, nil, nil)) }

  /// Runs `work` as a transaction, which is rolled back if `work` throws.
  func transaction(_ work: () throws(StoreError) -> Void) throws(StoreError) {
    try execute("BEGIN IMMEDIATE")
    do {
      try work()
      try execute("COMMIT")
    } catch {
      _ = try? execute("ROLLBACK")
      throw error
    }
  }

  func prepare(_ text: String) throws(StoreError) -> Statement {
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v2(handle, text, -1, &statement, nil))
    guard let statement else { throw .damaged("an empty statement") }
    return Statement(statement, self)
  }

  /// Returns all result rows of a statement.
  func rows(_ text: String, _ values: [Value] = []) throws(StoreError) -> [[Value]] {
    let statement = try prepare(text)
    try statement.bind(values)
    var rows: [[Value]] = []
    while let row = try statement.next() { rows.append(row) }
    return rows
  }

  fileprivate func check(_ status: Int32) throws(StoreError) {
    if status != SQLITE_OK { throw Database.error(status, handle) }
  }

  fileprivate static func error(_ status: Int32, _ handle: OpaquePointer?) -> StoreError {
    let number = sqlite3_system_errno(handle)
    switch status & 0xFF {
    case SQLITE_FULL: return .system(number == 0 ? ENOSPC : number)
    case SQLITE_IOERR, SQLITE_CANTOPEN: return .system(number == 0 ? EIO : number)
    case SQLITE_READONLY, SQLITE_PERM: return .system(number == 0 ? EACCES : number)
    case SQLITE_BUSY, SQLITE_LOCKED: return .system(EBUSY)
    case SQLITE_NOMEM: return .system(ENOMEM)
    default: return .damaged(sqlite3_errmsg(handle).map { String(cString: $0) } ?? "unknown error")
    }
  }
}

/// A prepared statement that can be executed repeatedly with different values.
final class Statement {
  private let handle: OpaquePointer
  private let database: Database

  fileprivate init(_ handle: OpaquePointer, _ database: Database) {
    self.handle = handle
    self.database = database
  }

  deinit { sqlite3_finalize(handle) }

  /// Resets the statement and binds values to its parameters.
  func bind(_ values: [Database.Value]) throws(StoreError) {
    sqlite3_reset(handle)
    for (index, value) in values.enumerated() {
      let place = Int32(index + 1)
      switch value {
      case .null: try database.check(sqlite3_bind_null(handle, place))
      case .integer(let value): try database.check(sqlite3_bind_int64(handle, place, value))
      case .real(let value): try database.check(sqlite3_bind_double(handle, place, value))
      case .text(let text): try database.check(wf_bind_text(handle, place, text, Int32(clamping: text.utf8.count)))
      }
    }
  }

  /// Executes the statement, expecting no results.
  func run(_ values: [Database.Value]) throws(StoreError) {
    try bind(values)
    _ = try next()
    sqlite3_reset(handle)
  }

  /// Returns the next result row; `nil` if there are no more.
  func next() throws(StoreError) -> [Database.Value]? {
    switch sqlite3_step(handle) {
    case SQLITE_DONE: return nil
    case SQLITE_ROW: return (0..<sqlite3_column_count(handle)).map(value)
    case let status: throw Database.error(status, sqlite3_db_handle(handle))
    }
  }

  private func value(_ column: Int32) -> Database.Value {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT:
      let bytes = UnsafeBufferPointer(
        start: sqlite3_column_text(handle, column), count: Int(sqlite3_column_bytes(handle, column)))
      return .text(String(decoding: bytes, as: UTF8.self))
    default: return .null
    }
  }
}
