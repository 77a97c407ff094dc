"""A machine to test on: a Debian root with a real systemd, in a container without a network."""

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parents[1]
CACHE = Path(os.environ.get("TICTACTOE_ROOTS", "/var/tmp/tictactoe-roots"))  # noqa: S108 - of root's, and big
SUITES = ("bookworm", "trixie")
PROPERTIES = ("ActiveState", "SubState", "MainPID", "NRestarts", "StatusText", "Result", "StatusErrno")


def run(*command, check=True, timeout=600, **more):
    """Run a command; its output is in the error when it fails."""
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, timeout=timeout, check=False, **more
    )
    if check and done.returncode:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done


def in_root(root, script, archives=None):
    """Run a shell script in a root that is not booted, with this machine's network."""
    setup = (
        'mount -t proc proc "$1/proc"; mount --rbind /dev "$1/dev"; mkdir -p "$1/srv/archives/partial"; '
        '[ -z "$3" ] || mount --bind "$3" "$1/srv/archives"; exec chroot "$1" sh -euc "$2" </dev/null'
    )
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    quiet = {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
    quiet |= {
        "DEBIAN_FRONTEND": "noninteractive",
        "LC_ALL": "C.UTF-8",
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
    }
    return run(
        "unshare",
        "--mount",
        "--propagation",
        "private",
        "sh",
        "-euc",
        setup,
        "sh",
        root,
        script,
        archives or "",
        env=quiet,
    )


class Machine:
    """A root; `boot` starts it, and `run` runs commands in it."""

    def __init__(self, root, stage):
        self.root = root
        self.stage = stage
        self._process = None
        self._leader = None

    @classmethod
    def make(cls, suite, directory):
        """Return a clean machine, not booted."""
        base = CACHE / f"{suite}.tar"
        run(HERE / "make_root.sh", suite, base)
        root = directory / "root"
        root.mkdir(parents=True)
        run("tar", "-C", root, "-xf", base, "--exclude=./dev/*")
        stage = directory / "stage"
        stage.mkdir()
        return cls(root, stage)

    def install_dependencies(self, package):
        """Install from the archive what a package file depends on and recommends."""
        name = shutil.copy(package, self.root / "root")
        listed = ("Depends", "Recommends")
        wanted = ", ".join(run("dpkg-deb", "-f", name, field).stdout.strip() for field in listed)
        names = [word.split()[0] for word in wanted.split(",")]
        archives = CACHE / "archives" / self.root.parent.name
        archives.mkdir(parents=True, exist_ok=True)
        script = (
            "apt-get -qq update; apt-get -qq install --no-install-recommends "
            f"-o Dir::Cache::archives=/srv/archives -o APT::Keep-Downloaded-Packages=true {' '.join(names)}"
        )
        return in_root(self.root, script, archives)

    def install(self, package):
        """Install a package file with apt, whose dependencies are installed."""
        name = Path(shutil.copy(package, self.root / "root")).name
        return in_root(self.root, f"apt-get -qq install /root/{name}")

    def boot(self, timeout=300):
        """Start it; return when systemd has started everything."""
        arguments = [f"--bind={self.stage}:/srv/stage", "--capability=all", "--machine=tictactoe-test"]
        console = self.stage.with_name("console")
        with console.open("w") as output:
            self._process = subprocess.Popen(
                [HERE / "boot.sh", self.root, *arguments], stdout=output, stderr=output
            )
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            if self._process.poll() is not None:
                raise AssertionError(f"the container ended: {console.read_text()}")
            self._leader = self._leader or self._find_leader()
            state = (
                self.run("systemctl", "is-system-running", check=False).stdout.strip() if self._leader else ""
            )
            if state in {"running", "degraded"}:
                return
            time.sleep(0.1)
        raise AssertionError(f"not up after {timeout} s: {state!r}")

    def _find_leader(self):
        """Return the process that is the container's PID 1."""
        for child in children(self._process.pid):
            for grandchild in (child, *children(child)):
                if name_of(grandchild) == "systemd":
                    return grandchild
        return None

    def run(self, *command, check=True, **more):
        """Run a command as root in the booted machine."""
        enter = (
            "nsenter",
            "--target",
            self._leader,
            "--mount",
            "--uts",
            "--ipc",
            "--net",
            "--pid",
            "--cgroup",
            "--root",
            "--wd",
        )
        return run(
            *enter,
            "--",
            "env",
            "-i",
            "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
            "LC_ALL=C.UTF-8",
            *command,
            check=check,
            **more,
        )

    def show(self, unit="tictactoe.service"):
        """Return what systemd knows of a unit."""
        done = self.run("systemctl", "show", unit, f"--property={','.join(PROPERTIES)}")
        return dict(line.split("=", 1) for line in done.stdout.splitlines())

    def journal(self, unit="tictactoe.service"):
        """Return what a unit, and systemd about it, has logged."""
        return self.run("journalctl", "--no-pager", "--output=cat", f"--unit={unit}").stdout

    def wait_off(self, timeout=300):
        """Wait until the machine has switched itself off."""
        self._process.wait(timeout)
        self._leader = None

    def close(self):
        """Switch it off."""
        if self._process and self._process.poll() is None:
            if self._leader:
                os.kill(self._leader, signal.SIGRTMIN + 3)
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                os.kill(self._leader or self._process.pid, signal.SIGKILL)
                self._process.wait(20)
        self._leader = None


def children(pid):
    """Return the children of a process of this machine."""
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        found += [int(word) for word in task.read_text().split()]
    return found


def name_of(pid):
    """Return a process's name."""
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def files_of(root):
    """Return the files of a root but for what every machine writes while it runs, and what apt keeps."""
    skipped = (
        "proc/",
        "sys/",
        "dev/",
        "run/",
        "tmp/",
        "root/",
        "var/cache/",
        "var/log/",
        "var/lib/apt/",
        "var/lib/dpkg/",
        "srv/",
    )
    every = run("find", ".", "-xdev", "-printf", "%P %y %m %U %G\n", cwd=root).stdout.splitlines()
    return {line for line in every if not line.startswith(skipped)}


def dump(value):
    """Print figures, for whoever runs this with -rP."""
    print(json.dumps(value))  # noqa: T201 - see above
