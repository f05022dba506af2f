import Scenario
import SimulationKernel

/// Whether a phone is in use: what everything else asks about its owner, if it has one (MODEL.md 2).
struct Presence: BitwiseCopyable {
  /// `.never` during a session; a phone never used starts idle.
  var lastSessionEnd: Instant = .longAgo
  var isInSession = false
  var isForeground = false
  var isPlayingAudio = false

  /// Whether the app counts as active, so that its calls are free (MODEL.md 4.2).
  var isAppActive: Bool { isForeground || isPlayingAudio }
}

/// What the owner of a phone will do (MODEL.md 2).
struct PersonState: BitwiseCopyable {
  /// Unlocks per day, before the day's factor; 0: nobody uses the phone.
  var unlocksPerDay: Double
  var dayFactor = DayFactor()
  var unlocks: HourProcess
  var glances: HourProcess
  var audioSpells: HourProcess
  /// End of the present audio spell; in the past outside.
  var audioEnd: Instant = .longAgo
  /// For the length of the next audio spell.
  var audioLengthUniform: UInt64 = 0

  init(_ plan: PersonPlan, stream: DeviceStream, wall: WallClock, zone: Int, beginning: Instant) {
    unlocksPerDay =
      plan.unlocksPerDay.isConstant
      ? plan.unlocksPerDay.number(at: 0) : plan.unlocksPerDay.number(at: stream.block(.person).first)
    unlocks = HourProcess(beginning: beginning, wall: wall, hours: plan.hours[zone])
    glances = unlocks
    audioSpells = unlocks
  }
}

/// The factor of unlocks and glances on the last date that was asked for (MODEL.md 2.2).
struct DayFactor: BitwiseCopyable {
  private var date = LocalDay(number: .min)
  private var factor = 1.0

  /// What a phone's factors depend on.
  struct Law {
    let cohort: Prepared<CohortPlan>
    let stream: DeviceStream
    /// Whether the phone lives to tell what widgets ask for, on days that only it has (MODEL.md 1.4).
    let isPilot: Bool
  }

  /// The factor of a date.
  mutating func value(_ asked: LocalDay, _ law: Law) -> Double {
    if asked == date { return factor }
    date = asked
    let (own, common) = (law.cohort.person.dayFactor, law.cohort.person.fleetDayFactor)
    let stream = law.isPilot ? law.stream : law.stream.ofFleet
    factor =
      own.number(at: own.isConstant ? 0 : law.stream.block(.dayFactor, index: Int(asked.number)).first)
      * common.number(at: common.isConstant ? 0 : stream.commonDraw(of: asked))
    return factor
  }
}

/// A session, from one unlock to the next lock, and its key in draws.
struct SessionState: BitwiseCopyable {
  var key = 0
  var start: Instant = .never
  var end: Instant = .longAgo
  var lengthUniform: UInt64 = 0

  var length: TimeAmount { end - start }

  /// U(start, end).
  @inline(__always)
  func instant(at uniform: UInt64) -> Instant { start + SpanSampler.part(of: length, at: uniform) }
}
