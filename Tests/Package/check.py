#!/usr/bin/env python3
"""`make package-test`: tests the Debian package and the tar archive in a clean Debian without Swift.

    Tests/Package/check.py PROGRAM FOLDER        as root; FOLDER has the .deb and the .tar.gz

debootstrap creates a Debian of this machine's release below FOLDER. The package is installed there with its
dependencies, an ordinary user simulates one of its scenarios, and the results equal those of PROGRAM byte for byte. The
manual page and the completions work, and after a purge no file of the package is left. Then the tar archive is unpacked
in the user's home and gives the same results.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
MIRROR = "http://deb.debian.org/debian"
SCENARIO = "ivi-continue-watching"
INSTALLED = f"/usr/share/widgetfleet/scenarios/{SCENARIO}.yaml"
# The packages that show the manual page and run completions. The program does not need them.
READERS = ["man-db", "bash-completion", "zsh", "fish"]
INSTALL = "DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends"
began = time.monotonic()


def say(sentence):
    print(f"{time.monotonic() - began:6.1f} s  {sentence}", flush=True)


def run(*command, **options):
    done = subprocess.run(
        [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **options)
    if done.returncode:
        sys.exit(f"package-test: {command}: exit {done.returncode}\n{done.stdout.decode(errors='replace')[-4000:]}")
    return done.stdout.decode(errors="replace")


class Debian:
    """A Debian in a folder; processes there have their own /proc."""

    def __init__(self, root):
        self.root = root
        codename = run("sh", "-c", ". /etc/os-release; echo $VERSION_CODENAME").strip()
        run("debootstrap", "--variant=minbase", codename, root, MIRROR)
        shutil.copyfile("/etc/resolv.conf", root / "etc/resolv.conf")
        say(f"debootstrap has created a Debian {codename}")
        self.do("apt-get update -q")
        self.do(f"{INSTALL} {' '.join(READERS)}")
        # The user of the program and of the shells, without special permissions.
        self.do("useradd --create-home planner")
        say(f"apt-get has installed {', '.join(READERS)}")

    def do(self, script, user="root"):
        """Runs a script in a login shell of a user and returns its output."""
        inside = 'mount -t proc proc "$0/proc" && exec chroot "$0" su - "$1" -s /bin/sh -c "$2"'
        return run(
            "unshare", "--mount", "--pid", "--fork", "sh", "-c", inside, self.root, user, script,
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}, timeout=900)

    def files(self):
        """Returns every path except the databases of apt, dpkg and man."""
        found = set()
        for folder, folders, names in os.walk(self.root):
            at = "/" + str(Path(folder).relative_to(self.root))
            if at in ("/proc", "/var/lib/apt", "/var/lib/dpkg", "/var/cache", "/var/log", "/tmp"):
                folders.clear()
                continue
            found.update(os.path.join(at, name) for name in folders + names)
        return found


class PackageTests(unittest.TestCase):
    debian: Debian

    def expected(self):
        """Returns the files that the program writes here."""
        if not hasattr(PackageTests, "results"):
            with tempfile.TemporaryDirectory() as folder:
                run(PROGRAM, "run", TOP / f"Scenarios/{SCENARIO}.yaml", "-q", "-o", f"{folder}/out", cwd=folder)
                PackageTests.results = contents(Path(folder, "out"))
            say(f"{PROGRAM.name} from the ordinary build has written {len(PackageTests.results)} files")
        return PackageTests.results

    def hold(self, results):
        """Compares the results from the chroot with those from here."""
        found = contents(results)
        self.assertLess(len(found["report.html"]), 600_000)
        self.assertEqual(sorted(found), sorted(self.expected()))
        for name, data in self.expected().items():
            self.assertTrue(found[name] == data, f"{name} differs")
        shutil.rmtree(results)

    def test_1_the_package(self):
        debian = self.debian
        self.assertEqual(debian.do("command -v swift clang || echo none").strip(), "none")
        before = debian.files()
        shutil.copy(DEB, debian.root / "tmp")
        debian.do(f"{INSTALL} /tmp/{DEB.name}")
        say(f"apt-get has installed {DEB.name} and its dependencies")
        # A minimal Debian has the system's time zone tables, but the program must work without them.
        debian.do("mv /usr/share/zoneinfo /usr/share/no-zoneinfo")
        debian.do(f"widgetfleet run {INSTALLED}", user="planner")
        debian.do("mv /usr/share/no-zoneinfo /usr/share/zoneinfo")
        say(f"the installed program has simulated {SCENARIO}")
        home = debian.root / "home/planner"
        self.hold(home / f"Reports/{SCENARIO}")
        say("its files equal those of the ordinary build, byte for byte")
        (home / "Reports").rmdir()
        self.every_scenario_is_valid()
        self.man_page_and_completions()
        owned = debian.do("dpkg -L widgetfleet").split()
        own = [path for path in owned if (debian.root / path[1:]).is_file()]
        self.assertGreater(len(own), 40)
        debian.do("apt-get purge -q -y widgetfleet && apt-get autoremove -q -y --purge")
        self.assertEqual([path for path in own if (debian.root / path[1:]).exists()], [])
        left = {path for path in debian.files() - before if not path.endswith(".zcompdump")}
        self.assertEqual(sorted(path for path in left if not path.startswith("/home/planner/")), [])
        say("purged: no file of the package is left")

    def every_scenario_is_valid(self):
        self.debian.do("widgetfleet validate /usr/share/widgetfleet/scenarios/*.yaml", user="planner")
        self.debian.do("widgetfleet validate /usr/share/widgetfleet/scenario-reference.yaml", user="planner")
        say("every scenario of the package is valid")

    def man_page_and_completions(self):
        debian = self.debian
        page = debian.do("MANWIDTH=80 man --warnings widgetfleet | cat", user="planner")
        self.assertIn("simulate fleets of phone widgets", page)
        self.assertIn("EXIT STATUS", page)
        self.assertNotIn("warning:", page)
        ask = {
            "bash": ". /usr/share/bash-completion/bash_completion; _completion_loader widgetfleet; "
            "COMP_WORDS=(widgetfleet ru) COMP_CWORD=1; _widgetfleet; echo ${COMPREPLY[@]}",
            "fish": "complete -C 'widgetfleet ru'",
        }
        for shell, script in ask.items():
            (debian.root / "tmp/ask").write_text(script)
            found = debian.do(f"{shell} /tmp/ask", user="planner")
            self.assertEqual(found.split()[:1], ["run"], f"{shell}: {found}")
        (debian.root / "tmp/ask").write_text(
            "autoload -Uz compinit; compinit -D; echo $_comps[widgetfleet]; autoload +X _widgetfleet && echo loaded")
        self.assertEqual(debian.do("zsh -f /tmp/ask", user="planner").split(), ["_widgetfleet", "loaded"])
        say("the manual page and the completions of bash, zsh and fish work")

    def test_2_the_tar(self):
        debian = self.debian
        home = debian.root / "home/planner"
        shutil.copy(TAR, debian.root / "tmp")
        needs = run("tar", "-xOzf", TAR, "--wildcards", "*/share/doc/widgetfleet/NEEDS")
        names = [line.split()[0] for line in needs.splitlines() if line.startswith("  ")]
        self.assertIn("libgsl27", names)
        debian.do(f"{INSTALL} {' '.join(names)}")
        debian.do(f"tar -xzf /tmp/{TAR.name} && mv widgetfleet-* widgetfleet", user="planner")
        debian.do(f"widgetfleet/bin/widgetfleet run widgetfleet/share/widgetfleet/scenarios/{SCENARIO}.yaml", "planner")
        self.hold(home / f"Reports/{SCENARIO}")
        say("the program from the tar archive has written the same bytes")


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def main():
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        root = Path(folder, "root")
        # A temporary folder is closed to other users, but the user in the chroot needs access.
        Path(folder).chmod(0o755)
        PackageTests.debian = Debian(root)
        done = unittest.TextTestRunner(verbosity=0).run(unittest.defaultTestLoader.loadTestsFromTestCase(PackageTests))
    sys.exit(not done.wasSuccessful())


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    if os.geteuid():
        sys.exit("package-test: chroot needs root: run sudo make package-test")
    PROGRAM, FOLDER = (Path(word).resolve() for word in sys.argv[1:])
    (DEB,), (TAR,) = (sorted(FOLDER.glob(pattern)) for pattern in ("*.deb", "*.tar.gz"))
    main()
