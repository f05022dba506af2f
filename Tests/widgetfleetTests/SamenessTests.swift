import Foundation
import Testing

/// The same scenario gives the same bytes on any machine: a short matrix, with the long one in `make sameness`.
struct SamenessTests {
  /// Both without and with a backend that reacts to the load.
  @Test(arguments: ["", "backend: {endpoints: {api: {capacity: 12/min, queue: 3, base_load: {rate: 2/min}}}}"])
  func sameBytesForAnyThreadsZoneAndLocale(backend: String) throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Child.scenario(name: "same", devices: 300, extra: backend), to: "same.yaml")
    let settings: [([String], [String: String])] = [
      (["--jobs=1"], [:]), (["--jobs=1"], [:]), (["--jobs=2"], ["TZ": "Asia/Tokyo", "LC_ALL": "de_DE.UTF-8"]),
      // Turkish letters, and the libm variants for a processor without AVX2 and FMA.
      (["--jobs=3"], ["LC_ALL": "tr_TR.UTF-8", "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA"]),
      (["--jobs=8", "-v", "--progress=plain"], ["TZ": "America/New_York", "LANG": "ar_EG.UTF-8"]),
    ]
    for (index, setting) in settings.enumerated() {
      let arguments = ["run", "same.yaml", "-n2", "-o", "out\(index)"] + setting.0
      #expect(try child.run(arguments, environment: setting.1).status == 0)
    }
    #expect(child.read("out0/summary.csv").contains("overload_seconds") == !backend.isEmpty)
    for name in child.names(in: "out0") {
      let texts = try settings.indices.map { try child.bytes("out\($0)/" + name) }
      #expect(!texts[0].isEmpty)
      let isSame = texts.allSatisfy { $0 == texts[0] }
      #expect(isSame, "\(name) differs")
    }
  }

  /// A system that grants no more threads, because the stack is larger than all memory.
  @Test(arguments: ["", "backend: {endpoints: {api: {capacity: 12/min, queue: 3}}}"])
  func fewerThreadsGiveTheSameBytes(backend: String) throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Child.scenario(name: "same", devices: 50, extra: backend), to: "same.yaml")
    #expect(try child.run(["run", "same.yaml", "--jobs=4", "-o", "granted"]).status == 0)
    let limited =
      "ulimit -s 4000000; ulimit -v 3000000; exec timeout -k 1 60 "
      + "'\(Child.executable.path)' run same.yaml --jobs=4 -o refused"
    let process = try child.start(["-c", limited], executable: URL(fileURLWithPath: "/bin/bash"))
    process.waitUntilExit()
    #expect(child.outcome(of: process).status == 0)
    for name in child.names(in: "granted") {
      let isSame = try child.bytes("granted/" + name) == child.bytes("refused/" + name)
      #expect(isSame, "\(name) differs")
    }
  }
}
