#!/usr/bin/env bash
# Installs the Debian packages that WidgetFleet lacks. Does nothing, without network, when all are there.
#
#   Scripts/setup.sh          what building and running need
#   Scripts/setup.sh bench    the same and valgrind
#   Scripts/setup.sh test     the same, Chromium, and the pinned packages of Tests/Browser/requirements.txt in .build/browser
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

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
need tzdata test -r /usr/share/zoneinfo/Europe/Berlin
if [[ ${1:-} == bench ]]; then need valgrind command -v valgrind; fi
if [[ ${1:-} == test ]]; then
  need chromium test -x /usr/bin/chromium
  need python3-venv python3 -c 'import ensurepip, venv'
fi

# The browser tests' own packages: nothing is done when they are there as the lock file pins them.
python_packages() {
  local place=.build/browser lock=Tests/Browser/requirements.txt
  cmp -s "$lock" "$place/requirements.txt" && return
  echo "setup: installing $lock into $place" >&2
  rm -rf "$place"
  python3 -m venv "$place" && "$place/bin/pip" install -q --disable-pip-version-check --require-hashes -r "$lock" >&2 ||
    fail "pip could not install $lock: is there a network?"
  cp "$lock" "$place/requirements.txt"
}

finish() {
  if [[ ${1:-} == test ]]; then python_packages; fi
  exit 0
}

[[ ${#missing[@]} -eq 0 ]] && finish "$@"

by_hand="install by hand: ${missing[*]}"
command -v apt-get > /dev/null || fail "these packages are missing and there is no apt-get" "$by_hand"
[[ $(id -u) -eq 0 ]] || command -v sudo > /dev/null || fail "neither root nor sudo is there to install packages" "$by_hand"

echo "setup: installing ${missing[*]}" >&2
as_root apt-get update -q >&2 || fail "apt-get update failed" "$by_hand"
as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}" >&2 ||
  fail "apt-get could not install them: is there a network?" "$by_hand"
finish "$@"
