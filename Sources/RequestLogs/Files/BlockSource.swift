/// Cuts the text of a file into blocks of whole lines.
final class BlockSource {
  private let stream: any ByteStream
  private let limits: LogOptions.Limits
  /// The beginning of a line whose end is in the next block.
  private var carry: ArraySlice<UInt8> = []
  /// Whether the rest of a line that is too long is being skipped.
  private var isSkipping = false
  private var isOver = false
  private(set) var problem: LogProblem?
  private(set) var textBytes = 0
  private(set) var tooLong = 0
  private(set) var tornLines = 0

  init(_ stream: any ByteStream, _ limits: LogOptions.Limits) { (self.stream, self.limits) = (stream, limits) }

  var facts: StreamFacts { stream.facts }

  /// Objects of a document that are too long have no line.
  var allTooLong: Int { tooLong + ((stream as? DocumentStream)?.tooLong ?? 0) }

  /// Fills a block with the next lines, each with its end.
  ///
  /// - Returns: whether there are any.
  func next(_ block: LineBlock) -> Bool {
    repeat {
      block.count = 0
      block.append(carry)
      carry = []
      fill(block)
      if isSkipping { skip(block) }
      if isOver { closeLastLine(block) } else { keepOpenLine(block) }
    } while block.count == 0 && !isOver
    return block.count > 0
  }

  private func fill(_ block: LineBlock) {
    let full = LineBlock.size
    do throws(LogProblem) {
      while block.count < full {
        let got = try stream.read(into: block.free)
        guard got > 0 else {
          isOver = true
          return
        }
        block.count += got
        textBytes += got
      }
    } catch {
      (problem, isOver) = (error, true)
    }
  }

  private func skip(_ block: LineBlock) {
    guard let end = block.text.place(of: 0x0A) else {
      block.count = 0
      return
    }
    block.dropFirst(end + 1)
    isSkipping = false
  }

  private func keepOpenLine(_ block: LineBlock) {
    guard !isSkipping else { return }
    let open = block.open ?? ArraySlice(block.text.bytes)
    block.count -= open.count
    if open.count <= limits.line {
      carry = open
    } else {
      (isSkipping, tooLong) = (true, tooLong + 1)
    }
  }

  /// A line without its end counts where the file is whole.
  private func closeLastLine(_ block: LineBlock) {
    let open = isSkipping ? [] : block.open ?? ArraySlice(block.text.bytes)
    if isSkipping { block.count = 0 }
    guard !open.isEmpty else { return }
    if problem != nil || facts.isTorn {
      block.count -= open.count
      tornLines += 1
    } else {
      block.append([0x0A])
    }
  }
}
