import FleetEngine
import Pictures
import Platform
import Scenario

/// Why a command ended without its result; its exit code and its text are made here and nowhere else.
enum Failure: Error {
  /// The command line is wrong; the command whose help to point to, and what may have been meant.
  case usage(String, command: String? = nil, hint: String? = nil)
  /// The scenario is wrong: problems as text, each with its place.
  case invalidScenario(problems: String)
  /// Something that is no scenario file was given as one.
  case unsuitableInput(path: String, reason: String)
  case cannotRead(path: String, errno: Int32)
  case cannotWrite(path: String, errno: Int32)
  /// A log was not read to its end.
  case damagedLog(path: String, reason: String)
  /// A file would be larger than what is free where it goes; so many simulated phones would fit.
  case noRoom(path: String, needed: Int, free: Int, fitting: Int)
  /// Something is in the way that is not ours to replace.
  case notReplaced(path: String, reason: String)
  /// The results are in their place, but something of the user's in the old folder could not be moved there.
  case leftBehind(path: String, errno: Int32)
  /// Whoever reads our output has gone.
  case brokenPipe
  /// A signal asked us to stop, 0: one at another rank; what is kept all the same, in a sentence.
  case stopped(signal: Int32, kept: String? = nil)
  /// The library that makes pixels cannot be opened.
  case noPictures(reason: String)
  /// The ranks that a launcher started cannot work together.
  case ranks(String, help: String)
  /// The ranks can no longer go on together.
  case parted(String)
  /// What is done cannot be kept, or what was kept cannot be gone on with.
  case notKept(JournalError)
  /// Something went wrong that must not; the seed of the run, if one was under way.
  case bug(String, seed: UInt64? = nil)
  /// The scenario would need more memory than there is; what so many devices need, or so many ranks, each with as much,
  /// would fit.
  case tooLarge(path: String, forecast: MemoryForecast, limit: Int, fitting: Int, ranks: Int?)
  /// The scenario lets events follow each other without time passing.
  case endless(path: String, what: String)

  var exitCode: ExitCode {
    switch self {
    case .usage, .invalidScenario, .unsuitableInput, .endless, .tooLarge, .ranks: .notSimulated
    case .cannotRead, .cannotWrite, .damagedLog, .noRoom, .notReplaced, .leftBehind, .brokenPipe, .parted, .noPictures:
      .inputOutput
    case .notKept(let error): error.isUnsuitable ? .notSimulated : .inputOutput
    case .stopped(let signal, _):
      Interruption.isResumable(signal) ? .resumable : signal == SIGTERM ? .terminated : .interrupted
    case .bug: .bug
    }
  }

  /// What stderr shows; empty for the quiet ones.
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
        + "  = help: --damaged accept takes the lines that could be read, and the results say so\n"
    case .noRoom(let path, let needed, let free, let fitting):
      error("'\(path.printable)' would take about \(Self.size(needed)), and \(Self.size(free)) are free there")
        + "  = help: about \(fitting) simulated phones fit: --set run.simulate=\(fitting)\n"
    case .notReplaced(let path, let reason): error("'\(path.printable)' was not replaced: \(reason)")
    case .leftBehind(let path, let errno):
      error("the results are written, but '\(path.printable)' could not be moved to them: \(reason(errno))")
    case .brokenPipe: ""
    case .stopped(let signal, let kept):
      "widgetfleet: stopped by \(Interruption.name(of: signal)), \(kept ?? "nothing was written")\n"
    case .noPictures(let reason):
      error("there is no PNG without \(PictureLibrary.file): \(reason.printable)")
        + "  = help: install the Debian package \(PictureLibrary.package), or take --as svg\n"
    case .ranks(let sentence, let help): error(sentence.printable) + "  = help: \(help)\n"
    case .parted(let sentence): error(sentence.printable)
    case .notKept(let problem): error(problem.message)
    case .bug(let sentence, let seed):
      error("\(sentence.printable); this is a bug of widgetfleet \(Version.current)")
        + (seed.map { "  = note: seed \($0); no result was written\n" } ?? "")
        + "  = help: please report this message with the scenario file and the command line\n"
    case .tooLarge(let path, let forecast, let limit, let fitting, let ranks):
      error(
        "'\(path.printable)' needs about \(Self.size(forecast.peak)) of memory, more than the \(Self.size(limit)) here")
        + "  = note: devices \(Self.size(forecast.devices)), results \(Self.size(forecast.results)), counting \(Self.size(forecast.threads)), writing "
        + "\(Self.size(forecast.files)), keeping for --resume \(Self.size(forecast.kept)), program "
        + "\(Self.size(forecast.program))\n"
        + "  = help: take a longer clock.step, fewer run.replications, a shorter clock.duration, run.simulate, "
        + "run.device_rows, --only without devices.csv or fewer --jobs\n"
        + "  = help: about \(fitting) simulated phones fit: --set run.simulate=\(fitting)\n"
        + (ranks.map { "  = help: or \($0) ranks with as much memory each: mpirun -n \($0) widgetfleet ...\n" } ?? "")
    case .endless(let path, let what):
      error("'\(path.printable)' was stopped: \(what.printable)")
        + "  = help: a reload date of 'after: 0s' or 'at-end' with 'cpu: 0s', no start delay and 'os.min_spacing: 0s' "
        + "starts the next run at the end of the last; give one of them a span\n"
    }
  }

  /// What stderr shows without the word that begins it.
  var reason: String { String(text.drop { $0 != " " }.split(separator: "\n").first ?? "").dropFirst().description }

  /// Bytes with a decimal unit and one decimal.
  static func size(_ bytes: Int) -> String {
    let isLarge = bytes >= 1_000_000_000
    let tenths = bytes / (isLarge ? 100_000_000 : 100_000)
    return "\(tenths / 10).\(tenths % 10) \(isLarge ? "GB" : "MB")"
  }

  private func error(_ sentence: String) -> String { "error: \(sentence)\n" }

  private func reason(_ number: Int32) -> String { String(cString: strerror(number)) }
}

extension String {
  /// The text without anything that a terminal would obey.
  var printable: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.isHidden ? "\u{FFFD}" : $0 }))
  }
}
