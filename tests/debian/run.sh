#!/bin/sh
# usage: run.sh SUITE [arguments of pytest]
# The ordinary tests on a Debian suite's own Python, gpiozero, luma.oled, PyYAML and Pillow. Needs root, mmdebstrap
# and pip. Roots are kept for the next run in $TICTACTOE_ROOTS. What is mounted is seen by this run alone, and ends
# with it.
set -eu
fail() {
    echo "make test-$suite: $1. Remedy: $2" >&2
    exit 2
}
suite=${1-}
here=$(cd "$(dirname "$0")" && pwd)
checkout=$(cd "$here/../.." && pwd)
case $suite in
    bookworm) python=3.11 ;;
    trixie) python=3.13 ;;
    *)
        echo "usage: run.sh bookworm|trixie [arguments of pytest]" >&2
        exit 2
        ;;
esac
shift
[ "$(id -u)" = 0 ] || fail "roots need root" "sudo make test-$suite"
command -v mmdebstrap >/dev/null || fail "mmdebstrap is missing" "sudo apt install mmdebstrap"
python3 -m pip --version >/dev/null 2>&1 || fail "pip is missing" "sudo apt install python3-pip"

cache=${TICTACTOE_ROOTS:-/var/tmp/tictactoe-roots}
root=$cache/debian-$suite
packages="python3-gpiozero python3-luma.oled python3-smbus2 python3-yaml"
[ "$(cat "$root/ready" 2>/dev/null)" = "$packages" ] || {
    echo "Preparing Debian $suite in $root"
    "$here/../system/make_root.sh" "$suite" "$cache/$suite.tar"
    rm -rf "$root"
    mkdir -p "$root"
    tar -C "$root" -xf "$cache/$suite.tar" --exclude='./dev/*'
}
# The tools of testing are those of `make test`: bookworm's are too old for the tests. They bring none of the
# libraries that the product uses.
tools=$checkout/requirements/test.txt
cmp -s "$tools" "$root/srv/tools/ready" || {
    rm -rf "$root/srv/tools"
    python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --require-hashes \
        --target "$root/srv/tools" --only-binary :all: --python-version "$python" -r "$tools"
    cp "$tools" "$root/srv/tools/ready"
}
[ ! -e /etc/resolv.conf ] || cp /etc/resolv.conf "$root/etc/resolv.conf"

# The shell stays, as the first process should:
# it reaps what is left over, and signals mean to the tests what they always do.
# shellcheck disable=SC2016  # the inner shells expand it
exec unshare --mount --propagation private --pid --fork --kill-child sh -euc '
    root=$1 checkout=$2 packages=$3
    shift 3
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount -t tmpfs tmpfs "$root/tmp"
    mkdir -p "$root/srv/checkout"
    mount -t tmpfs tmpfs "$root/srv/checkout"
    tar -C "$checkout" -cf - --exclude=.venv --exclude=.git --exclude=__pycache__ --exclude=".*_cache" \
        --exclude=.hypothesis --exclude=dist --exclude=".lgd*" . | tar -C "$root/srv/checkout" -xf -
    chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 CI="${CI:-}" \
        PYTEST_XDIST_AUTO_NUM_WORKERS="${PYTEST_XDIST_AUTO_NUM_WORKERS:-}" \
        PYTHONPATH=/srv/tools DEBIAN_FRONTEND=noninteractive sh -euc "
        packages=\$1
        shift
        if [ ! -e /ready ]; then
            apt-get -qq update
            apt-get -qq install --no-install-recommends \$packages >/dev/null
            echo \"\$packages\" >/ready
        fi
        cd /srv/checkout
        dpkg-query --show python3 python3-gpiozero python3-luma.oled python3-yaml python3-pil
        python3 -m pytest -n auto --dist worksteal -p no:cacheprovider \
            -W \"ignore:pkg_resources is deprecated\" \"\$@\"
    " sh "$packages" "$@"
' sh "$root" "$checkout" "$packages" "$@"
