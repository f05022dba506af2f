import FleetEngine
import Scenario

/// CloudFront's standard logs (legacy) with their 33 fields, parted by tabs (developer guide, "Standard logging
/// reference").
struct CloudFrontRequestLines: RequestLines {
  private let scene: RequestScene
  private var stamp = LineStamp()

  /// An edge location in Frankfurt.
  private static let afterTime = "\tFRA56-P1\t"
  private static let afterAddress = "\tGET\td111111abcdef8.cloudfront.net\t"
  /// A viewer that has closed the connection is shown so.
  private static let noStatus = "000"

  init(_ scene: RequestScene) { self.scene = scene.encodingAgents(Self.encoded) }

  /// The percent signs of an agent and its blanks are encoded, as the guide lists them.
  private static func encoded(_ agent: [UInt8]) -> [UInt8] {
    agent.flatMap { $0 <= 0x20 || $0 == UInt8(ascii: "%") ? PercentEncoding.triple($0) : [$0] }
  }

  var head: String {
    "#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status "
      + "cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header "
      + "cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type "
      + "cs-protocol-version fle-status fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type "
      + "sc-content-type sc-content-len sc-range-start sc-range-end\n"
  }

  mutating func append(_ request: SentRequest, to text: inout TextBuffer) {
    let result = Self.result(request)
    stamp.appendColumns(scene.unixMilliseconds(request.end), to: &text)
    text.append(Self.afterTime)
    text.append(scene.bytesDown(request))
    text.append("\t")
    let address = scene.address(of: request)
    address.append(to: &text)
    text.append(Self.afterAddress)
    text.append(bytes: scene.path(of: request))
    text.append("\t")
    if request.failure == .timeout { text.append(Self.noStatus) } else { text.append(request.status) }
    text.append("\t-\t")
    text.append(bytes: scene.agent(of: request))
    text.append("\t")
    scene.appendQuery(of: request, to: &text)
    text.append("\t-\t")
    text.append(result)
    text.append("\t")
    appendID(of: request, to: &text)
    text.append("\tapi.example.com\thttps\t")
    text.append(scene.bytesUp(request))
    text.append("\t")
    LineStamp.appendSeconds(request.duration, to: &text)
    text.append("\t-\tTLSv1.3\tTLS_AES_128_GCM_SHA256\t")
    text.append(result)
    text.append("\tHTTP/2.0\t-\t-\t")
    text.append(address.port)
    text.append("\t")
    LineStamp.appendSeconds(request.duration, to: &text)
    text.append("\t")
    text.append(request.failure == .timeout ? "ClientCommError" : result)
    text.append("\tapplication/json\t")
    text.append(scene.bytesDown(request))
    text.append("\t-\t-\n")
  }

  /// What the edge did: what is not cached is a miss, too.
  private static func result(_ request: SentRequest) -> String {
    guard request.failure == nil else { return "Error" }
    switch request.edge {
    case .hit: return "Hit"
    // It asked the origin and fell back on what it had.
    case .copy: return "RefreshHit"
    case .none, .miss, .cachedError: return "Miss"
    }
  }

  /// Ends in two equals signs as CloudFront's ids do, which are opaque.
  private func appendID(of request: SentRequest, to text: inout TextBuffer) {
    let id = scene.requestID(request)
    text.append(hexadecimal: id.first, digits: 16)
    text.append(hexadecimal: id.second, digits: 16)
    text.append("==")
  }
}
