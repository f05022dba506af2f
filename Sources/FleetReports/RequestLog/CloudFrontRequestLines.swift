import FleetEngine
import Scenario

/// CloudFront's standard logs (legacy) with their 33 fields, parted by tabs (developer guide, "Standard logging
/// reference").
struct CloudFrontRequestLines: RequestLines {
  private let scene: RequestScene
  private var stamp = LineStamp()
  /// The agents that were encoded, by what they were.
  private var agents: [[UInt8]: [UInt8]] = [:]

  private static let host = "d111111abcdef8.cloudfront.net"
  private static let edge = "FRA56-P1"
  /// A viewer that has closed the connection is shown so.
  private static let noStatus = "000"

  init(_ scene: RequestScene) { self.scene = scene }

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
    text.append("\t\(Self.edge)\t")
    text.append(scene.bytesDown(request))
    text.append("\t")
    let address = scene.address(of: request)
    address.append(to: &text)
    text.append("\tGET\t\(Self.host)\t")
    text.append(bytes: scene.path(of: request))
    text.append("\t")
    if request.failure == .timeout { text.append(Self.noStatus) } else { text.append(request.status) }
    text.append("\t-\t")
    appendAgent(of: request, to: &text)
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

  /// 42 characters of base64 as CloudFront writes its ids, with the two equals signs at their end.
  private func appendID(of request: SentRequest, to text: inout TextBuffer) {
    let id = scene.requestID(request)
    text.append(hexadecimal: id.first, digits: 16)
    text.append(hexadecimal: id.second, digits: 16)
    text.append("==")
  }

  /// The percent signs of the agent and its blanks are encoded, as the guide lists them.
  private mutating func appendAgent(of request: SentRequest, to text: inout TextBuffer) {
    let agent = scene.agent(of: request)
    if let encoded = agents[agent] { return text.append(bytes: encoded) }
    let encoded = agent.flatMap { $0 <= 0x20 || $0 == UInt8(ascii: "%") ? PercentEncoding.triple($0) : [$0] }
    agents[agent] = encoded
    text.append(bytes: encoded)
  }
}
