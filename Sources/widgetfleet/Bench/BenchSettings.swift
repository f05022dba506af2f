/// The arguments of `bench`.
struct BenchSettings {
  var workloads: [Workload]
  /// The smallest fleets only, each once.
  var isQuick: Bool

  init(_ values: ArgumentValues, _ command: Command) throws(Failure) {
    isQuick = values.has(.quick)
    workloads = Workload.allCases
    guard command.action == .bench, let list = values.last(.workloads) else { return }
    let names = list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let known = Workload.allCases.map(\.rawValue)
    for name in names where !known.contains(name) {
      throw .usage(
        "--only names no workload: '\(name.printable)'", command: command.name,
        hint: Suggestion.hint(name, among: known) ?? "workloads are \(known.joined(separator: ", "))")
    }
    workloads = Workload.allCases.filter { names.contains($0.rawValue) }
  }
}
