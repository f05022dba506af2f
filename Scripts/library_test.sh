#!/usr/bin/env bash
# Builds Examples/FlightWidget outside of the checkout, with the library from a Git repository by version, and runs its
# tests: SwiftPM refuses unsafe flags there. A program without YAML must link no library but GSL; `make library-test`.
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail
cd "$(dirname "$0")/.."

unset WIDGETFLEET_DEVELOP
root=$(pwd)
version=$(sed -n 's/.*static let current = "\(.*\)".*/\1/p' Sources/Program/WidgetFleetCommand/Version.swift)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

git clone --quiet "$root" "$folder/WidgetFleet"
git -C "$folder/WidgetFleet" tag --force "$version" > /dev/null
cp -r "$root/Examples/FlightWidget" "$folder/FlightWidget"
rm -rf "$folder/FlightWidget/.build" "$folder/FlightWidget/Package.resolved"
sed -i "s|\.package(name: \"WidgetFleet\", path: .*)|.package(url: \"file://$folder/WidgetFleet\", from: \"$version\")|" \
  "$folder/FlightWidget/Package.swift"
grep -q "from: \"$version\"" "$folder/FlightWidget/Package.swift"

# Optimised as a user would: a safe way for a root package.
swift test --package-path "$folder/FlightWidget" -Xswiftc -O
program=$folder/FlightWidget/.build/debug/flightload
"$program"
ldd "$program" | grep -q libgsl
if ldd "$program" | grep -E 'libyaml|libsqlite3|libz|libzstd|libnettle'; then
  echo "flightload links more than GSL" >&2
  exit 1
fi
