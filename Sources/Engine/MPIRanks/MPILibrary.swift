internal import CMPI

/// An MPI library that is loaded at run time, limited to the calls that this program needs for `Int64` numbers.
///
/// `@unchecked` is safe because function pointers and handles never change, and MPI is initialized so that only one
/// thread makes calls at a time.
package struct MPILibrary: @unchecked Sendable {
  /// The three binary interfaces of MPI libraries, which differ in their handles and constants.
  package enum ABI: String, Sendable {
    case openMPI = "Open MPI"
    case mpich = "MPICH"
    /// The standard ABI of MPI 5.0.
    case standard = "MPI 5"
  }

  package let abi: ABI
  private let library: Library
  private let all: WFHandle
  private let int64: WFHandle
  private let sum: WFHandle
  private let errorsReturn: WFHandle

  /// Loads the first available library in a list.
  ///
  /// - Parameter names: the file names of the libraries, with or without a path, in order of preference.
  /// - Throws: an error if no library is available, or if the loaded library lacks a required function.
  package init(opening names: [String]) throws(MPIError) {
    guard let (handle, name) = Self.opened(names) else {
      let reason = dlerror().map { String(cString: $0) } ?? "there is none"
      throw MPIError("the library of MPI cannot be opened (\(names.joined(separator: ", "))): \(reason)")
    }
    library = try Library(handle, name)
    if let world = dlsym(handle, "ompi_mpi_comm_world") {
      abi = .openMPI
      all = WFHandle(bitPattern: world)
      int64 = WFHandle(bitPattern: try Library.symbol("ompi_mpi_int64_t", in: handle, name))
      sum = WFHandle(bitPattern: try Library.symbol("ompi_mpi_op_sum", in: handle, name))
      errorsReturn = WFHandle(bitPattern: try Library.symbol("ompi_mpi_errors_return", in: handle, name))
    } else if name.contains("mpi_abi") {
      abi = .standard
      (all, int64) = (WF_STANDARD_ALL, WF_STANDARD_INT64)
      (sum, errorsReturn) = (WF_STANDARD_SUM, WF_STANDARD_ERRORS_RETURN)
    } else {
      abi = .mpich
      (all, int64) = (WF_MPICH_ALL, WF_MPICH_INT64)
      (sum, errorsReturn) = (WF_MPICH_SUM, WF_MPICH_ERRORS_RETURN)
    }
  }

  /// Loads a library with global symbol visibility, which the component libraries of Open MPI require.
  private static func opened(_ names: [String]) -> (UnsafeMutableRawPointer, String)? {
    for name in names { if let handle = dlopen(name, RTLD_NOW | RTLD_GLOBAL) { return (handle, name) } }
    return nil
  }

  // MARK: Calls

  /// Initializes MPI so that only one thread may make calls at a time.
  package func start() throws(MPIError) {
    let needed = abi == .standard ? Int32(WF_STANDARD_SERIALIZED) : Int32(WF_SERIALIZED)
    var provided: Int32 = 0
    try check(library.initThread(nil, nil, needed, &provided))
    guard provided >= needed else { throw MPIError("this MPI lets only the main thread call it") }
    try check(library.setErrorHandler(all, errorsReturn))
  }

  package func rank() throws(MPIError) -> Int { try answer(library.rank) }
  package func size() throws(MPIError) -> Int { try answer(library.size) }

  private func answer(_ ask: WFAsk) throws(MPIError) -> Int {
    var answer: Int32 = 0
    try check(ask(all, &answer))
    return Int(answer)
  }

  /// Replaces each number with its sum over all ranks.
  package func sum(_ numbers: UnsafeMutableBufferPointer<Int64>) throws(MPIError) {
    // This is the value of `MPI_IN_PLACE`.
    let inPlace = UnsafeRawPointer(bitPattern: abi == .mpich ? -1 : 1)
    try check(library.allReduce(inPlace, numbers.baseAddress, Int32(numbers.count), int64, sum, all))
  }

  /// Replaces the numbers on all ranks with those of rank 0.
  package func broadcast(_ numbers: UnsafeMutableBufferPointer<Int64>) throws(MPIError) {
    try check(library.broadcast(numbers.baseAddress, Int32(numbers.count), int64, 0, all))
  }

  package func send(_ numbers: UnsafeBufferPointer<Int64>, to rank: Int) throws(MPIError) {
    try check(library.send(numbers.baseAddress, Int32(numbers.count), int64, Int32(rank), 0, all))
  }

  package func receive(_ numbers: UnsafeMutableBufferPointer<Int64>, from rank: Int) throws(MPIError) {
    let code = withUnsafeTemporaryAllocation(byteCount: WF_STATUS_BYTES, alignment: 16) { status in
      library.receive(
        numbers.baseAddress, Int32(numbers.count), int64, Int32(rank), 0, all, status.baseAddress)
    }
    try check(code)
  }

  /// Terminates all ranks.
  package func abort(status: Int32) { _ = library.abort(all, status) }

  /// Finalizes MPI; every rank must call this.
  package func finish() { _ = library.finalize() }

  private func check(_ code: Int32) throws(MPIError) {
    guard code != 0 else { return }
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: WF_ERROR_BYTES) { text in
      var length: Int32 = 0
      guard library.errorString(code, text.baseAddress, &length) == 0, length > 0 else { return "error \(code)" }
      return String(decoding: text[..<Int(length)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    throw MPIError("MPI could not continue: \(text)")
  }
}

/// The MPI functions with their C types.
private struct Library {
  let initThread: WFInitThread
  let allReduce: WFAllreduce
  let broadcast: WFBcast
  let send: WFSend
  let receive: WFRecv
  let rank: WFAsk
  let size: WFAsk
  let setErrorHandler: WFSetErrorHandler
  let errorString: WFErrorString
  let abort: WFAbort
  let finalize: WFFinalize

  init(_ handle: UnsafeMutableRawPointer, _ name: String) throws(MPIError) {
    func call<Call>(_ symbol: String, _ type: Call.Type) throws(MPIError) -> Call {
      unsafeBitCast(try Self.symbol(symbol, in: handle, name), to: type)
    }
    initThread = try call("MPI_Init_thread", WFInitThread.self)
    allReduce = try call("MPI_Allreduce", WFAllreduce.self)
    broadcast = try call("MPI_Bcast", WFBcast.self)
    send = try call("MPI_Send", WFSend.self)
    receive = try call("MPI_Recv", WFRecv.self)
    rank = try call("MPI_Comm_rank", WFAsk.self)
    size = try call("MPI_Comm_size", WFAsk.self)
    setErrorHandler = try call("MPI_Comm_set_errhandler", WFSetErrorHandler.self)
    errorString = try call("MPI_Error_string", WFErrorString.self)
    abort = try call("MPI_Abort", WFAbort.self)
    finalize = try call("MPI_Finalize", WFFinalize.self)
  }

  static func symbol(
    _ symbol: String, in handle: UnsafeMutableRawPointer, _ name: String
  ) throws(MPIError) -> UnsafeMutableRawPointer {
    guard let address = dlsym(handle, symbol) else {
      throw MPIError("'\(name)' has no \(symbol): it is not an MPI library")
    }
    return address
  }
}

/// The reason why MPI cannot be used.
package struct MPIError: Error, Hashable, Sendable {
  /// The message for the user, as one sentence without a full stop.
  package var message: String

  init(_ message: String) { self.message = message }
}
