import Platform

/// The command-line arguments.
struct BenchArguments {
  var workloads = Workload.allCases
  /// Whether to measure only the smallest fleets, each once.
  var isQuick = false
  var isJSON = false
  /// The number of threads to compare with a single thread.
  var threads = Machine.usableProcessors
  /// The run of W with after(15 min) to perform instead; `nil` for the benchmark.
  var policy: PolicyRun?

  /// An invalid command-line argument.
  struct Mistake: Error, CustomStringConvertible {
    var description: String
  }

  /// Parses the arguments.
  ///
  /// - Parameter words: the arguments without the program name.
  init(_ words: some Sequence<String>) throws {
    var rest = Array(words)[...]
    while let word = rest.popFirst() {
      switch word {
      case "--quick": isQuick = true
      case "--json": isJSON = true
      case "--jobs":
        guard let count = rest.popFirst().flatMap(Int.init), (1...1_024).contains(count) else {
          throw Mistake(description: "--jobs takes a number of threads from 1 to 1024")
        }
        threads = count
      case "--only":
        let names = (rest.popFirst() ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard names.allSatisfy({ Workload(rawValue: $0) != nil }) else {
          throw Mistake(
            description: "--only takes workloads of " + Workload.allCases.map(\.rawValue).joined(separator: ", "))
        }
        workloads = Workload.allCases.filter { names.contains($0.rawValue) }
      case "--policy":
        let words = (rest.popFirst() ?? "").split(separator: ":").map(String.init)
        guard words.count == 3, ["file", "code"].contains(words[0]), let devices = Int(words[1]), devices > 0,
          let widgets = Int(words[2]), (1...2).contains(widgets)
        else { throw Mistake(description: "--policy takes file:DEVICES:WIDGETS or code:DEVICES:WIDGETS") }
        policy = PolicyRun(isCode: words[0] == "code", devices: devices, widgets: widgets)
      default:
        throw Mistake(description: "'\(word)' is none of --only W,city,storm, --quick, --jobs N, --json, --policy")
      }
    }
  }
}
