import ScenarioFiles

/// A value of the scenario that the command line or the environment changes.
struct Assignment: Sendable {
  /// PATH=VALUE.
  var text: String
  /// Where it was said: `--set`, `--seed`, `WIDGETFLEET_SEED`.
  var origin: String

  /// As readers of scenarios take it.
  var argument: SetArgument { SetArgument(text, option: origin) }
}
