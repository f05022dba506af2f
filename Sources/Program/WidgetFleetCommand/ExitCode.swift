/// The program's exit code.
enum ExitCode: Int32, CaseIterable {
  case success = 0
  /// A goal was not met, or a regression was found.
  case goalFailed = 1
  /// Nothing was simulated because the usage was incorrect or the scenario was invalid.
  case notSimulated = 2
  /// The program failed because of a bug.
  case bug = 3
  /// Reading or writing failed.
  case inputOutput = 4
  /// No setting meets the goals (`tune`, `capacity`), or no key can be identified (`calibrate`, `backtest`).
  case infeasible = 5
  /// The command stopped and can be continued with `--resume`. The code is EX_TEMPFAIL from sysexits.h, which makes
  /// batch systems retry.
  case resumable = 75
  case interrupted = 130
  case terminated = 143

  /// The description of the exit code in the manual.
  var meaning: String {
    switch self {
    case .success:
      "done; no goal of severity error failed (inconclusive goals and overload without a goal do not count)"
    case .goalFailed:
      "done, but a goal failed, or `compare`, `calibrate` or `backtest` found a regression or contradiction"
    case .notSimulated: "wrong usage or invalid scenario; nothing was simulated"
    case .bug: "a bug in WidgetFleet"
    case .inputOutput: "a read or write error"
    case .infeasible:
      "`tune` or `capacity` found nothing that meets the goals, or `calibrate` or `backtest` found nothing in the log"
    case .resumable: "stopped by a signal or the watchdog under MPI, or by SIGUSR1; continue with `--resume`"
    case .interrupted: "stopped by SIGINT; no half-written folder is left behind"
    case .terminated: "stopped by SIGTERM; no half-written folder is left behind"
    }
  }
}
