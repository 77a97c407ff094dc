#!/bin/sh
# usage: make_lgpio.sh BASE.tar OUT
# Build lgpio for a suite's Python from PyPI's source: Debian has no python3-lgpio, and PyPI no wheel for trixie's Python.
# In a throw-away root, so that the machines under test stay clean.
set -eu
base=$1 out=$2
[ ! -e "$out/lgpio.py" ] || exit 0
work=$(mktemp -d /var/tmp/lgpio.XXXXXX)
trap 'rm -rf "$work"' EXIT
checkout=$(cd "$(dirname "$0")/../.." && pwd)
"$checkout/.venv/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps --no-build-isolation \
    --no-binary :all: -d "$work/src" --require-hashes -r "$checkout/requirements/lgpio.txt"
mkdir "$work/root"
tar -C "$work/root" -xf "$base" --exclude='./dev/*'
tar -C "$work/src" -xzf "$work"/src/lgpio-*.tar.gz
mv "$work"/src/lgpio-*/ "$work/root/lgpio"
# shellcheck disable=SC2016
unshare --mount --propagation private sh -euc '
    mount -t proc proc "$1/proc"
    mount --rbind /dev "$1/dev"
    cp /etc/resolv.conf "$1/etc/resolv.conf"
    chroot "$1" sh -euc "
        export DEBIAN_FRONTEND=noninteractive
        apt-get -qq update
        apt-get -qq install --no-install-recommends gcc libc6-dev python3-dev python3-setuptools swig
        cd /lgpio
        PYPI=1 python3 setup.py -q build
    "
' sh "$work/root" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
mkdir -p "$out"
cp "$work"/root/lgpio/build/lib*/_lgpio*.so "$out/"
cp "$work/root/lgpio/lgpio.py" "$out/"
