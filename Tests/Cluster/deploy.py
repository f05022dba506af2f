"""Tests the files in Deploy/ as far as possible without a cluster: manifests against the published Kubernetes schemas,
scripts and the Dockerfile with their linters, options against the program's own help, and the commands of an Indexed
Job by running them. With the packages in Tests/Cluster/requirements.txt:

    .build/cluster/bin/python -W error Tests/Cluster/deploy.py

The environment variable WIDGETFLEET names the program; the default is .build/debug/widgetfleet.
"""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import jsonschema
import kubernetes_validate
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "Deploy"
PROGRAM = pathlib.Path(os.environ.get("WIDGETFLEET", ROOT / ".build/debug/widgetfleet")).absolute()
DOCKERFILE = DEPLOY / "container/Dockerfile"
# The oldest version that the manifests support, and the newest in the package.
VERSIONS = ["1.29", kubernetes_validate.latest_version()]

# The schema of an MPIJob, from the operator's documented types, because no package has it. Kubernetes has that of pods.
REPLICA = {
    "type": "object", "additionalProperties": False, "required": ["template"],
    "properties": {
        "replicas": {"type": "integer", "minimum": 1},
        "restartPolicy": {"enum": ["Never", "OnFailure"]},
        "template": {"type": "object"},
    },
}
MPI_JOB = {
    "type": "object", "additionalProperties": False, "required": ["apiVersion", "kind", "metadata", "spec"],
    "properties": {
        "apiVersion": {"const": "kubeflow.org/v2beta1"},
        "kind": {"const": "MPIJob"},
        "metadata": {"type": "object"},
        "spec": {
            "type": "object", "additionalProperties": False, "required": ["mpiReplicaSpecs"],
            "properties": {
                "slotsPerWorker": {"type": "integer", "minimum": 1},
                "runLauncherAsWorker": {"type": "boolean"},
                "sshAuthMountPath": {"type": "string"},
                "launcherCreationPolicy": {"enum": ["AtStartup", "WaitForWorkersReady"]},
                "mpiImplementation": {"enum": ["OpenMPI", "Intel", "MPICH"]},
                "runPolicy": {
                    "type": "object", "additionalProperties": False,
                    "properties": {
                        "cleanPodPolicy": {"enum": ["None", "Running", "All"]},
                        "ttlSecondsAfterFinished": {"type": "integer"},
                        "activeDeadlineSeconds": {"type": "integer"},
                        "backoffLimit": {"type": "integer"},
                        "schedulingPolicy": {"type": "object"},
                        "suspend": {"type": "boolean"},
                        "managedBy": {"type": "string"},
                    },
                },
                "mpiReplicaSpecs": {
                    "type": "object", "additionalProperties": False, "required": ["Launcher", "Worker"],
                    "properties": {"Launcher": REPLICA, "Worker": REPLICA},
                },
            },
        },
    },
}


def documents(name):
    """Returns the objects in a manifest."""
    return list(yaml.safe_load_all((DEPLOY / "kubernetes" / name).read_text()))


def templates(item):
    """Returns the pod templates in an object."""
    spec = item["spec"]
    found = [spec["template"]] if "template" in spec else []
    return found + [replica["template"] for replica in spec.get("mpiReplicaSpecs", {}).values()]


def run(*command, **options):
    """Runs a command, which must succeed, and returns its output."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command} exited with {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


class Manifests(unittest.TestCase):
    """Deploy/kubernetes."""

    FILES = ["mpijob.yaml", "sweep-indexed-job.yaml"]

    def test_they_are_as_kubernetes_publishes_them(self):
        for name in self.FILES:
            for item in documents(name):
                for version in VERSIONS:
                    with self.subTest(name, kind=item["kind"], version=version):
                        if item["kind"] == "MPIJob":
                            jsonschema.Draft202012Validator(MPI_JOB).validate(item)
                            for template in templates(item):
                                pod = {"apiVersion": "v1", "kind": "PodTemplate", "template": template}
                                kubernetes_validate.validate(pod, version, strict=True)
                        else:
                            kubernetes_validate.validate(item, version, strict=True)

    def test_a_wrong_key_would_be_found(self):
        job, = [item for item in documents("mpijob.yaml") if item["kind"] == "MPIJob"]
        launcher = job["spec"]["mpiReplicaSpecs"]["Launcher"]["template"]
        launcher["spec"]["containers"][0]["volumeMount"] = []
        with self.assertRaises(kubernetes_validate.ValidationError):
            pod = {"apiVersion": "v1", "kind": "PodTemplate", "template": launcher}
            kubernetes_validate.validate(pod, VERSIONS[-1], strict=True)
        job["spec"]["slots"] = 1
        with self.assertRaises(jsonschema.ValidationError):
            jsonschema.validate(job, MPI_JOB)

    def test_volumes_and_claims_are_there(self):
        for name in self.FILES:
            items = documents(name)
            claims = {item["metadata"]["name"]: item for item in items if item["kind"] == "PersistentVolumeClaim"}
            for claim in claims.values():
                self.assertEqual(claim["spec"]["accessModes"], ["ReadWriteMany"])
            for template in [template for item in items for template in templates(item)]:
                volumes = {volume["name"]: volume for volume in template["spec"]["volumes"]}
                for volume in volumes.values():
                    if "persistentVolumeClaim" in volume:
                        self.assertIn(volume["persistentVolumeClaim"]["claimName"], claims)
                for container in template["spec"]["containers"]:
                    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
                    self.assertEqual(mounts, {"work": "/work", "scenario": "/scenario"})
                    self.assertEqual(set(mounts), set(volumes))

    def test_numbers_that_repeat_agree(self):
        job, = [item for item in documents("mpijob.yaml") if item["kind"] == "MPIJob"]
        pods = job["spec"]["mpiReplicaSpecs"]
        arguments = pods["Launcher"]["template"]["spec"]["containers"][0]["args"]
        worker = pods["Worker"]["template"]["spec"]["containers"][0]
        self.assertEqual(arguments[arguments.index("--jobs") + 1], worker["resources"]["limits"]["cpu"])
        _, parts, merge = documents("sweep-indexed-job.yaml")
        count = {"name": "PARTS", "value": str(parts["spec"]["completions"])}
        self.assertEqual(parts["spec"]["parallelism"], parts["spec"]["completions"])
        for item in [parts, merge]:
            self.assertIn(count, item["spec"]["template"]["spec"]["containers"][0]["env"])
        part = parts["spec"]["template"]["spec"]["containers"][0]
        self.assertIn(f"--jobs {part['resources']['limits']['cpu']} ", part["args"][0])

    def test_pods_fit_the_image(self):
        job, = [item for item in documents("mpijob.yaml") if item["kind"] == "MPIJob"]
        image = DOCKERFILE.read_text()
        worker = job["spec"]["mpiReplicaSpecs"]["Worker"]["template"]["spec"]["containers"][0]
        self.assertIn(f"'Port {worker['ports'][0]['containerPort']}'", image)
        self.assertIn(worker["args"][-1], image)
        self.assertIn(f"'HostKey {job['spec']['sshAuthMountPath']}/id_rsa'", image)
        for item in documents("mpijob.yaml") + documents("sweep-indexed-job.yaml"):
            for template in templates(item):
                user = template["spec"]["securityContext"]["runAsUser"]
                self.assertIn(f"--uid {user} mpiuser", image)

    def test_the_commands_of_the_indexed_job_do_a_sweep(self):
        if not PROGRAM.exists():
            self.skipTest(f"{PROGRAM} does not exist")
        _, parts, merge = documents("sweep-indexed-job.yaml")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "widgetfleet").symlink_to(PROGRAM)
            (path / "sweep.yaml").write_text(SWEEP)
            environment = {
                **os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "OUT": f"{folder}/out", "PARTS": "3",
                "SWIFT_BACKTRACE": "enable=no"}

            def container(job, **more):
                one = job["spec"]["template"]["spec"]["containers"][0]
                command = [text.replace("/scenario/", f"{folder}/") for text in one["command"] + one["args"]]
                run(*command, env={**environment, **more}, cwd=folder)

            for index in range(3):
                container(parts, JOB_COMPLETION_INDEX=str(index))
            container(merge)
            run(PROGRAM, "sweep", "sweep.yaml", "-o", "plain", "-q", cwd=folder, env=environment)
            self.assertEqual(hashes(path / "out/sweep"), hashes(path / "plain"))


SWEEP = """
schema: widgetfleet/v1
name: small
clock: {start: 2027-01-18T00:00:00Z, warmup: 0s, duration: 6h}
kinds:
  headlines: {reload: {after: 1h}, jitter: {up_to: 5min}, requests: [{endpoint: api, down: 20kB}]}
fleet:
  devices: 300
  cohorts: [{name: readers, zones: {Europe/Berlin: 100%}, widgets: [{kind: headlines}]}]
sweep: {vary: {"kinds.headlines.jitter.up_to": [0s, 5min, 20min]}}
"""


def hashes(folder):
    """Returns the SHA-256 of each file in a folder."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


class Scripts(unittest.TestCase):
    """The scripts for bash."""

    FILES = sorted([*DEPLOY.glob("slurm/*.sbatch"), *DEPLOY.glob("container/*.sh"), *ROOT.glob("Tests/Cluster/*.sh")])

    def inline(self):
        """Yields the container commands that are passed to bash -c."""
        for item in documents("sweep-indexed-job.yaml"):
            for template in templates(item):
                for container in template["spec"]["containers"]:
                    self.assertEqual(container["command"], ["bash", "-c"])
                    yield "#!/usr/bin/env bash\n" + container["args"][0] + "\n"

    def test_bash_reads_them(self):
        self.assertEqual(len(self.FILES), 5)
        for path in self.FILES:
            run("bash", "-n", path)
        for text in self.inline():
            run("bash", "-n", input=text)

    def test_shellcheck_finds_nothing(self):
        if not shutil.which("shellcheck"):
            self.skipTest("shellcheck is not installed")
        run("shellcheck", *self.FILES)
        for text in self.inline():
            run("shellcheck", "-", input=text)

    def test_slurm_reads_its_options(self):
        for path in DEPLOY.glob("slurm/*.sbatch"):
            lines = path.read_text().splitlines()
            options = [index for index, line in enumerate(lines) if line.startswith("#SBATCH")]
            first = next(index for index, line in enumerate(lines) if line and not line.startswith("#"))
            self.assertTrue(options and max(options) < first, "sbatch ignores options after the first command")

    def test_the_program_knows_the_options(self):
        if not PROGRAM.exists():
            self.skipTest(f"{PROGRAM} does not exist")
        help_of = {name: run(PROGRAM, name, "--help") for name in ["run", "sweep"]}
        job, = [item for item in documents("mpijob.yaml") if item["kind"] == "MPIJob"]
        arguments = job["spec"]["mpiReplicaSpecs"]["Launcher"]["template"]["spec"]["containers"][0]["args"]
        calls = [("run", " ".join(arguments[arguments.index("run"):]))]
        for path in self.FILES[:3]:
            text = path.read_text().replace("\\\n", " ")
            calls += re.findall(r'^[^#\n]*"\$program" (run|sweep) ([^\n]*)', text, re.MULTILINE)
        for text in self.inline():
            calls += re.findall(r"widgetfleet (sweep) ([^\n]*)", text)
        self.assertEqual(len(calls), 6)
        for command, rest in calls:
            for option in re.findall(r"(?<= )(--?[a-z][a-z-]*)", rest):
                self.assertIn(f" {option} ", help_of[command].replace(",", " ").replace("\n", " "))


class Image(unittest.TestCase):
    """Deploy/container/Dockerfile and .dockerignore."""

    def instructions(self):
        """Returns the instructions with their arguments; continued lines are joined."""
        text = re.sub(r"^#.*\n", "", DOCKERFILE.read_text(), flags=re.MULTILINE).replace("\\\n", " ")
        return [tuple(line.split(maxsplit=1)) for line in text.splitlines() if line]

    def test_hadolint_finds_nothing(self):
        hadolint = pathlib.Path(sys.executable).parent / "hadolint"
        if not hadolint.exists():
            self.skipTest("hadolint is not installed")
        # DL3008 requires pinned versions, but Debian stable has one of each package, which security updates replace.
        run(hadolint, "--ignore", "DL3008", DOCKERFILE)

    def test_debian_has_the_packages(self):
        names = set()
        for instruction, text in self.instructions():
            if instruction == "RUN":
                for found in re.findall(r"apt-get install ([^&]*)", text):
                    names |= {word for word in found.split() if word[0] not in "-/"}
        self.assertLessEqual({"libgsl-dev", "dpkg-dev", "openmpi-bin", "openssh-server"}, names)
        release = pathlib.Path("/etc/os-release").read_text()
        if "VERSION_CODENAME=bookworm" not in release or not shutil.which("apt-cache"):
            self.skipTest("this is not Debian bookworm")
        if not list(pathlib.Path("/var/lib/apt/lists").glob("*Packages*")):
            self.skipTest("there are no package lists: run apt-get update")
        for name in sorted(names):
            with self.subTest(name):
                self.assertRegex(run("apt-cache", "policy", name), r"Candidate: [0-9]")

    def test_setup_and_image_build_with_the_same_packages(self):
        setup = (ROOT / "Scripts/setup.sh").read_text()
        needed = set(re.findall(r"^need (lib\S+-dev|libjs-\S+|pkg-config|tzdata) ", setup, re.MULTILINE))
        self.assertGreater(len(needed), 4)
        text = DOCKERFILE.read_text()
        for name in needed:
            self.assertRegex(text, rf"\b{name}\b")

    def test_all_that_is_copied_is_sent(self):
        lines = (ROOT / ".dockerignore").read_text().splitlines()
        sent = [line[1:] for line in lines if line.startswith("!")]
        self.assertIn("*", lines)
        for path in sent:
            self.assertTrue((ROOT / path).exists(), path)
        for instruction, text in self.instructions():
            if instruction == "COPY" and "--from" not in text and not text.startswith(". "):
                source = text.split()[0]
                self.assertTrue((ROOT / source).exists(), source)
                self.assertTrue(any(source == path or source.startswith(path + "/") for path in sent), source)
        # SwiftPM needs the folder of every target, even of those that it does not build.
        for path in re.findall(r'path: "([^"/]+)', (ROOT / "Package.swift").read_text()):
            self.assertIn(path, sent)


if __name__ == "__main__":
    unittest.main()
