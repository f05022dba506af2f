/// A problem in a scenario file, or a warning about a valid file; raw values are stable codes.
///
/// WF0xx YAML, WF1xx keys, WF2xx values and units, WF3xx consistency, WF4xx lints, WF5xx goals and metrics.
package enum Code: String, CaseIterable, Sendable {
  case tooLarge = "WF001"
  case encoding = "WF002"
  case controlCharacter = "WF003"
  case syntax = "WF004"
  case anchor = "WF005"
  case tag = "WF006"
  case secondDocument = "WF007"
  case duplicateKey = "WF008"
  case empty = "WF009"
  case complexKey = "WF010"
  case tooDeep = "WF011"
  case missingKey = "WF101"
  case unknownKey = "WF102"
  case settingSyntax = "WF103"
  case settingPath = "WF104"
  case schemaFirst = "WF105"
  case conflictingKeys = "WF106"
  case wrongShape = "WF201"
  case unreadable = "WF202"
  case unitMissing = "WF203"
  case unitUnknown = "WF204"
  case outOfRange = "WF205"
  case unknownWord = "WF206"
  case notBoolean = "WF207"
  case ambiguousNumber = "WF208"
  case notExact = "WF209"
  case badInstant = "WF210"
  case badClockTime = "WF211"
  case unknownZone = "WF212"
  case badName = "WF213"
  case badDistribution = "WF214"
  case missingValue = "WF215"
  case wrongLength = "WF216"
  case unknownSchema = "WF217"
  case sharesDoNotAddUp = "WF301"
  case stepDoesNotDivide = "WF302"
  case unknownName = "WF303"
  case duplicateName = "WF304"
  case wrongOrder = "WF305"
  case tooBig = "WF306"
  case simulatesTooMany = "WF307"
  case allZero = "WF308"
  case nothingThere = "WF309"
  case outsideClock = "WF310"
  case noReceiver = "WF311"
  case differentShares = "WF312"
  case stepTooLong = "WF313"
  case queueTooShort = "WF314"
  case beyondAccount = "WF315"
  case intervalBelowSpacing = "WF401"
  case beyondBudget = "WF402"
  case entriesNeverShown = "WF403"
  case alignedDates = "WF404"
  case errorsOutrunBudget = "WF405"
  case sampleTooSmall = "WF406"
  case neverUnlocked = "WF407"
  case cacheOutlivesInterval = "WF408"
  case jitterBeyondInterval = "WF409"
  case pushesBeyondLimit = "WF410"
  case meanBeyondCapacity = "WF414"
  case longWork = "WF415"
  case goalOfOtherLoad = "WF416"
  case startStillShows = "WF417"
  case profileOfOtherSystem = "WF418"
  case baseLoadElsewhere = "WF419"
  case windowSteppedOver = "WF420"
  case closeEntries = "WF421"
  case manyEntries = "WF422"
  case shortDay = "WF423"
  case endpointWithoutRequests = "WF424"
  case badAssertion = "WF501"
  case unknownMetric = "WF502"
  case unknownLabel = "WF503"
  case unknownLabelValue = "WF504"
  case wrongDimension = "WF505"
  case noSuchFigure = "WF506"

  /// Whether the code is a warning about a valid scenario.
  package var isLint: Bool { rawValue.hasPrefix("WF4") }
}

/// Removed commands, options and key values, in their original spelling, each with advice on what to use instead.
package enum Removed {
  static let all = [
    "backtest --rolling": "run one backtest for each split of days, with --train and --test",
    "bench": "run make bench in the source folder",
    "explain --days": labs,
    "explain --phones": labs,
    "explain lab": labs,
    "export --to vegeta": "use --to k6 or --to locust",
    "os.profile.os.*.method: pooled": "use lab: a profile contains what one lab has measured",
    "profile":
      "use a lab's profile as it is, os: {profile: FILE}; compare SCENARIO --with os.profile=FILE for another lab's",
    "run --requests-as alb": "use --requests-as nginx or --requests-as jsonl",
    "run --requests-as cloudfront": "use --requests-as nginx or --requests-as jsonl",
    "run --events": "use --device N for one line per reload; --format json shows every event",
    "run --only radios.csv":
      "compare the run with itself on another radio: widgetfleet compare DIR --with fleet.cohorts.NAME.network=RADIO",
    "tradeoff": "use sweep: with goals for two figures, its page shows the trade-off and the choice",
    "sweep --method latin-hypercube": "use --method sobol",
    "sweep.method: latin-hypercube": "use sobol",
  ]

  private static let labs = "Docs/LAB.md describes the protocol and how precise five phones are after two weeks"

  /// Returns advice on a removed command, option or scenario key, which may be given with its value; `nil` if there is
  /// no advice.
  package static func advice(_ words: String...) -> String? { all[words.joined(separator: " ")] }
}
