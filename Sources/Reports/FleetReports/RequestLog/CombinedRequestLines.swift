import FleetEngine

/// The predefined `combined` log format of nginx (ngx_http_log_module), which Apache servers also commonly use.
///
/// The format is: `$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer"
/// "$http_user_agent"`.
struct CombinedRequestLines: RequestLines {
  private let scene: RequestScene
  private var stamp = LineStamp()

  init(_ scene: RequestScene) { self.scene = scene }

  mutating func append(_ request: SentRequest, to text: inout TextBuffer) {
    scene.address(of: request).append(to: &text)
    text.append(" - - [")
    stamp.appendNamed(scene.unixMilliseconds(request.end), to: &text)
    text.append("] \"GET ")
    text.append(bytes: scene.path(of: request))
    text.append("?")
    scene.appendQuery(of: request, to: &text)
    text.append(" HTTP/2.0\" ")
    text.append(request.status)
    text.append(" ")
    text.append(scene.bytesDown(request))
    text.append(" \"-\" \"")
    text.append(bytes: scene.agent(of: request))
    text.append("\"\n")
  }
}
