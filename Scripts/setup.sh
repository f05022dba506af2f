#!/usr/bin/env bash
# Installs the Debian packages that WidgetFleet lacks. Does nothing, without network, when all are there.
#
#   Scripts/setup.sh          what building, running and testing need
#   Scripts/setup.sh bench    the same and valgrind
set -euo pipefail

missing=()

# need PACKAGE COMMAND...: the package is missing when the command fails.
need() {
  local package=$1
  shift
  "$@" > /dev/null 2>&1 || missing+=("$package")
}

fail() {
  printf 'setup: %s\n' "$@" >&2
  exit 1
}

# Runs a command as root: directly, or by sudo.
as_root() {
  if [[ $(id -u) -eq 0 ]]; then "$@"; else sudo "$@"; fi
}

command -v swift > /dev/null || fail "swift is not in PATH: install Swift 6.2 or later from https://www.swift.org/install"

need pkg-config command -v pkg-config
need libgsl-dev pkg-config --exists gsl
need libyaml-dev pkg-config --exists yaml-0.1
need libjs-dygraphs test -r /usr/share/javascript/dygraphs/dygraph.min.js
need python3 command -v python3
need tzdata test -r /usr/share/zoneinfo/Europe/Berlin
if [[ ${1:-} == bench ]]; then need valgrind command -v valgrind; fi

[[ ${#missing[@]} -eq 0 ]] && exit 0

by_hand="install by hand: ${missing[*]}"
command -v apt-get > /dev/null || fail "these packages are missing and there is no apt-get" "$by_hand"
[[ $(id -u) -eq 0 ]] || command -v sudo > /dev/null || fail "neither root nor sudo is there to install packages" "$by_hand"

echo "setup: installing ${missing[*]}" >&2
as_root apt-get update -q >&2 || fail "apt-get update failed" "$by_hand"
as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}" >&2 ||
  fail "apt-get could not install them: is there a network?" "$by_hand"
