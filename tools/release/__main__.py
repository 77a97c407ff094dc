"""A release's files besides package and images. usage: python -m tools.release check | manifest | finish.

The targets `image` and `release` of the Makefile run it, with $RELEASE_URL, where the files will be, and
$SIGNING_KEY, a file with an SSH key; both are optional.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from appliance import __version__
from tools.release import archive, imager, note, tag

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"


def run(*command: str | Path) -> str:
    """Run a command at the top of the checkout, and return its output. Show what it says only if it fails."""
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)  # noqa: S603
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}make release: failed: {' '.join(map(str, command))}")
    return done.stdout


def check(environment: Mapping[str, str]) -> list[str]:
    """Return why this is no release, or cannot be signed."""
    tags = run("git", "tag", "--points-at", "HEAD").split()
    changes = run("git", "status", "--porcelain").splitlines()
    names = run("git", "ls-files", "*.md", tag.KEYS, "*pyproject.toml", tag.CONTROL).splitlines()
    pages = {name: (ROOT / name).read_text("utf-8") for name in names}
    found = tag.refusals(__version__, tags, changes, pages)
    url, key = environment.get("RELEASE_URL", ""), environment.get("SIGNING_KEY", "")
    if url and not url.startswith(("http://", "https://")):
        found.append(f"RELEASE_URL: {url} is not an address. Remedy: RELEASE_URL=https://...")
    if key:
        found += unsuitable(key, pages.get(tag.KEYS, ""))
    return found


def unsuitable(key: str, keys: str) -> list[str]:
    """Return why `keys` would not verify what this key signs. Ask for no passphrase: that comes last."""
    if not Path(key).is_file():
        return [f"SIGNING_KEY: there is no file {key}. Remedy: the private key of {tag.KEYS}"]
    program = shutil.which("ssh-keygen")
    if program is None:
        return ["SIGNING_KEY: ssh-keygen is missing. Remedy: sudo apt install openssh-client"]
    shown = subprocess.run([program, "-l", "-f", key], check=False, capture_output=True, text=True)  # noqa: S603
    if shown.returncode:
        return [f"SIGNING_KEY: {key} is not a private SSH key. Remedy: one that ssh-keygen has made"]
    if shown.stdout.split()[1] not in tag.fingerprints(keys):
        return [f"SIGNING_KEY: {tag.KEYS} does not list {key}. Remedy: add it, or sign by one it lists"]
    return []


def manifest(environment: Mapping[str, str], epoch: int) -> list[imager.Image]:
    """Write the manifest for Raspberry Pi Imager, and return the images that it lists.

    Without an address it names the files as they are here.
    """
    shutil.copyfile(ROOT / "tests/pictures/icon.png", DIST / imager.ICON)
    images = [imager.read(update) for update in sorted(DIST.glob("update*.box"))]
    content = imager.manifest(images, environment.get("RELEASE_URL") or DIST.as_uri(), epoch)
    (DIST / imager.FILE).write_text(json.dumps(content, indent=1) + "\n", "utf-8")
    return images


def distributions(epoch: int) -> None:
    """Build wheels and source distributions from what is committed, with the locked setuptools."""
    with TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        tree.mkdir()
        run("git", "-c", "tar.umask=0022", "archive", f"--output={folder}/tree.tar", "HEAD")
        run("tar", "-xf", f"{folder}/tree.tar", "-C", tree)
        python = ("env", f"SOURCE_DATE_EPOCH={epoch}", sys.executable, "-m")
        for project in (tree, tree / "engine"):
            run(*python, "build", "--no-isolation", "--outdir", DIST, project)
    for path in DIST.glob("*.tar.gz"):
        archive.normalise(path, epoch)


def finish(environment: Mapping[str, str], epoch: int) -> None:
    """Complete dist/, and list it."""
    distributions(epoch)
    for path in DIST.glob("*.spdx.json"):
        run(Path(sys.executable).with_name("pyspdxtools"), "--infile", path)
    describe(environment, manifest(environment, epoch))
    seal(environment)
    for path in sorted(DIST.iterdir()):
        print(f"{path.stat().st_size:>11,}  dist/{path.name}")


def describe(environment: Mapping[str, str], images: Sequence[imager.Image]) -> None:
    """Write the page of the release. It names the signature even if that is made elsewhere."""
    names = {path.name for path in DIST.iterdir()} | {note.FILE, note.SUMS, note.SIGNATURE}
    section = tag.section((ROOT / "CHANGELOG.md").read_text("utf-8"), __version__)
    text = note.note(__version__, section, names, images, environment.get("RELEASE_URL", ""))
    (DIST / note.FILE).write_text(text, "utf-8")


def seal(environment: Mapping[str, str]) -> None:
    """Write the sums of all files, signed if there is a key. Make them readable for everybody."""
    for old in DIST.glob(f"{note.SUMS}*"):  # those of package and images
        old.unlink()
    files = sorted(DIST.iterdir())
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    sums = DIST / note.SUMS
    sums.write_text("".join(lines))
    if environment.get("SIGNING_KEY"):
        run("ssh-keygen", "-q", "-Y", "sign", "-n", "file", "-f", environment["SIGNING_KEY"], sums)
    for path in DIST.iterdir():
        path.chmod(0o644)


def main(command: str) -> int:
    """Run one command, and return its exit status."""
    os.umask(0o022)
    if command == "check":
        found = check(os.environ)
        print("".join(f"make release: {each}\n" for each in found), end="", file=sys.stderr)
        return 2 if found else 0
    {"manifest": manifest, "finish": finish}[command](os.environ, int(run(ROOT / "tools/date")))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
