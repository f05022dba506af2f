import Scenario
import SimulationKernel
import Studies

/// A shell script for vegeta, which holds one rate in each attack: an attack for each step of each endpoint, begun when
/// it is due, however late answers come.
func vegetaScript(of test: LoadTest) -> [UInt8] {
  let remarks =
    test.remarks(arrivals: "Each step has its requests, evenly spread.") + [
      "Run: bash FILE [FOLDER]     what vegeta found goes to FOLDER/*.bin, a report of it to standard output;",
      "with another target: BASE_URL=http://host:port bash FILE",
    ]
  let attacks = test.plan.targets.enumerated().map { index, target in
    let steps = test.pieces(target, joined: false).map { "\($0.length.milliseconds) \($0.requests)\n" }.joined()
    return "attack \(quoted("endpoint_\(index + 1)")) \(quoted(test.path(target))) <<'STEPS' &\n" + steps + "STEPS\n"
  }
  let text =
    "#!/usr/bin/env bash\n" + remarks.map { "# " + $0 + "\n" }.joined() + #"""
      set -euo pipefail

      command -v vegeta > /dev/null || { echo "vegeta is not in PATH: https://github.com/tsenart/vegeta" >&2; exit 1; }

      base=${BASE_URL:-\#(quoted(test.base))}
      out=${1:-$(mktemp -d)}
      mkdir -p "$out"

      # Milliseconds since 1970.
      now() { echo $((${EPOCHREALTIME/[.,]/} / 1000)); }

      # attack NAME PATH: reads lines of milliseconds and requests, and begins an attack for each when it is due.
      attack() {
        local due=$begin step=0 length count rest
        while read -r length count; do
          rest=$((due - $(now)))
          ((rest <= 0)) || sleep "$((rest / 1000)).$(printf %03d $((rest % 1000)))"
          # To vegeta a rate of 0 is no limit at all.
          if ((count > 0)); then
            echo "GET $base$2" | vegeta attack -name="$1" -rate="$count/${length}ms" -duration="${length}ms" \
              > "$out/$1-$(printf %05d "$step").bin" &
          fi
          due=$((due + length))
          step=$((step + 1))
        done
        wait
      }

      begin=$(($(now) + 500))

      """# + attacks.joined() + #"""
      wait
      echo "results: $out" >&2
      vegeta report "$out"/*.bin

      """#
  return Array(text.utf8)
}

/// A word of the shell.
private func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
