// `widgetfuzz HARNESS --seeds FOLDER` writes the initial fuzzing inputs; `widgetfuzz HARNESS ARGUMENTS` fuzzes, with
// libFuzzer's arguments. Scripts/fuzz_deep.py starts it.
import CFuzzer
import Foundation
import FuzzHarness

let arguments = CommandLine.arguments
guard arguments.count > 1, let harness = Harness(rawValue: arguments[1]) else {
  print("usage: widgetfuzz HARNESS [--seeds FOLDER | libFuzzer's arguments]")
  print("harnesses: \(Harness.allCases.map(\.rawValue).joined(separator: " "))")
  exit(2)
}
if arguments.count == 4, arguments[2] == "--seeds" {
  for (number, seed) in try harness.seeds().enumerated() {
    try Data(seed).write(to: URL(filePath: arguments[3]).appending(path: "seed-\(number)"))
  }
  exit(0)
}
/// The function called back, which is global because a plain C function cannot capture anything; used on the only
/// thread.
nonisolated(unsafe) let take: ([UInt8]) -> String? = try harness.prepared()
var words: [UnsafeMutablePointer<CChar>?] = ([arguments[0]] + arguments.dropFirst(2)).map { strdup($0) } + [nil]
var count = Int32(words.count - 1)
let status = words.withUnsafeMutableBufferPointer { buffer -> Int32 in
  var base = buffer.baseAddress
  return LLVMFuzzerRunDriver(&count, &base) { data, size in
    if let broken = take(Array(UnsafeBufferPointer(start: data, count: size))) { fatalError(broken) }
    return 0
  }
}
exit(status)
