#!/usr/bin/env bash
# Three hosts of network namespaces: one launches, a and b live a fleet together. They lose b, then the cable between
# them, and go on: always the bytes of a plain run. Needs openmpi-bin, iproute2, util-linux, and leave to make
# namespaces (root, or user namespaces).
#
#   Tests/Cluster/hosts.sh PROGRAM
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
program=$(readlink -f "${1:?the program: Tests/Cluster/hosts.sh .build/release/widgetfleet}")
export PATH=$PATH:/usr/sbin:/sbin SWIFT_BACKTRACE=enable=no

skip() {
  echo "skipped: $*"
  exit 0
}

fail() {
  echo "hosts.sh: $*" >&2
  tail -n 30 ./*.log >&2
  exit 1
}

if [[ -z ${WF_FOLDER:-} ]]; then
  for command in mpirun.openmpi ip unshare nsenter; do
    command -v $command > /dev/null || skip "$command is not installed"
  done
  # The network, mounts and processes of this script are its own, and end with it.
  apart=(unshare --net --uts --ipc --mount --pid --fork --kill-child --mount-proc)
  if [[ $(id -u) -ne 0 ]]; then apart=("${apart[0]}" --user --map-root-user "${apart[@]:1}"); fi
  "${apart[@]}" true 2> /dev/null || skip "no leave to make namespaces"
  "${apart[@]}" ip link add wf0 type bridge 2> /dev/null || skip "this kernel has no bridges"
  WF_FOLDER=$(mktemp -d /tmp/wf-hosts.XXXXXX)
  export WF_FOLDER
  trap 'rm -rf "$WF_FOLDER"' EXIT
  "${apart[@]}" "$0" "$program" &
  inner=$!
  trap 'kill -KILL $inner && wait $inner || exit 130' INT TERM
  status=0
  wait $inner || status=$?
  exit $status
fi

# What all hosts see is below /mnt: the program, the scenario and the results. Their /tmp and /dev/shm are their own.
mkdir -p "$WF_FOLDER/shared/tmp/"{head,a,b}
cp "$program" "$WF_FOLDER/shared/widgetfleet"
cp "$root/Scenarios/bench-storm.yaml" "$root/Deploy/container/launch.sh" "$WF_FOLDER/shared/"
printf '127.0.0.1 localhost\n10.77.0.1 head\n10.77.0.2 a\n10.77.0.3 b\n' > "$WF_FOLDER/hosts"
mount --bind "$WF_FOLDER/shared" /mnt
mount --bind "$WF_FOLDER/hosts" /etc/hosts
mount --bind /mnt/tmp/head /tmp
cd /mnt

hostname head
ip link set lo up
ip link add wf0 type bridge
ip address add 10.77.0.1/24 dev wf0
ip link set wf0 up

declare -A keeper
# boot NAME ADDRESS: a host. Its first process buries the dead; whoever ends it ends all of the host.
boot() {
  unshare --net --uts --ipc --mount --pid --fork --kill-child --mount-proc sh -c "hostname $1 &&
    mount -t tmpfs tmpfs /dev/shm && mount --bind /mnt/tmp/$1 /tmp && ip link set lo up && touch /mnt/up-$1 &&
    while true; do sleep 1; done" &
  keeper[$1]=$!
  for ((i = 0; i < 100; i++)); do
    if [[ -e up-$1 ]]; then break; fi
    sleep 0.1
  done
  [[ -e up-$1 ]] || fail "host $1 does not come up"
  rm "up-$1"
  local first
  first=$(tr -d ' ' < "/proc/$!/task/$!/children")
  echo "$first" > "first-$1"
  ip link add "wf-$1" type veth peer name eth0 netns "$first"
  ip link set "wf-$1" master wf0 up
  nsenter --target "$first" --net sh -c "ip address add $2/24 dev eth0 && ip link set eth0 up"
}

# lose NAME: the host is gone with all its processes.
lose() {
  # unshare is not there to complain when its child dies.
  kill -KILL "${keeper[$1]}" 2> /dev/null
  wait "${keeper[$1]}" 2> /dev/null || true
  ip link delete "wf-$1" 2> /dev/null || true
}

# What mpirun takes for ssh.
cat > agent << 'END'
#!/bin/sh
first=$(cat "/mnt/first-$1")
shift
exec nsenter --target "$first" --net --uts --ipc --mount --pid --wd=/mnt sh -c "$*"
END
# A rank, which notes how the program ended.
cat > rank << 'END'
#!/bin/sh
/mnt/widgetfleet "$@"
status=$?
echo $status > "/mnt/status-$OMPI_COMM_WORLD_RANK"
exit $status
END
chmod +x agent rank

read -ra storm <<< '--set run.simulate=20k --no-bracket --no-trials --only summary.csv,load.csv,devices.csv'
# fleet HOSTS OUT [OPTION...]: lives the fleet on hosts; the launcher's process is $launcher.
fleet() {
  rm -f status-*
  MPIRUN=mpirun.openmpi PROGRAM=/mnt/rank WIDGETFLEET_STALL=10 ./launch.sh "$2" --allow-run-as-root --host "$1" \
    --map-by node --mca plm_rsh_agent /mnt/agent --mca plm rsh --mca oob_tcp_if_include 10.77.0.0/24 \
    --mca btl_tcp_if_include 10.77.0.0/24 -- run bench-storm.yaml "${storm[@]}" --jobs 1 -q "${@:3}" \
    > "$2.txt" 2> "$2.log" < /dev/null &
  launcher=$!
}

# fleet_done WHAT: waits for the launcher and wants it good.
fleet_done() { wait "$launcher" || fail "$1: the launcher ended with $?"; }

# until_true SECONDS WHAT COMMAND...: waits for the command to succeed.
until_true() {
  local seconds=$1 end=$((SECONDS + $1)) what=$2
  shift 2
  until "$@" > /dev/null 2>&1; do
    ((SECONDS < end)) || fail "$what: not after $seconds s"
    sleep 0.1
  done
}

# logged FOLDER: a third of the steps of the fleet that is to become the folder are on disk.
logged() { [[ -n $(find ".$1.unfinished" -name '*.steps' -size +1500k) ]]; }

# given_up: waits for the launcher, which must want another try.
given_up() {
  local status=0 began=$SECONDS
  wait "$launcher" || status=$?
  echo "  the launcher ended with $status after $((SECONDS - began)) s, $1 is to be gone on with"
  [[ $status -ne 0 && ! -e $1 ]] || fail "there are results before all was done"
}

# same FOLDER: every file is that of the plain run, by SHA-256.
same() {
  diff <(cd plain && sha256sum -- *) <(cd "$1" && sha256sum -- *) || fail "$1 is not the plain run"
}

boot a 10.77.0.2
boot b 10.77.0.3
./widgetfleet run bench-storm.yaml "${storm[@]}" -o plain -q > plain.txt

fleet a:1,b:1 both
fleet_done "two hosts"
same both
cmp plain.txt both.txt
sent=$(awk '$1 == "wf-b:" { print $2 }' /proc/net/dev)
((sent > 1000000)) || fail "host b sent but $sent bytes: did the ranks meet by the network?"
echo "two hosts: the same bytes"

fleet a:1,b:1 lost
until_true 60 "a log" logged lost
lose b
given_up lost
fleet a:1 lost
fleet_done "the host that is left"
same lost
echo "a host lost, gone on with on the other: the same bytes"

boot b 10.77.0.3
fleet a:1,b:1 cut --watchdog 5s
until_true 60 "a log" logged cut
ip link set wf-b down
began=$SECONDS
until_true 30 "the end of the ranks" test -e status-0 -a -e status-1
echo "a cable cut: the ranks ended with $(cat status-0 status-1 | tr '\n' ' ')after $((SECONDS - began)) s"
[[ $(cat status-0 status-1) == $'75\n75' ]] || fail "not with 75"
given_up cut
lose b
fleet a:1 cut
fleet_done "the host that is left"
same cut
echo "gone on with on one host: the same bytes"
