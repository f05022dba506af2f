#!/usr/bin/env bash
# Builds Examples/FlightWidget outside of the checkout, with the library from a Git repository by version, and runs its
# tests: SwiftPM refuses unsafe flags there. A program without YAML must link no library but GSL. A program with
# providers that have faults (Tests/Outside) must end without results; `make library-test`.
# Usage: Scripts/library_test.sh [FOLDER]; a given folder keeps the build for the next call.
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail
cd "$(dirname "$0")/.."

unset WIDGETFLEET_DEVELOP
root=$(pwd)
version=$(sed -n 's/.*static let current = "\(.*\)".*/\1/p' Sources/Program/WidgetFleetCommand/Version.swift)
folder=${1:-}
if [[ -z $folder ]]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
fi

# A repository of the files as they are, so that neither a commit nor the owner of the checkout matters.
library=$folder/WidgetFleet
rm -rf "$library"
mkdir -p "$library"
tar --exclude=./.git --exclude=.build -cf - . | tar -xf - -C "$library"
git -C "$library" init --quiet
git -C "$library" add --all
git -C "$library" -c user.name=test -c user.email=test@example.org commit --quiet --message="Copy the library"
git -C "$library" tag "$version"
mkdir -p "$folder/FlightWidget"
cp -r "$root"/Examples/FlightWidget/{Package.swift,Sources,Tests} "$folder/FlightWidget"
rm -f "$folder/FlightWidget/Package.resolved"
sed -i "s|\.package(name: \"WidgetFleet\", path: .*)|.package(url: \"file://$folder/WidgetFleet\", from: \"$version\")|" \
  "$folder/FlightWidget/Package.swift"
grep -q "from: \"$version\"" "$folder/FlightWidget/Package.swift"
cp -r "$root/Tests/Outside/providers" "$folder/FlightWidget/Sources"
cat >> "$folder/FlightWidget/Package.swift" << 'END'

package.targets.append(
  .executableTarget(
    name: "providers",
    dependencies: [
      .product(name: "WidgetFleet", package: "WidgetFleet"), .product(name: "WidgetFleetCommand", package: "WidgetFleet"),
    ]))
END

swift test --package-path "$folder/FlightWidget" -Xswiftc -O
program=$folder/FlightWidget/.build/debug/flightload
"$program"
libraries=$(ldd "$program")
if [[ $libraries != *libgsl* || $libraries =~ lib(yaml|sqlite3|z|zstd|nettle|microhttpd)[-.] ]]; then
  echo "flightload does not link GSL alone: $libraries" >&2
  exit 1
fi
"$root/Tests/Outside/check.sh" "$folder/FlightWidget/.build/debug/providers" \
  "$root/Examples/FlightWidget/Tests/FlightPolicyTests/flight.yaml"
echo "the library builds by version $version, and needs GSL alone"
