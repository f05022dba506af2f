package import Scenario
package import SimulationKernel

/// A cohort of devices, prepared for the event path.
package struct CohortPlan: BitwiseCopyable, Sendable {
  /// The number of the first device of the cohort within the fleet.
  package var firstDevice: Int
  package var devices: Int
  /// The distribution from which a phone's index into the cohort's zones is drawn.
  package var zone: ChoiceTable<Int>
  /// The number of each of the cohort's zones in the plan.
  package var zoneNumbers: PreparedList<Int>
  /// The distribution from which a phone's index into the cohort's phone models is drawn.
  package var phone: ChoiceTable<Int>
  package var members: PreparedList<MemberPlan>
  package var system: SystemPlan
  package var network: NetworkPlan
  package var power: PowerPlan
  package var person: PersonPlan
  /// Whether the phones of the cohort may have users.
  package var hasPeople: Bool
  /// The gradual addition or removal of phones; `nil` if their number is constant.
  package var growth: GrowthPlan?

  package init(
    firstDevice: Int, devices: Int, zone: ChoiceTable<Int>, zoneNumbers: PreparedList<Int>,
    phone: ChoiceTable<Int>, members: PreparedList<MemberPlan>, system: SystemPlan, network: NetworkPlan,
    power: PowerPlan, person: PersonPlan, hasPeople: Bool
  ) {
    self.firstDevice = firstDevice
    self.devices = devices
    self.zone = zone
    self.zoneNumbers = zoneNumbers
    self.phone = phone
    self.members = members
    self.system = system
    self.network = network
    self.power = power
    self.person = person
    self.hasPeople = hasPeople
  }
}

/// A widget that the devices of a cohort may have placed, either separately or in a stack.
package struct MemberPlan: BitwiseCopyable, Sendable {
  package var kind: KindIndex
  package var family: Family
  /// The number of the member's placement; all members of a stack are placed together.
  package var placement: Int
  package var share: Chance
  /// The capacity C of the budget, in runs per day.
  package var capacity: CapacityPlan
  /// The page of the home screen, starting at 1; it is 0 for the lock screen.
  package var page: Int
  /// The distribution of the index of the member that the stack shows, where -1 stands for another app's widget; `nil`
  /// if the member is not in a stack.
  package var stack: ChoiceTable<Int>?
  /// The index of the member in its stack.
  package var stackIndex: Int
  /// The estimate of seven times v, used until views have been counted for seven days (MODEL.md 4.7).
  package var estimatedWeek: Int
  /// The distribution of the number of tap bursts in a session; `nil` if there are no taps.
  package var bursts: ChoiceTable<Int>?
  /// The demand from which budgets in their stationary state are drawn; `nil` if the widgets start as new widgets.
  package var demand: DemandPlan?

  package init(
    kind: KindIndex, family: Family, placement: Int, share: Chance, capacity: CapacityPlan, page: Int,
    stack: ChoiceTable<Int>?, stackIndex: Int, estimatedWeek: Int, bursts: ChoiceTable<Int>?
  ) {
    self.kind = kind
    self.family = family
    self.placement = placement
    self.share = share
    self.capacity = capacity
    self.page = page
    self.stack = stack
    self.stackIndex = stackIndex
    self.estimatedWeek = estimatedWeek
    self.bursts = bursts
  }

  package var isOnLockScreen: Bool { page == 0 }
}

/// The rule for the daily capacity C of an instance's budget (MODEL.md 4.7).
package enum CapacityPlan: BitwiseCopyable, Sendable {
  case fixed(RunMillionths)
  /// A capacity based on the views of a week: the value used for the estimate, followed by a table with one value per
  /// number of views. The last entry also applies to all larger numbers.
  case views(RunMillionths, PreparedList<RunMillionths>)
  /// A capacity that is drawn uniformly for each instance.
  case range(RunMillionths, RunMillionths)
  /// A capacity in runs per day that is drawn once per phone and kind.
  case drawn(NumberSampler)
}

/// The prepared constants of the scheduler (MODEL.md 4).
package struct SystemPlan: BitwiseCopyable, Sendable {
  package var minSpacing: TimeAmount
  package var policyDelay: SpanSampler
  /// The start delay of policy and retry tickets when a session is in progress at the eligible instant.
  package var inUseDelay: SpanSampler
  /// Whether the start delay of policy and retry tickets depends on whether a session is in progress at the eligible
  /// instant.
  package var delayDependsOnSession: Bool
  package var backgroundDelay: SpanSampler
  package var widgetPushDelay: SpanSampler
  /// Whether widget pushes have an effect (systems before iOS 26 ignore them).
  package var takesWidgetPushes: Bool
  package var silentPushDelivered: Chance
  package var silentPushesPerHour: Int
  package var coalescingWindow: TimeAmount
  package var atEndGap: TimeAmount
  package var idle: Idle?
  package var budget: BudgetPlan
  package var staleViewRare: Chance
  package var staleViewFrequent: Chance
  package var staleViewGrace: TimeAmount
  package var foregroundLatency: SpanSampler
  package var foregroundGap: TimeAmount
  /// The maximum time for which Low Power Mode withholds a run.
  package var lowPowerWait = TimeAmount.minutes(15)
  /// The time after which a crashed run is due again.
  package var crashRetry = TimeAmount.hour

  package init(
    minSpacing: TimeAmount, policyDelay: SpanSampler, inUseDelay: SpanSampler, delayDependsOnSession: Bool,
    backgroundDelay: SpanSampler, widgetPushDelay: SpanSampler, takesWidgetPushes: Bool, silentPushDelivered: Chance,
    silentPushesPerHour: Int, coalescingWindow: TimeAmount, atEndGap: TimeAmount, idle: Idle?, budget: BudgetPlan,
    staleViewRare: Chance, staleViewFrequent: Chance, staleViewGrace: TimeAmount, foregroundLatency: SpanSampler,
    foregroundGap: TimeAmount
  ) {
    self.minSpacing = minSpacing
    self.policyDelay = policyDelay
    self.inUseDelay = inUseDelay
    self.delayDependsOnSession = delayDependsOnSession
    self.staleViewRare = staleViewRare
    self.staleViewFrequent = staleViewFrequent
    self.staleViewGrace = staleViewGrace
    self.foregroundLatency = foregroundLatency
    self.foregroundGap = foregroundGap
    self.backgroundDelay = backgroundDelay
    self.widgetPushDelay = widgetPushDelay
    self.takesWidgetPushes = takesWidgetPushes
    self.silentPushDelivered = silentPushDelivered
    self.silentPushesPerHour = silentPushesPerHour
    self.coalescingWindow = coalescingWindow
    self.atEndGap = atEndGap
    self.idle = idle
    self.budget = budget
  }
}

/// The prepared budget rule (MODEL.md 4.7).
package struct BudgetPlan: BitwiseCopyable, Sendable {
  package var model: Budget.Model
  package var accrual: Budget.Accrual
  /// The maximum balance, in millionths of the capacity of one day.
  package var carryOverMillionths: Int64
  /// The local hour at which the user's night begins.
  package var nightHour: Int64

  /// The maximum balance, in multiples of the capacity of one day.
  var carryOver: Double { Double(carryOverMillionths) / 1_000_000 }

  package init(
    model: Budget.Model, accrual: Budget.Accrual, carryOverMillionths: Int64,
    nightHour: Int = HourWeights.default.nightHour
  ) {
    self.model = model
    self.accrual = accrual
    self.carryOverMillionths = carryOverMillionths
    self.nightHour = Int64(nightHour)
  }
}

/// The charging habits of a cohort's users, prepared for the event path (MODEL.md 3.2).
package enum PowerPlan: BitwiseCopyable, Sendable {
  case mains
  case battery(BatteryPlan)

  /// Whether the phones have a battery that needs checks; phones on mains power do not.
  @inline(__always)
  var hasBattery: Bool { if case .battery = self { true } else { false } }

  /// Returns the energy of a full battery, which has no effect on phones on mains power.
  func capacity(phone: Int) -> Energy {
    switch self {
    case .mains: .zero
    case .battery(let battery): battery.capacities[phone]
    }
  }

  /// Whether the phone may charge overnight.
  var chargesOvernight: Bool {
    if case .battery(let battery) = self { !battery.overnight.isImpossible } else { false }
  }
}

/// A battery and its user's charging habits, prepared for the event path.
package struct BatteryPlan: BitwiseCopyable, Sendable {
  /// The probability that the phone is charged overnight.
  package var overnight: Chance
  /// The times of day, since midnight, at which the phone is plugged in (`plug`) and unplugged.
  package var plug: SpanSampler
  package var unplug: SpanSampler
  /// The probability that the user charges the phone to 80 % after a drop below 15 %.
  package var topUp: Chance
  /// The probability that Low Power Mode is turned on after a drop below 20 %.
  package var lowPowerMode: Chance
  /// The energy of a full battery of each of the cohort's phone models.
  package var capacities: PreparedList<Energy>

  package init(
    overnight: Chance, plug: SpanSampler, unplug: SpanSampler, topUp: Chance, lowPowerMode: Chance,
    capacities: PreparedList<Energy>
  ) {
    self.overnight = overnight
    self.plug = plug
    self.unplug = unplug
    self.topUp = topUp
    self.lowPowerMode = lowPowerMode
    self.capacities = capacities
  }
}

/// The habits of a cohort's users, prepared for the event path (MODEL.md 2).
package struct PersonPlan: BitwiseCopyable, Sendable {
  /// The distribution of the number of unlocks per day, drawn once for each device.
  package var unlocksPerDay: NumberSampler
  /// The distribution of the day factor, drawn for each local date.
  package var dayFactor: NumberSampler
  /// The distribution of the day factor that all devices share, drawn for each local date.
  package var fleetDayFactor = NumberSampler.constant(1)
  /// The probability that Background App Refresh is off on a device, and the probability that the user always
  /// force-quits the app.
  package var (refreshOff, forceQuit) = (Chance(.none), Chance(.none))
  /// The exponential distribution with mean 1: the gaps between events of a Poisson process, in units of the mean gap.
  package var unitGap: NumberSampler
  package var hours: PreparedList<HourProfile>
  package var session: SpanSampler
  /// The number of glances per unlock; it is 0 if no widget is on the lock screen.
  package var glancesPerUnlock: Double
  /// The distribution of the number of home screen visits after the first one in a session.
  package var furtherVisits: ChoiceTable<Int>
  /// The distribution of the last page that a visit reaches, starting at 1.
  package var depth: ChoiceTable<Int>
  /// The probability that the app is opened in a session.
  package var appOpens: Chance
  package var foreground: SpanSampler
  /// The number of audio sessions per day; it is 0 if users have no audio sessions.
  package var audioPerDay: Double
  package var audioLength: SpanSampler

  package init(
    unlocksPerDay: NumberSampler, dayFactor: NumberSampler, unitGap: NumberSampler, hours: PreparedList<HourProfile>,
    session: SpanSampler, glancesPerUnlock: Double, furtherVisits: ChoiceTable<Int>, depth: ChoiceTable<Int>,
    appOpens: Chance, foreground: SpanSampler, audioPerDay: Double, audioLength: SpanSampler
  ) {
    self.unlocksPerDay = unlocksPerDay
    self.dayFactor = dayFactor
    self.unitGap = unitGap
    self.hours = hours
    self.session = session
    self.glancesPerUnlock = glancesPerUnlock
    self.furtherVisits = furtherVisits
    self.depth = depth
    self.appOpens = appOpens
    self.foreground = foreground
    self.audioPerDay = audioPerDay
    self.audioLength = audioLength
  }
}

/// The distribution of a day's rate over the hours of the day, in one zone (MODEL.md 2.1, 2.2).
package struct HourProfile: BitwiseCopyable, Sendable {
  /// A piece of a date during which the intensity changes linearly.
  package struct Piece: BitwiseCopyable, Sendable {
    /// The time from the start of the date to the start of the piece.
    package var from: TimeAmount
    /// The fraction of a regular day's rate that has elapsed when the piece starts.
    package var passed: Double
    /// The time in ms that a whole day's rate would take at the intensity at the start of the piece; 0 if that
    /// intensity is 0.
    package var millisecondsPerDayRate: Double
    /// The increase in the squared intensity, relative to the start of the piece, per unit of the elapsed fraction.
    package var bend: Double

    package init(from: TimeAmount, passed: Double, millisecondsPerDayRate: Double, bend: Double = 0) {
      self.from = from
      self.passed = passed
      self.millisecondsPerDayRate = millisecondsPerDayRate
      self.bend = bend
    }
  }

  /// The pieces of one date, and how much of a regular day's rate they contain.
  package struct Day: BitwiseCopyable, Sendable {
    package var pieces: PreparedList<Piece>
    package var total: Double

    package init(pieces: PreparedList<Piece>, total: Double) {
      self.pieces = pieces
      self.total = total
    }

    /// Returns the time from the start of the date until a fraction (below `total`) of the rate has elapsed.
    ///
    /// - Parameter index: the index of a piece no later than the one that contains the fraction; on return, the index
    ///   of the containing piece.
    package func time(of share: Double, from index: inout UInt32) -> TimeAmount {
      while Int(index) + 1 < pieces.count, pieces.element(at: Int(index) + 1).passed <= share { index += 1 }
      let piece = pieces.element(at: Int(index))
      let inside = share - piece.passed
      // The mean of the intensities at the start of the piece and at the requested time, relative to the former.
      let mean = (1 + max(1 + piece.bend * inside, 0).squareRoot()) / 2
      return piece.from + .milliseconds(Int64(inside * piece.millisecondsPerDayRate / mean))
    }

    /// Returns the fraction of the rate that has elapsed at a time, measured from the start of the date.
    package func share(at time: TimeAmount) -> Double {
      let index = max(pieces.prefixLength { $0.from <= time } - 1, 0)
      let piece = pieces.element(at: index)
      guard piece.millisecondsPerDayRate > 0 else { return piece.passed }
      let atFirst = Double((time - piece.from).milliseconds) / piece.millisecondsPerDayRate
      return min(piece.passed + atFirst * (1 + piece.bend * atFirst / 4), total)
    }
  }

  /// A date on which daylight saving starts or ends.
  package struct Exception: BitwiseCopyable, Sendable {
    package var date: LocalDay
    package var day: Day

    package init(date: LocalDay, day: Day) {
      self.date = date
      self.day = day
    }
  }

  package var regular: Day
  /// The exceptions in chronological order.
  package var exceptions: PreparedList<Exception>

  package init(regular: Day, exceptions: PreparedList<Exception>) {
    self.regular = regular
    self.exceptions = exceptions
  }

  package func day(_ date: LocalDay) -> Day {
    for index in 0..<exceptions.count where exceptions[index].date == date { return exceptions[index].day }
    return regular
  }
}

/// The network of a cohort's devices, prepared for the event path (MODEL.md 3.1).
package struct NetworkPlan: BitwiseCopyable, Sendable {
  /// The single radio of a constant network, or the Wi-Fi radio followed by the cellular radio.
  package var radios: PreparedList<RadioPlan>
  /// The changes of the interface; `nil` if the interface never changes.
  package var roaming: RoamingPlan?
  /// The offline spells; `nil` if phones are never offline.
  package var offline: OfflinePlan?

  package init(radios: PreparedList<RadioPlan>, roaming: RoamingPlan?, offline: OfflinePlan?) {
    self.radios = radios
    self.roaming = roaming
    self.offline = offline
  }

  /// Returns the radio of the first or the second interface.
  @inline(__always)
  func radio(isOnWifi: Bool) -> Prepared<RadioPlan> { radios.element(at: isOnWifi ? 0 : 1) }
}

/// The random changes of the interface.
package struct RoamingPlan: BitwiseCopyable, Sendable {
  /// The gap between draws of the interface, which is exponentially distributed.
  package var gap: SpanSampler
  /// The probability of Wi-Fi in each local hour.
  package var wifi: PreparedList<Chance>

  package init(gap: SpanSampler, wifi: PreparedList<Chance>) {
    self.gap = gap
    self.wifi = wifi
  }
}

/// The spells without a network; the lengths of online and offline spells are exponentially distributed.
package struct OfflinePlan: BitwiseCopyable, Sendable {
  /// The probability that a phone is offline when the simulation starts.
  package var share: Chance
  package var offline: SpanSampler
  package var online: SpanSampler

  package init(share: Chance, offline: SpanSampler, online: SpanSampler) {
    self.share = share
    self.offline = offline
    self.online = online
  }
}
