import SimulationKernel

/// Requests of a flight that are on their way together: all of them at first, one of them later.
///
/// Handed on by reference: a copy at every call would cost more than most calls do.
struct RequestBatch {
  let source: FlightSource
  let number: FlightNumber
  private let requestInFewBits: UInt16
  private let attemptInFewBits: UInt8
  /// Radio plan of the interface that they were sent on.
  let radio: Prepared<RadioPlan>
  /// Sent in a session.
  let isInSession: Bool
  private let payerInFewBits: UInt8

  init(_ source: FlightSource, _ way: RequestOnWay, radio: Prepared<RadioPlan>, payer: Int) {
    self.source = source
    number = way.flight
    requestInFewBits = way.request
    attemptInFewBits = UInt8(truncatingIfNeeded: way.attempt)
    self.radio = radio
    isInSession = way.isInSession
    payerInFewBits = UInt8(truncatingIfNeeded: payer)
  }

  /// nil: all.
  @inline(__always)
  var request: Int? { Int(requestInFewBits) == DeviceEvent.allRequests ? nil : Int(requestInFewBits) }
  /// Tries before this one.
  @inline(__always)
  var attempt: Int { Int(attemptInFewBits) }
  /// Whose energy account they burden.
  @inline(__always)
  var payer: Int { Int(payerInFewBits) }
}

/// What a try, or an arrival, has made of a flight.
struct FlightNews {
  /// Whether something of it was sent or answered, which those who joined it wait for.
  let isInTheAir: Bool
  /// Whether all of its requests have come to their end.
  let hasLanded: Bool
}

/// Requests of a flight between the phone and the backend.
struct RequestOnWay {
  let flight: FlightNumber
  /// By its number in the flight; `DeviceEvent.allRequests`: all together.
  let request: UInt16
  let attempt: UInt16
  /// Changes of the interface up to when they were sent.
  let changes: UInt8
  /// Sent in a session.
  let isInSession: Bool
}

extension RequestOnWay {
  /// Requests that leave now.
  @inline(__always)
  init(_ flight: FlightNumber, request: Int, attempt: Int, on phone: inout PhoneCore) {
    self.init(
      flight: flight, request: UInt16(truncatingIfNeeded: request), attempt: UInt16(truncatingIfNeeded: attempt),
      changes: 0, isInSession: phone.presence.isInSession)
  }
}
