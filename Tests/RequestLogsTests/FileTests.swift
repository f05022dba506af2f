import Foundation
import RequestStatistics
import Testing

@testable import RequestLogs

/// Compressed, truncated, concatenated and discovered files.
struct FileTests {
  private static let lines = #"""
    192.0.2.1 - - [18/Jan/2027:00:00:01 +0000] "GET /a HTTP/1.1" 200 10 "-" "W/1"
    192.0.2.2 - - [18/Jan/2027:00:00:02 +0000] "GET /b HTTP/1.1" 200 20 "-" "W/1"

    """#

  /// The lines above, compressed with `gzip -9n` and `zstd --no-check`.
  private static let gzip = data(
    "H4sIAAAAAAACAzO0NNIz0DPSM1TQBcJoQwt9r8Q8fSMDI3MrAwMwMlTQNgCCWAUld9cQBf1EBY+QkAB9Qz1DJQUjAwMFQwMFJV0lBaVwfUMlLkOo"
      + "aUY4TTNCNS0JzTQjZNMAlKR8OZwAAAA=")
  private static let zstd = data(
    "KLUv/SCclQIA0sQPFqBFHaN5+d5fV8TdWMdKKUkbkvyq4QEX/EL5mmKdYs32LJuPQUhhOiIkKQbadqDbg3h/g7RcYQAPD2232g0HBgCAE9AdkBk"
      + "swShQycvlAQ==")

  private static func data(_ text: String) -> Data { Data(base64Encoded: text) ?? Data() }

  private func read(_ bytes: Data) throws -> Reader.Read { try Reader().read([("a", bytes)]) }

  @Test func compressedFilesGiveTheSameLines() throws {
    let plain = try read(Data(Self.lines.utf8))
    #expect(plain.requests.count == 2 && plain.report.stream.compression == .none)
    let skippable = Data([0x52, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3])
    for (bytes, compression) in [(Self.gzip, Compression.gzip), (Self.zstd, .zstd), (skippable + Self.zstd, .zstd)] {
      let read = try read(bytes)
      #expect(read.requests == plain.requests)
      #expect(read.report.stream.compression == compression && !read.report.stream.isTorn)
      #expect(read.report.bytes == bytes.count && read.report.textBytes == Self.lines.utf8.count)
    }
  }

  @Test func allMembersAreRead() throws {
    for part in [Self.gzip, Self.zstd] {
      let read = try read(part + part + part)
      #expect(read.requests.count == 6 && read.report.stream.members == 3)
    }
    #expect(try read(Self.gzip + Data(count: 700) + Self.gzip + Data(count: 9)).requests.count == 4)
  }

  @Test func garbageAfterAMemberIsReported() throws {
    let read = try read(Self.gzip + Data("garbage".utf8))
    #expect(read.requests.count == 2 && read.report.stream.garbage == 7 && read.report.problem == nil)
  }

  /// A compressed file cut off anywhere gives its whole lines and is reported as truncated.
  @Test func truncatedFilesGiveTheirCompleteLines() throws {
    for bytes in [Self.gzip, Self.zstd] {
      for length in stride(from: bytes.count - 1, to: 4, by: -7) {
        let read = try read(bytes.prefix(length))
        #expect(read.report.stream.isTorn || read.report.problem != nil)
        #expect(read.report.parsed <= 2 && read.report.lines == read.report.parsed + read.report.rejected)
      }
    }
  }

  @Test func damagedFilesAreReadWithoutCrash() throws {
    for bytes in [Self.gzip, Self.zstd] {
      for place in 4..<bytes.count {
        var damaged = bytes
        damaged[place] ^= 0x55
        _ = try read(damaged)
      }
    }
  }

  @Test func lastLineMayLackALineEnding() throws {
    let cut = try read(Data(Self.lines.utf8.dropLast()))
    #expect(cut.requests.count == 2)
    let windows = try read(Data("\u{FEFF}".utf8) + Data(Self.lines.replacing("\n", with: "\r\n").utf8))
    #expect(windows.requests == cut.requests)
  }

  @Test func utf16FilesAreRefused() throws {
    let read = try read(#require(Self.lines.data(using: .utf16LittleEndian)))
    #expect(read.report.problem == .wideCharacters)
  }

  @Test func linesThatAreTooLongAreCountedAndSkipped() throws {
    let long = String(repeating: "x", count: 3_000_000)
    let read = try read(Data((Self.lines + long + "\n" + Self.lines + long.prefix(70_000) + "\n" + Self.lines).utf8))
    #expect(read.requests.count == 6 && read.report.rejected(.tooLong) == 2 && read.report.lines == 8)
  }

  @Test func emptyFilesAreAccepted() throws {
    let read = try read(Data())
    #expect(read.report.lines == 0 && read.report.problem == nil)
  }

  @Test func decompressionBombsAreStopped() throws {
    // A zstd frame with a block of raw lines, and 4 GiB as blocks of one byte repeated 128 KiB times.
    let size = Self.lines.utf8.count << 3
    var bytes = Data([0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x38, UInt8(size & 255), UInt8(size >> 8), 0])
    bytes += Data(Self.lines.utf8)
    for _ in 0..<(1 << 15) { bytes += [0x02, 0x00, 0x10, 0x78] }
    var reader = Reader()
    reader.options.limits.expandedBytes = 1 << 24
    let read = try reader.read([("a", bytes)])
    #expect(read.report.problem == .expandsTooFar && read.requests.count == 2)
    #expect(read.report.textBytes <= 1 << 25)
  }

  /// Zstd frames that request a window above 128 MiB, up to 2^41 bytes, or declare a content of up to 2^64 - 1 bytes.
  @Test func hugeWindowsAreRefused() throws {
    let size = Self.lines.utf8.count << 3 | 1
    let block = Data([UInt8(size & 255), UInt8(size >> 8), 0]) + Data(Self.lines.utf8)
    for exponent in [17, 18, 20, 21, 22, 31] {
      let read = try read(Data([0x28, 0xB5, 0x2F, 0xFD, 0x00, UInt8(exponent << 3)]) + block)
      #expect(read.report.problem == (exponent == 17 ? nil : .windowTooLarge), "2^\(10 + exponent)")
      #expect(read.requests.count == (exponent == 17 ? 2 : 0))
    }
    for content in [UInt64(1) << 31, 1 << 32, 1 << 40, 1 << 63, .max] {
      let length = Data((0..<8).map { UInt8(truncatingIfNeeded: content >> (8 * $0)) })
      #expect(try read(Data([0x28, 0xB5, 0x2F, 0xFD, 0xE0]) + length + block).report.problem == .windowTooLarge)
    }
  }

  @Test func oneFileUnderTwoNamesIsReadOnce() throws {
    let bytes = Data(Self.lines.utf8)
    let files = [("a", bytes), ("b", bytes), ("c", bytes + bytes)]
    let read = try Reader().read(files, given: ["a", "b", "a", "c"])
    #expect(read.files.map { $0.duplicateOf != nil } == [false, true, true, false])
    #expect(read.requests.count == 2 + 4)
  }

  @Test func fileAndItsCompressedCopyAreReadOnce() throws {
    let read = try Reader().read([("a", Data(Self.lines.utf8)), ("b", Self.gzip), ("c", Self.zstd)])
    #expect(read.files.map { $0.duplicateOf != nil } == [true, false, false])
    #expect(read.requests.count == 2 + 2)
  }

  @Test func foldersAreSearched() throws {
    let bytes = Data(Self.lines.utf8)
    let files = [
      ("x/web1/a.log", bytes + bytes), ("x/web2/a.log", Self.zstd), ("x/.hidden", bytes),
      ("x/b.gz", Self.gzip + Self.gzip),
    ]
    let reader = Reader()
    let read = try reader.read(files, given: ["x"])
    #expect(read.files.map { ($0.path as NSString).lastPathComponent } == ["b.gz", "a.log", "a.log"])
    #expect(Set(read.requests.map { reader.names.nodes[$0.node] }) == [nil, "web1", "web2"])
  }

  @Test func unreadablePathsAreReported() throws {
    let (inputs, problems) = LogInput.find(["/nowhere/a.log", "/dev/zero"])
    #expect(inputs.isEmpty)
    #expect(problems.map(\.reason) == [.cannotOpen(2), .notAFile])
    #expect(problems.first?.reason.description.contains("No such file") ?? false)
  }

  /// The requests are the same for any number of threads, order of files and way of cutting.
  @Test func threadsAndFileOrderDoNotChangeRequests() throws {
    let lines = (0..<30_000).map { index in
      let second = Self.twoDigits(index / 500)
      let target = index % 977
      return
        #"192.0.2.\#(index % 200) - - [18/Jan/2027:00:00:\#(second) +0000] "#
        + #""GET /p\#(target % 50)?i=\#(index) HTTP/1.1" "#
        + #"200 \#(index) "-" "Widget\#(target % 30)/1 CFNetwork/1 Darwin/24.1""#
    }
    let whole = Data((lines.joined(separator: "\n") + "\n").utf8)
    let middle = lines[..<11_111].joined(separator: "\n").utf8.count + 1
    var reference: [LoggedRequest] = []
    let one = ("a", whole)
    let first = ("a", whole.prefix(middle))
    let second = ("b", whole.dropFirst(middle))
    for files in [[one], [first, second], [second, first]] {
      for threads in 1...4 {
        var reader = Reader()
        reader.options.threads = threads
        let read = try reader.read(files)
        // The indices of names depend on the order of threads, but their texts do not.
        let named = read.requests.map {
          "\($0.time) \($0.line) \($0.bytes) \(reader.path($0) ?? "") \(reader.agent($0) ?? "")"
        }
        let plain = read.requests.map { request in
          var request = request
          (request.path, request.agent) = (.none, .none)
          return request
        }
        if reference.isEmpty { reference = plain }
        #expect(plain == reference)
        #expect(named.count == 30_000 && named.allSatisfy { $0.contains("/p") && $0.contains("Widget") })
      }
    }
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  @Test func fileReportsAreSummed() {
    let files = [1, 10].map { factor in
      var file = LogFileReport("a")
      (file.lines, file.parsed, file.bytes, file.textBytes) = (5 * factor, 3 * factor, 7 * factor, 9 * factor)
      file.add(2 * factor, Rejection.allCases[0])
      return file
    }
    #expect((files.parsed, files.bytes, files.textBytes) == (33, 77, 99))
    #expect(files.lines == files[0].lines + files[1].lines && files.rejected(Rejection.allCases[0]) == 22)
  }
}
