import FleetEngine
import Pictures
import Platform
import Scenario

/// The reason why a command ended without a result, which determines the exit code and the message.
enum Failure: Error {
  /// The command line is invalid. The values are a message, the command whose help applies, and a suggestion.
  case usage(String, command: String? = nil, hint: String? = nil)
  /// The scenario is invalid. The value lists the problems with their locations.
  case invalidScenario(problems: String)
  /// An input file is not a scenario file.
  case unsuitableInput(path: String, reason: String)
  case cannotRead(path: String, errno: Int32)
  case cannotWrite(path: String, errno: Int32)
  /// A log could not be read completely.
  case damagedLog(path: String, reason: String)
  /// A file needs more space than is free on its disk. The value `fitting` is the number of simulated phones whose
  /// requests would fit.
  case noSpace(path: String, needed: Int, free: Int, fitting: Int)
  /// The file or folder must not be replaced, because this program did not write it.
  case notReplaced(path: String, reason: String)
  /// The results are complete, but a user's file in the old folder could not be moved to the new folder.
  case leftBehind(path: String, errno: Int32)
  /// The process that was reading the output has exited.
  case brokenPipe
  /// A signal stopped the program. The value `signal` is 0 if a different rank received the signal, and `kept` is a
  /// sentence about the stored work.
  case stopped(signal: Int32, kept: String? = nil)
  /// The page's server cannot use its port.
  case cannotListen(port: UInt16, errno: Int32)
  /// The image rendering library cannot be loaded.
  case noPictures(reason: String)
  /// The ranks started by a launcher cannot work together.
  case ranks(String, help: String)
  /// The ranks can no longer communicate.
  case parted(String)
  /// Work cannot be stored, or stored work cannot be resumed.
  case notKept(JournalError)
  /// An internal error occurred. The value `seed` is the seed of the current run, if any.
  case bug(String, seed: UInt64? = nil)
  /// The scenario needs more memory than is available. The values include the number of devices that would fit, or the
  /// number of ranks that would be sufficient.
  case tooLarge(path: String, forecast: MemoryForecast, limit: Int, fitting: Int, ranks: Int?)
  /// The scenario allows an endless sequence of events at the same instant.
  case endless(path: String, what: String)

  var exitCode: ExitCode {
    switch self {
    case .usage, .invalidScenario, .unsuitableInput, .endless, .tooLarge, .ranks: .notSimulated
    case .cannotRead, .cannotWrite, .damagedLog, .noSpace, .notReplaced, .leftBehind, .brokenPipe, .parted, .noPictures,
      .cannotListen:
      .inputOutput
    case .notKept(let error): error.isUnsuitable ? .notSimulated : .inputOutput
    case .stopped(let signal, _):
      Interruption.isResumable(signal) ? .resumable : signal == SIGTERM ? .terminated : .interrupted
    case .bug: .bug
    }
  }

  /// The message for stderr; empty for failures that are reported without a message.
  var text: String {
    switch self {
    case .usage(let sentence, let command, let hint):
      error(sentence) + (hint.map { "  = help: \($0)\n" } ?? "")
        + "  = see: widgetfleet \(command.map { $0 + " " } ?? "")--help\n"
    case .invalidScenario(let problems): problems
    case .unsuitableInput(let path, let reason): error("'\(path.printable)' \(reason)")
    case .cannotRead(let path, let errno): error("cannot read '\(path.printable)': \(reason(errno))")
    case .cannotWrite(let path, let errno): error("cannot write '\(path.printable)': \(reason(errno))")
    case .damagedLog(let path, let reason):
      error("'\(path.printable)' \(reason.printable)")
        + "  = help: --damaged accept uses the readable lines, and the results report the loss\n"
    case .noSpace(let path, let needed, let free, let fitting):
      error("'\(path.printable)' needs about \(Self.size(needed)), but only \(Self.size(free)) is free there")
        + "  = help: about \(fitting) simulated phones fit: --set run.simulate=\(fitting)\n"
    case .notReplaced(let path, let reason): error("'\(path.printable)' was not replaced: \(reason)")
    case .leftBehind(let path, let errno):
      error("the results were written, but '\(path.printable)' could not be moved into their folder: \(reason(errno))")
    case .brokenPipe: ""
    case .stopped(let signal, let kept):
      "widgetfleet: stopped by \(Interruption.name(of: signal)), \(kept ?? "nothing was written")\n"
    case .cannotListen(let port, let errno):
      error("cannot listen on port \(port): \(reason(errno))") + "  = help: --port 0 uses any free port\n"
    case .noPictures(let reason):
      error("PNG output needs \(PictureLibrary.file): \(reason.printable)")
        + "  = help: install the Debian package \(PictureLibrary.package), or use --as svg\n"
    case .ranks(let sentence, let help): error(sentence.printable) + "  = help: \(help)\n"
    case .parted(let sentence): error(sentence.printable)
    case .notKept(let problem): error(problem.message)
    case .bug(let sentence, let seed):
      error("\(sentence.printable); this is a bug in widgetfleet \(Version.current)")
        + (seed.map { "  = note: seed \($0); no result was written\n" } ?? "")
        + "  = help: please report this message with the scenario file and the command line\n"
    case .tooLarge(let path, let forecast, let limit, let fitting, let ranks):
      error(
        "'\(path.printable)' needs about \(Self.size(forecast.peak)) of memory, but \(Self.size(limit)) is available")
        + "  = note: devices \(Self.size(forecast.devices)), results \(Self.size(forecast.results)), counting \(Self.size(forecast.threads)), writing "
        + "\(Self.size(forecast.files)), kept for --resume \(Self.size(forecast.kept)), program "
        + "\(Self.size(forecast.program))\n"
        + "  = help: lengthen clock.step, shorten clock.duration, reduce run.replications or --jobs, set run.simulate "
        + "or run.device_rows, or leave devices.csv out with --only\n"
        + (forecast.growsWithCohorts
          ? "  = help: each cohort takes about \(Self.size(forecast.perCohort)): merge similar ones\n" : "")
        + "  = help: about \(fitting) simulated phones fit: --set run.simulate=\(fitting)\n"
        + (ranks.map { "  = help: or use \($0) ranks with as much memory each: mpirun -n \($0) widgetfleet ...\n" }
          ?? "")
    case .endless(let path, let what):
      error("'\(path.printable)' was stopped: \(what.printable)")
        + "  = help: a reload date of 'after: 0s' or 'at-end' with 'cpu: 0s', no start delay and 'os.min_spacing: 0s' "
        + "starts the next run as soon as the last one ends; make one of these longer\n"
    }
  }

  /// The message for stderr, without its first word.
  var reason: String { String(text.drop { $0 != " " }.split(separator: "\n").first ?? "").dropFirst().description }

  /// Formats a size in bytes with one decimal, in a decimal unit.
  static func size(_ bytes: Int) -> String {
    let isLarge = bytes >= 1_000_000_000
    let tenths = bytes / (isLarge ? 100_000_000 : 100_000)
    return "\(tenths / 10).\(tenths % 10) \(isLarge ? "GB" : "MB")"
  }

  private func error(_ sentence: String) -> String { "error: \(sentence)\n" }

  private func reason(_ number: Int32) -> String { String(cString: strerror(number)) }
}

extension String {
  /// The text without terminal control sequences.
  var printable: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.isHidden ? "\u{FFFD}" : $0 }))
  }
}
