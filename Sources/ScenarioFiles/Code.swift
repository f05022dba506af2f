package import Scenario

/// The texts of a code, for `explain` and for the documents.
package struct CodeMeaning: Sendable {
  /// A few words for lists.
  package var title: String
  /// What it means and how to mend it.
  package var help: String

  init(_ title: String, _ help: String) { (self.title, self.help) = (title, help) }
}

extension Code {
  package var meaning: CodeMeaning { keyText ?? valueText ?? goalText ?? lintText ?? consistencyText }
}

extension Code {
  private var keyText: CodeMeaning? {
    switch self {
    case .tooLarge:
      .init("the file is too large", "A scenario may have 4 MB and 200 000 YAML events; real ones have a few kB.")
    case .encoding: .init("the text is not UTF-8", "Save the file as UTF-8; a byte order mark is allowed.")
    case .controlCharacter:
      .init(
        "a control character",
        "Control, bidirectional and line separator characters may hide what a file says: take them out.")
    case .syntax:
      .init("not YAML", "The text cannot be read as YAML 1.2 from this place on; check brackets and indentation.")
    case .anchor: .init("anchors and aliases", "& and * are not read; write the value out. In text, put it in quotes.")
    case .tag: .init("tags", "! is not read: the keys decide the types. In text, put it in quotes.")
    case .secondDocument: .init("more than one document", "A file holds one scenario; split it where --- stands.")
    case .duplicateKey: .init("a key twice", "A key may stand once in its mapping; take one away.")
    case .empty: .init("nothing there", "The file has no content; `widgetfleet init` writes a scenario to begin with.")
    case .complexKey: .init("a key that is not text", "Keys are plain text; a list or mapping cannot be a key.")
    case .tooDeep: .init("nested too deep", "Mappings and lists may be nested 32 deep.")
    case .missingKey: .init("a key is missing", "The key has no default and must be written.")
    case .unknownKey:
      .init("unknown key", "Keys are those of the scenario reference; a note of your own begins with x-.")
    case .settingSyntax: .init("--set without PATH=VALUE", "Write --set kinds.weather.jitter.up_to=5min.")
    case .settingPath:
      .init("--set names no key", "A path is keys joined by dots; items of lists by number from 0, or by name.")
    case .schemaFirst: .init("schema is not the first key", "Begin the file with schema: widgetfleet/v1.")
    case .conflictingKeys:
      .init(
        "keys that exclude each other",
        "The keys say the same thing in two ways, or one has no use beside the other: keep one.")
    default: nil
    }
  }

  private var valueText: CodeMeaning? {
    switch self {
    case .wrongShape:
      .init("a mapping, a list or a plain value in the wrong place", "Write the form the message names.")
    case .unreadable: .init("a value that cannot be read", "Write it in the form the message names.")
    case .unitMissing:
      .init(
        "a unit is missing",
        "Durations, shares, sizes and rates carry their unit: 15min, 5%, 20kB, 7k/s. Only 0 needs none.")
    case .unitUnknown:
      .init(
        "unknown unit",
        "Units: ms s min h d w; %; k M G; B kB MB GB KiB MiB GiB; /s /min /h /day; or in words: "
          + "2 hours, 3 million, 2500 rps.")
    case .outOfRange: .init("out of range", "The value is smaller or larger than the key allows.")
    case .unknownWord: .init("not one of the words", "The key takes one of a few words; the message lists them.")
    case .notBoolean: .init("not true or false", "YAML 1.2: only true and false are booleans.")
    case .ambiguousNumber:
      .init(
        "a number that could mean several things", "010 (octal?), 1:30 (minutes?), .nan, 0x10: write a plain decimal.")
    case .notExact:
      .init("not a whole number of the smallest unit", "Times are whole milliseconds, sizes whole bytes, counts whole.")
    case .badInstant: .init("not an instant", "Write date, T, time and offset: 2027-01-18T00:00:00Z or ...+01:00.")
    case .badClockTime:
      .init("not a clock time or days", "Write \"09:30\" from 00:00 to 24:00; days mon-fri or [mon, sat].")
    case .unknownZone: .init("unknown time zone", "Zones are IANA names: Europe/Berlin, America/New_York, UTC.")
    case .badName:
      .init("not a name", "Names have 1 to 100 printable characters; the scenario's own only a-z, 0-9 and -.")
    case .badDistribution:
      .init(
        "not a distribution",
        "A plain value or one of {uniform: a..b} {exponential: mean} {normal: {mean, sd}} "
          + "{lognormal: {median, sigma}} {lognormal: {median, p95}} {choice: {value: share}}.")
    case .missingValue: .init("a key without a value", "Write a value or take the key out.")
    case .wrongLength: .init("a list of the wrong length", "The message says how many values the list has.")
    case .unknownSchema: .init("unknown version of the format", "This version reads schema: widgetfleet/v1.")
    default: nil
    }
  }

  private var goalText: CodeMeaning? {
    switch self {
    case .badAssertion:
      .init(
        "an assertion that cannot be read",
        "Write metric{label=value} OP limit, such as \"p95(lateness{kind=weather}) <= 20min\"; OP is <= < >= > == or !=; "
          + "the limit a value with its unit, another metric, or 150% of one.")
    case .unknownMetric: .init("unknown metric", "Metrics are those of section 8 of the model; the message lists them.")
    case .unknownLabel: .init("a label that the metric does not have", "The message lists the labels of the metric.")
    case .unknownLabelValue:
      .init("nothing of that name", "Labels take names of the scenario, or the model's words for causes and reasons.")
    case .wrongDimension:
      .init(
        "a limit in another unit", "Load 7k/s, frequencies 40/day, times 15min, shares 2%, sizes 20MB, energies 5J.")
    case .noSuchFigure:
      .init(
        "a figure that is never known", "The metric has no such statistic, or is not split by these labels together.")
    default: nil
    }
  }

  private var consistencyText: CodeMeaning {
    switch self {
    case .sharesDoNotAddUp: .init("shares do not add up to 100 %", "The shares of one group must add up exactly.")
    case .stepDoesNotDivide:
      .init("step does not divide", "clock.step must divide settle, warmup and duration without remainder.")
    case .unknownName:
      .init(
        "a name that nothing bears", "Kinds, groups, radios and phones are named elsewhere in the file, or built in.")
    case .duplicateName: .init("a name twice", "Names in one group must differ.")
    case .wrongOrder: .init("the wrong way round", "The smaller value comes first.")
    case .tooBig: .init("too big to simulate", "The message says which limit; see run.simulate and clock.step.")
    case .simulatesTooMany: .init("simulates more than there are", "run.simulate is at most fleet.devices.")
    case .allZero: .init("all weights are 0", "At least one weight must be above 0.")
    case .nothingThere: .init("an empty list or mapping", "At least one entry is needed here.")
    case .outsideClock: .init("outside the clock", "Events lie between the beginning of the warm-up and the end.")
    case .noReceiver:
      .init("a push that nobody receives", "ios-17 knows no widget push: use silent ones, or newer cohorts.")
    case .differentShares:
      .init("a group with two shares", "A named group keeps its members, so it has one share wherever it is named.")
    case .stepTooLong:
      .init(
        "step too long for the backend", "With limits clock.step is at most 10 s, and a tenth of every ttl and delay.")
    case .beyondAccount:
      .init(
        "more than can be counted",
        "Requests, bytes and energy are counted in whole numbers of limited width, for phones that do 20 times the mean "
          + "of their cohort. The limits lie a hundred times beyond plausible fleets: look for a unit that is wrong.")
    // .queueTooShort, the one that is left.
    default:
      .init("a queue shorter than a step", "A queue holds at least what the capacity serves in one clock.step.")
    }
  }
}
