#!/usr/bin/env python3
"""`make deb` and `make dist`: the Debian package and the tar archive of a program built with a static Swift runtime.

    Scripts/package.py deb|dist PROGRAM [--out .build/package]

Both contain the same files. Their bytes depend only on the program and the last commit: times are those of
SOURCE_DATE_EPOCH or the commit, the owner is root, and compression uses one thread.
"""

import argparse
import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import textwrap
from email.utils import formatdate
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
MAINTAINER = "WidgetFleet developers <maintainers@users.noreply.a-seed-d370550e.example>"
SUMMARY = "simulator of widget refreshes on phones and the load they cause"
DESCRIPTION = """\
WidgetFleet simulates a fleet of phones with WidgetKit widgets - people who
look and tap, reload policies, the system's budget and delays, and time
zones - and estimates how often widgets refresh, how old their data is,
and how many requests per second reach the backend, with intervals and in
one HTML report.
.
Example scenarios are in /usr/share/widgetfleet/scenarios."""
SHELLS = {
    "bash": "usr/share/bash-completion/completions/widgetfleet",
    "zsh": "usr/share/zsh/vendor-completions/_widgetfleet",
    "fish": "usr/share/fish/vendor_completions.d/widgetfleet.fish",
}
DOC = "usr/share/doc/widgetfleet"


def output(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, **options).stdout


def epoch():
    """Returns the time of the last commit in seconds since 1970."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    return int(given or output("git", "log", "-1", "--format=%ct", cwd=TOP))


def zipped(text):
    return gzip.compress(text, 9, mtime=0)


def changelog(markdown, version, date):
    """Returns CHANGELOG.md in Debian's format: a section for each version, an entry for each item."""
    parts = []
    for part in re.split(r"^## ", markdown, flags=re.MULTILINE)[1:]:
        heading, body = part.split("\n", 1)
        name = heading.split()[0]
        day = re.search(r"\((\d{4}-\d\d-\d\d)\)", heading)
        seconds = date
        if day:
            seconds = int(output("date", "-u", "-d", day.group(1), "+%s"))
        items = re.findall(r"^- (.*(?:\n  .*)*)", body, re.MULTILINE) or [body]
        entries = [
            textwrap.fill(
                " ".join(item.split()), 78, initial_indent="  * ", subsequent_indent="    ", break_long_words=False)
            for item in items]
        text = "\n".join(entries)
        parts.append(
            f"widgetfleet ({name}) unstable; urgency=medium\n\n{text}\n\n"
            f" -- {MAINTAINER}  {formatdate(seconds)}\n")
    if not parts or not parts[0].startswith(f"widgetfleet ({version}) "):
        raise SystemExit(f"package: CHANGELOG.md does not start with the program's version, {version}")
    return "\n".join(parts).encode()


def depends(program):
    """Returns the packages of the libraries that the program is linked with, as found by dpkg-shlibdeps."""
    with tempfile.TemporaryDirectory() as folder:
        debian = Path(folder, "debian")
        debian.mkdir()
        (debian / "control").write_text("Source: widgetfleet\n\nPackage: widgetfleet\nArchitecture: any\n")
        found = output("dpkg-shlibdeps", "-O", program.resolve(), cwd=folder).decode()
    return found.strip().removeprefix("shlibs:Depends=")


def stage(built, tree, version, date):
    """Copies the files of both packages to their places in a Debian file tree."""
    shutil.rmtree(tree, ignore_errors=True)

    def put(path, data, mode=0o644):
        target = tree / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        target.chmod(mode)

    program = tree / "usr/bin/widgetfleet"
    program.parent.mkdir(parents=True)
    # The build id is a hash that depends on the folder of the sources.
    output("strip", "--remove-section=.comment", "--remove-section=.note.gnu.build-id", "-o", program, built)
    program.chmod(0o755)
    put("usr/share/man/man1/widgetfleet.1.gz", zipped((TOP / "Docs/widgetfleet.1").read_bytes()))
    for shell, path in SHELLS.items():
        put(path, output(built, "completions", shell))
    for path in sorted((TOP / "Scenarios").rglob("*.yaml")):
        put(f"usr/share/widgetfleet/scenarios/{path.relative_to(TOP / 'Scenarios')}", path.read_bytes())
    put("usr/share/widgetfleet/scenario-reference.yaml", (TOP / "Docs/scenario-reference.yaml").read_bytes())
    for kind in ("scenario", "summary"):
        put(f"usr/share/widgetfleet/{kind}.schema.json", output(built, "schema", "--kind", kind))
    put(f"{DOC}/copyright", (TOP / "Deploy/debian/copyright").read_bytes())
    put(f"{DOC}/changelog.gz", zipped(changelog((TOP / "CHANGELOG.md").read_text(), version, date)))


def settle(tree, date):
    """Sets the same times and permissions everywhere."""
    for path in sorted(tree.rglob("*"), reverse=True):
        if path.is_dir():
            path.chmod(0o755)
        os.utime(path, (date, date))
    os.utime(tree, (date, date))


def debian_package(tree, out, version, date):
    files = sorted(path for path in tree.rglob("*") if path.is_file())
    control = tree / "DEBIAN"
    control.mkdir()
    architecture = output("dpkg", "--print-architecture").decode().strip()
    size = sum((path.stat().st_size + 1023) // 1024 for path in files)
    description = "".join(f" {line}\n" for line in DESCRIPTION.splitlines())
    (control / "control").write_text(
        f"Package: widgetfleet\nVersion: {version}\nArchitecture: {architecture}\nMaintainer: {MAINTAINER}\n"
        f"Installed-Size: {size}\nDepends: {depends(tree / 'usr/bin/widgetfleet')}\nSuggests: openmpi-bin | mpich\n"
        f"Section: science\nPriority: optional\nDescription: {SUMMARY}\n{description}")
    (control / "md5sums").write_text(
        "".join(f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(tree)}\n" for path in files))
    settle(tree, date)
    made = out / f"widgetfleet_{version}_{architecture}.deb"
    output(
        "dpkg-deb", "--root-owner-group", "--threads-max=1", "-Zxz", "--build", tree, made,
        env={**os.environ, "SOURCE_DATE_EPOCH": str(date)})
    return made


def tar(tree, out, version, date):
    """Packs the files of usr/ below one folder, together with the licence and a list of required packages."""
    needs = "Debian libraries that bin/widgetfleet is linked with:\n\n"
    needs += "".join(f"  {name.strip()}\n" for name in depends(tree / "usr/bin/widgetfleet").split(","))
    (tree / f"{DOC}/NEEDS").write_text(needs)
    shutil.copyfile(TOP / "LICENSE", tree / f"{DOC}/LICENSE")
    settle(tree, date)
    name = f"widgetfleet-{version}-linux-{os.uname().machine}"
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in [tree / "usr", *sorted((tree / "usr").rglob("*"))]:
            about = archive.gettarinfo(path, str(Path(name, path.relative_to(tree / "usr"))))
            about.uid = about.gid = 0
            about.uname = about.gname = "root"
            about.mode = 0o755 if path.is_dir() or path.parent.name == "bin" else 0o644
            if path.is_dir():
                archive.addfile(about)
            else:
                with path.open("rb") as data:
                    archive.addfile(about, data)
    made = out / f"{name}.tar.gz"
    made.write_bytes(zipped(packed.getvalue()))
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["deb", "dist"])
    parser.add_argument("program", type=Path, help="with a static Swift runtime")
    parser.add_argument("--out", type=Path, default=TOP / ".build/package")
    options = parser.parse_args()
    os.umask(0o022)
    program = options.program.resolve()
    if b"libswiftCore.so" in output("objdump", "-p", program):
        raise SystemExit(f"package: {program} needs the Swift libraries: build it with --static-swift-stdlib")
    version = output(program, "--version").decode().split()[-1]
    date = epoch()
    options.out.mkdir(parents=True, exist_ok=True)
    for older in options.out.glob("*.deb" if options.what == "deb" else "*.tar.gz"):
        older.unlink()
    with tempfile.TemporaryDirectory(dir=options.out) as folder:
        tree = Path(folder, "tree")
        stage(program, tree, version, date)
        make = debian_package if options.what == "deb" else tar
        made = make(tree, options.out, version, date)
    print(f"{made}: {made.stat().st_size / 1e6:.1f} MB, SHA-256 {hashlib.sha256(made.read_bytes()).hexdigest()}")


if __name__ == "__main__":
    main()
