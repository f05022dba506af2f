/// Information about the launcher that started this process, derived from environment variables.
struct Launch: Equatable {
  /// A family of launchers that use the same MPI library.
  enum Family: Equatable {
    case openMPI, mpich
    /// Slurm tasks that are not connected to each other.
    case unrelated
  }

  var family = Family.unrelated
  var rank = 0
  var size = 1
  /// The number of ranks on this machine.
  var localSize = 1
  /// The MPI library specified by the user; `nil` if none is specified.
  var library: String?

  init() {}

  /// - Parameter value: a function that returns the value of an environment variable, or `nil` if it is not set.
  init(_ value: (String) -> String?) {
    func number(_ names: String...) -> Int? { names.compactMap { value($0).flatMap { Int($0) } }.first }
    library = value("WIDGETFLEET_MPI_LIB")
    if let size = number("OMPI_COMM_WORLD_SIZE") {
      family = .openMPI
      self.size = size
      rank = number("OMPI_COMM_WORLD_RANK") ?? 0
      localSize = number("OMPI_COMM_WORLD_LOCAL_SIZE") ?? 1
    } else if let size = number("PMI_SIZE") {
      family = .mpich
      self.size = size
      rank = number("PMI_RANK") ?? 0
      localSize = number("MPI_LOCALNRANKS") ?? Self.tasksOfANode(value)
    } else if let size = number("SLURM_STEP_NUM_TASKS"), size > 1 {
      family = number("PMIX_RANK") == nil ? .unrelated : .openMPI
      self.size = size
      rank = number("PMIX_RANK", "SLURM_PROCID") ?? 0
      localSize = Self.tasksOfANode(value)
    }
  }

  /// Returns the maximum number of tasks that Slurm started on a node. For example, `2(x3),1` means two tasks on each
  /// of three nodes and one task on another node.
  private static func tasksOfANode(_ value: (String) -> String?) -> Int {
    let text = value("SLURM_STEP_TASKS_PER_NODE") ?? value("SLURM_TASKS_PER_NODE") ?? ""
    return text.split(separator: ",").compactMap { Int($0.prefix { $0.isNumber }) }.max() ?? 1
  }

  /// The candidate file names of the launcher's MPI library, most likely first.
  var libraries: [String] {
    if let library { return [library] }
    return switch family {
    case .openMPI: ["libmpi.so.40", "libmpi.so"]
    case .mpich: ["libmpich.so.12", "libmpi.so.12", "libmpi_abi.so.1", "libmpi_abi.so.0"]
    case .unrelated: []
    }
  }

  /// The name of the launcher for use in messages.
  var name: String {
    switch family {
    case .openMPI: "Open MPI"
    case .mpich: "MPICH"
    case .unrelated: "Slurm"
    }
  }
}
