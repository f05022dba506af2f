#!/usr/bin/env bash
# A Slurm of one node, started in a temporary folder and ended with all that it started, runs what Deploy/slurm/ holds:
# the same bytes as without Slurm. Needs Debian's slurmctld, slurmd, slurm-client, munge, openmpi-bin.
#
#   Tests/Cluster/slurm.sh PROGRAM
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
program=$(readlink -f "${1:?the program: Tests/Cluster/slurm.sh .build/release/widgetfleet}")
export PATH=$PATH:/usr/sbin SWIFT_BACKTRACE=enable=no

skip() {
  echo "skipped: $*"
  exit 0
}

for command in slurmctld slurmd srun sbatch munged mungekey; do
  command -v $command > /dev/null || skip "$command is not installed"
done
[[ -e /usr/lib/$(uname -m)-linux-gnu/libmpi.so.40 ]] || skip "Open MPI is not installed"

# In namespaces of its own nothing meets what else runs on this machine, and nothing outlives the script. Only those of
# root will do: Slurm drops groups, which a user's namespace forbids. Others run it as themselves.
apart=(unshare --net --pid --fork --kill-child --mount-proc)
if [[ -z ${WF_FOLDER:-} ]]; then
  WF_FOLDER=$(mktemp -d /tmp/wf-slurm.XXXXXX)
  export WF_FOLDER
  trap 'rm -rf "$WF_FOLDER"' EXIT
  if [[ $(id -u) -eq 0 ]] && "${apart[@]}" true 2> /dev/null; then
    WF_APART=yes "${apart[@]}" "$0" "$program" &
    inner=$!
    trap 'kill -KILL $inner && wait $inner || exit 130' INT TERM
    status=0
    wait $inner || status=$?
    exit $status
  fi
fi
if [[ -n ${WF_APART:-} ]]; then
  ip link set lo up
  # Where nothing but 127.0.0.1 is, Slurm finds no address to listen at.
  ip address add 10.77.0.1/32 dev lo
fi

folder=$WF_FOLDER
chmod 711 "$folder"
daemons=()
finish() {
  local status=$?
  trap - EXIT
  if [[ $status -ne 0 ]]; then tail -n 30 "$folder"/*.log "$folder"/work/*.log 2> /dev/null || true; fi
  scancel --full --user="$(id -un)" 2> /dev/null || true
  # The nodes' daemons end first: they end the steps.
  for ((i = ${#daemons[@]} - 1; i >= 0; i--)); do
    kill "${daemons[i]}" 2> /dev/null || true
    wait "${daemons[i]}" 2> /dev/null || true
  done
  rm -rf "$folder"
  exit $status
}
trap finish EXIT
trap 'exit 130' INT TERM

fail() {
  echo "slurm.sh: $*" >&2
  exit 1
}

# until_true SECONDS WHAT COMMAND...: waits for the command to succeed.
until_true() {
  local seconds=$1 end=$((SECONDS + $1)) what=$2
  shift 2
  until "$@" > /dev/null 2>&1; do
    ((SECONDS < end)) || fail "$what: not after $seconds s"
    sleep 0.2
  done
}

# A port that nobody listens on.
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("", 0)); print(s.getsockname()[1])'; }

# same FOLDER FOLDER: every file is there, with the same SHA-256.
same() {
  diff <(cd "$1" && sha256sum -- *) <(cd "$2" && sha256sum -- *) || fail "$1 and $2 differ"
}

mkdir -m 755 "$folder/munge" "$folder/state" "$folder/spool" "$folder/work"
mungekey --create --keyfile="$folder/munge/key"
munged --foreground --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" \
  --pid-file="$folder/munge/pid" --log-file="$folder/munge.log" --seed-file="$folder/munge/seed" \
  > "$folder/munged.log" 2>&1 &
daemons+=($!)
until_true 10 "munge" test -S "$folder/munge/socket"

host=$(hostname -s)
cat > "$folder/slurm.conf" << END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=1,sched_interval=2
ReturnToService=2
KillWait=5
MpiDefault=none
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE OverSubscribe=NO State=UP
END
printf 'CgroupPlugin=cgroup/v1\nCgroupMountpoint=%s\n' "$folder/cgroup" > "$folder/cgroup.conf"
export SLURM_CONF=$folder/slurm.conf
slurmctld -D > "$folder/slurmctld.log" 2>&1 &
daemons+=($!)
slurmd -D -N "$host" > "$folder/slurmd.log" 2>&1 &
daemons+=($!)
is_idle() { [[ $(sinfo --noheader --format=%T) == idle ]]; }
until_true 30 "an idle node" is_idle
[[ $(srun --mpi=list 2>&1) == *pmix* ]] || skip "this Slurm has no PMIx: is libpmix-dev installed?"

cd "$folder/work"
read -ra storm <<< '--set run.simulate=20k --no-bracket --no-trials --only summary.csv,load.csv,devices.csv'
export SCENARIO=$root/Scenarios/bench-storm.yaml PROGRAM=$program OPTIONS="${storm[*]}"
"$program" run "$SCENARIO" "${storm[@]}" -o plain -q > plain.txt

# srun would take the rest of what this script is given.
srun --mpi=pmix -n 2 "$program" run "$SCENARIO" "${storm[@]}" -o steps -q < /dev/null > steps.txt
same plain steps
cmp plain.txt steps.txt
echo "srun --mpi=pmix -n 2: the same bytes"

# The fleet's file, for two ranks of one node; prints the number of the job.
submit() { sbatch --parsable --nodes=1 --ntasks-per-node=2 --output="%j.log" "$root/Deploy/slurm/widgetfleet.sbatch"; }

is_state() { [[ $(squeue --noheader --jobs="$1" --states=all --format=%T) == "$2" ]]; }

# logged FOLDER: a third of the steps of the fleet that is to become the folder are on disk.
logged() { [[ -n $(find ".$1.unfinished" -name '*.steps' -size +1500k) ]]; }

# ranks STEP: the processes of the ranks of a step.
ranks() { scontrol listpids "$1" | awk '$4 ~ /^[0-9]+$/ { print $1; n++ } END { exit !n }'; }

# start_now JOB: shortens the wait of a job that was put back. The node refuses it until it has forgotten the job that
# it was, which takes a second or two.
start_now() {
  sleep 3
  scontrol update JobId="$1" StartTime=now
  sleep 1
  ! is_state "$1" PENDING
}

# done_well JOB: waits for the end of a job and wants it good.
done_well() {
  until_true 120 "job $1 completed" is_state "$1" COMPLETED
}

export OUT=batch
job=$(submit)
done_well "$job"
same plain batch
echo "widgetfleet.sbatch: the same bytes"

# A rank that dies, then a signal to the ranks: both are tried again within the allocation.
export OUT=killed
job=$(submit)
until_true 60 "a log" logged killed
kill -KILL "$(ranks "$job.0" | tail -n 1)"
until_true 60 "a second try" grep -q 'try 2' "$job.log"
until_true 60 "ranks" ranks "$job.1"
sleep 1
scancel --signal=USR1 "$job"
done_well "$job"
grep -q 'try 3' "$job.log" || fail "no third try"
same plain killed
echo "a rank killed, then a signal to the ranks: the same bytes at the third try"

# The time is nearly up: Slurm signals the script alone. The job goes back into the queue, where Slurm lets it wait.
export OUT=requeued
job=$(submit)
until_true 60 "a log" logged requeued
scancel --batch --signal=USR1 "$job"
until_true 60 "the job in the queue" is_state "$job" PENDING
[[ ! -e requeued ]] || fail "a folder of results before all was done"
until_true 60 "the job's next start" start_now "$job"
done_well "$job"
grep -q 'restart 1' "$job.log" || fail "the job was not started again"
same plain requeued
echo "time up, back into the queue: the same bytes"

# What it refuses is not tried again.
export OUT=refused
job=$(SCENARIO=$root/README.md submit)
until_true 60 "the end of job $job" is_state "$job" FAILED
[[ $(grep -c 'try ' "$job.log") -eq 1 ]] || fail "a file that is no scenario was tried again"
echo "no scenario: refused at once"

cat > sweep.yaml << 'END'
schema: widgetfleet/v1
name: small
clock: {start: 2027-01-18T00:00:00Z, warmup: 0s, duration: 6h}
kinds:
  headlines: {reload: {after: 1h}, jitter: {up_to: 5min}, requests: [{endpoint: api, down: 20kB}]}
fleet:
  devices: 1000
  cohorts: [{name: readers, zones: {Europe/Berlin: 100%}, widgets: [{kind: headlines}]}]
sweep: {vary: {"kinds.headlines.jitter.up_to": [0s, 5min, 20min], kinds.headlines.reload.after: [30min, 1h]}}
END
export SCENARIO=sweep.yaml FOLDER=study OPTIONS=
"$program" sweep sweep.yaml -o sweep -q > /dev/null
array=$root/Deploy/slurm/sweep-array.sbatch
parts=$(sbatch --parsable --cpus-per-task=1 --array=1-3 "$array")
job=$(sbatch --parsable --cpus-per-task=1 --dependency=afterok:"$parts" "$array")
done_well "$job"
same sweep study/sweep
echo "sweep-array.sbatch, 3 parts and their merge: the same bytes"
