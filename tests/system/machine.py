"""A machine to test on: a Debian root with a real systemd, in a container without a network."""

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parents[1]
CACHE = Path(os.environ.get("TICTACTOE_ROOTS", "/var/tmp/tictactoe-roots"))  # noqa: S108 - of root's, and big
PROPERTIES = ("ActiveState", "SubState", "MainPID", "NRestarts", "StatusText", "Result")
ENVIRONMENT = {
    "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
}  # fmt: skip
PATIENCE = 600  # seconds: what takes longer never happens, however busy the machine
# Two people play, so the box makes no move, and the picture stays the same however slow the machine is. A key
# that is released late is no hold.
CONFIGURATION = "game: {players: 2}\nkeypad: {hold: 10}\nlanguage: en\nrest: {dim: 0, off: 0, drift: 0}\n"
# Lets a service find pins and a display.
DROP_IN = """[Service]
Environment=LD_PRELOAD=/srv/lib/stand.so:/srv/lib/fakechip.so
BindPaths=/srv/stage
"""
# Files that every machine writes while it runs, and that apt keeps.
NOT_OURS = (
    "proc/", "sys/", "dev/", "run/", "tmp/", "root/", "srv/", "var/cache/", "var/log/", "var/lib/apt/",
    "var/lib/dpkg/",
)  # fmt: skip


def need(programs):
    """End the tests unless this is root and these programs exist; each is given with its package."""
    missing = " ".join(package for program, package in programs.items() if not shutil.which(program))
    if missing:
        pytest.exit(f"missing: {missing}. Remedy: sudo apt install {missing}", returncode=2)
    if os.geteuid():
        pytest.exit("this needs root. Remedy: run make as root, or with sudo", returncode=2)


def run(*command, check=True, timeout=600, **more):
    """Run a command; if it fails, the error has its output."""
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, timeout=timeout, check=False, **more
    )
    if check and done.returncode:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done


def wait_until(condition):
    """Return the first true value of a condition, or its last value."""
    end = time.monotonic() + PATIENCE
    while not (value := condition()) and time.monotonic() < end:
        time.sleep(0.1)
    return value


def built_package():
    """Return the package that `make deb` has built."""
    (package,) = (CHECKOUT / "dist").glob("tictactoe-appliance_*_all.deb")
    return package


def compile_c(source, output, *flags):
    """Compile a C program, or with `-shared` a library."""
    always = ("-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror")
    run("gcc", *always, *flags, "-o", output, source, "-ldl", "-pthread")


class Machine:
    """A clean root of a Debian suite; `boot` starts it, and `run` then runs commands in it."""

    def __init__(self, suite, directory):
        self.suite = suite
        self.root = directory / "root"
        self.stage = directory / "stage"
        self._process = None
        self._leader = None  # the container's PID 1
        base = CACHE / f"{suite}.tar"
        run(HERE / "make_root.sh", suite, base)
        run("rm", "-rf", directory)
        self.root.mkdir(parents=True)
        self.stage.mkdir()
        run("tar", "-C", self.root, "-xf", base, "--exclude=./dev/*")

    def run_unbooted(self, script):
        """Run a shell script in the root, with this machine's network."""
        archives = CACHE / "archives" / self.suite
        archives.mkdir(parents=True, exist_ok=True)
        setup = (
            'mount -t proc proc "$1/proc"; mount --rbind /dev "$1/dev"; mkdir -p "$1/srv/archives/partial"; '
            'mount --bind "$3" "$1/srv/archives"; exec flock --close "$3" chroot "$1" sh -euc "$2" </dev/null'
        )
        shutil.copy("/etc/resolv.conf", self.root / "etc/resolv.conf")
        proxy = {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
        private = ("unshare", "--mount", "--propagation", "private")
        run(*private, "sh", "-euc", setup, "sh", self.root, script, archives, env=ENVIRONMENT | proxy)

    def install_dependencies(self, package):
        """Install a package file's dependencies and recommendations from the archive."""
        listed = [run("dpkg-deb", "-f", package, field).stdout for field in ("Depends", "Recommends")]
        names = [word.split()[0] for word in ",".join(listed).split(",")]
        self.run_unbooted(
            "apt-get -qq update; apt-get -qq install --no-install-recommends "
            f"-o Dir::Cache::archives=/srv/archives -o APT::Keep-Downloaded-Packages=true {' '.join(names)}"
        )

    def install(self, package):
        """Install a package file with apt; its dependencies are already installed."""
        shutil.copy(package, self.root / "root")
        self.run_unbooted(f"apt-get -qq install /root/{package.name}")

    def add_lgpio(self):
        """Install lgpio, for which Debian has no package."""
        made = CACHE / f"lgpio-{self.suite}"
        run(HERE / "make_lgpio.sh", CACHE / f"{self.suite}.tar", made)
        (python,) = (self.root / "usr/lib").glob("python3.*")
        shutil.copytree(made, self.root / f"usr/local/lib/{python.name}/dist-packages", dirs_exist_ok=True)

    def files(self):
        """Return the root's files, with their kinds, modes and owners."""
        lines = run("find", ".", "-xdev", "-printf", "%P %y %m %U %G\n", cwd=self.root).stdout.splitlines()
        return {line for line in lines if not line.startswith(NOT_OURS)}

    def boot(self):
        """Boot it; return when systemd has started everything."""
        arguments = [f"--bind={self.stage}:/srv/stage", "--capability=all", "--machine=tictactoe-test"]
        console = self.stage.with_name("console")
        with console.open("w") as output:
            self._process = subprocess.Popen(
                [HERE / "boot.sh", self.root, *arguments], stdout=output, stderr=output
            )
        self._leader = None
        assert wait_until(self._is_up), f"it is not up: {console.read_text()}"

    def _is_up(self):
        if not self._leader:
            name = ("pgrep", "--parent", self._process.pid, "--exact", "systemd")
            self._leader = int(run(*name, check=False).stdout or 0)
        words = ("systemctl", "is-system-running")
        return self._leader and self.run(*words, check=False).stdout.strip() in {"running", "degraded"}

    def run(self, *command, check=True):
        """Run a command as root in the booted machine."""
        enter = ("nsenter", "--target", self._leader, "--all", "--root", "--wd", "--")
        return run(*enter, *command, check=check, env=ENVIRONMENT)

    def shell(self, script):
        """Run a shell script as root in the booted machine."""
        return self.run("sh", "-euc", script)

    def systemctl(self, *words):
        """Run systemctl; return when it is done."""
        return self.run("systemctl", *words).stdout

    def show(self):
        """Return systemd's properties of the service."""
        lines = self.systemctl("show", "tictactoe", f"--property={','.join(PROPERTIES)}").splitlines()
        return dict(line.split("=", 1) for line in lines)

    def journal(self):
        """Return the service's log, including systemd's messages about it."""
        return self.run("journalctl", "--no-pager", "--output=cat", "--unit=tictactoe").stdout

    def wait_off(self):
        """Wait until the machine has switched itself off."""
        self._process.wait(PATIENCE)

    def close(self):
        """End it as a power cut would."""
        if self._process and self._process.poll() is None:
            os.kill(self._leader or self._process.pid, signal.SIGKILL)
            self._process.wait(PATIENCE)


def dump(value):
    """Print figures for -rP."""
    print(json.dumps(value))  # noqa: T201 - see above
