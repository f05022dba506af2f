import FleetEngine
import Scenario

/// A format with one JSON object per line. All text is percent-encoded, so no escaping is needed.
struct JSONRequestLines: RequestLines {
  private let scene: RequestScene
  private var stamp = LineStamp()

  init(_ scene: RequestScene) { self.scene = scene }

  mutating func append(_ request: SentRequest, to text: inout TextBuffer) {
    text.append("{\"arrival\":\"")
    stamp.appendISO(scene.unixMilliseconds(request.arrival), to: &text)
    text.append("\",\"id\":\"")
    text.append(hexadecimal: scene.install(of: request), digits: 16)
    text.append("\",\"method\":\"GET\",\"path\":\"")
    text.append(bytes: scene.path(of: request))
    text.append("\",\"query\":\"")
    scene.appendQuery(of: request, to: &text)
    text.append("\",\"status\":")
    text.append(request.status)
    text.append(",\"bytes\":")
    text.append(scene.bytesDown(request))
    text.append(",\"duration\":")
    LineStamp.appendSeconds(request.duration, to: &text)
    text.append(",\"user_agent\":\"")
    text.append(bytes: scene.agent(of: request))
    if let word = Self.word(request.edge) {
      text.append("\",\"cache\":\"")
      text.append(word)
    }
    let id = scene.requestID(request)
    text.append("\",\"request_id\":\"")
    text.append(hexadecimal: id.first, digits: 16)
    text.append(hexadecimal: id.second, digits: 16)
    text.append("\"}\n")
  }

  private static func word(_ edge: EdgeAnswer) -> String? {
    switch edge {
    case .none: nil
    case .hit: "hit"
    case .miss: "miss"
    case .copy: "stale"
    case .cachedError: "error"
    }
  }
}

extension SentRequest {
  /// The HTTP status code. As in nginx, it is 499 if the client abandoned the request.
  package var status: Int64 {
    switch failure {
    case nil: 200
    case .limited: 429
    case .timeout: 499
    case .outage, .refused, .cachedError, .offline: 503
    }
  }
}
