import FleetEngine

/// Access log entries of an AWS Application Load Balancer, in the order of its user guide ("Access log entries").
struct LoadBalancerRequestLines: RequestLines {
  private let scene: RequestScene
  private var stamp = LineStamp()

  private static let loadBalancer = " app/widgets/50dc6c495c0c9188 "
  private static let target = "10.0.0.1:8080"
  /// The target, the time until it had the request, and, where it gave none, those of its answer.
  private static let answered = " \(target) 0.000 "
  private static let unanswered = " \(target) 0.000 -1 -1 "
  private static let targets = "\"\(target)\" \""
  private static let afterAgent =
    "TLS_AES_128_GCM_SHA256 TLSv1.3 arn:aws:elasticloadbalancing:us-east-2:123456789012:targetgroup/widgets/"
    + "73e2d6bc24d8a067 \"Root=1-"
  private static let afterTrace =
    "\" \"api.example.com\" \"arn:aws:acm:us-east-2:123456789012:certificate/12345678-1234-1234-1234-123456789012\" 0 "

  init(_ scene: RequestScene) { self.scene = scene }

  mutating func append(_ request: SentRequest, to text: inout TextBuffer) {
    let id = scene.requestID(request)
    text.append("h2 ")
    stamp.appendISO(scene.unixMilliseconds(request.end), furtherDigits: "000", to: &text)
    text.append(Self.loadBalancer)
    let address = scene.address(of: request)
    address.append(to: &text)
    text.append(":")
    text.append(address.port)
    appendAnswer(to: request, text: &text)
    text.append("\"GET https://api.example.com:443")
    text.append(bytes: scene.path(of: request))
    text.append("?")
    scene.appendQuery(of: request, to: &text)
    text.append(" HTTP/2.0\" \"")
    text.append(bytes: scene.agent(of: request))
    text.append("\" ")
    text.append(Self.afterAgent)
    text.append(hexadecimal: UInt64(bitPattern: scene.unixMilliseconds(request.arrival) / 1_000), digits: 8)
    text.append("-")
    text.append(hexadecimal: id.first, digits: 16)
    text.append(hexadecimal: id.second, digits: 8)
    text.append(Self.afterTrace)
    stamp.appendISO(scene.unixMilliseconds(request.arrival), furtherDigits: "000", to: &text)
    text.append(" \"forward\" \"-\" \"-\" ")
    appendTargets(of: request, to: &text)
    text.append(" \"-\" \"-\" TID_")
    text.append(hexadecimal: id.second, digits: 16)
    text.append(hexadecimal: id.first, digits: 16)
    text.append("\n")
  }

  /// From the target to the bytes, with the blanks around them.
  private func appendAnswer(to request: SentRequest, text: inout TextBuffer) {
    let isAnswered = request.failure != .timeout
    text.append(isAnswered ? Self.answered : Self.unanswered)
    if isAnswered {
      LineStamp.appendSeconds(request.duration, to: &text)
      text.append(" 0.000 ")
      text.append(request.status)
      text.append(" ")
      text.append(request.status)
    } else {
      // The client has closed the connection before there was an answer.
      text.append("460 -")
    }
    text.append(" ")
    text.append(scene.bytesUp(request))
    text.append(" ")
    text.append(scene.bytesDown(request))
    text.append(" ")
  }

  /// The lists of targets and of their statuses.
  private func appendTargets(of request: SentRequest, to text: inout TextBuffer) {
    text.append(Self.targets)
    if request.failure == .timeout { text.append("-") } else { text.append(request.status) }
    text.append("\"")
  }
}
