#!/bin/sh
# usage: run.sh SUITE [arguments of pytest]
# The ordinary tests on a Debian suite's own Python, gpiozero, luma.oled, PyYAML and Pillow. Needs root and mmdebstrap.
set -eu
suite=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
case $suite in
    bookworm) python=3.11 ;;
    trixie) python=3.13 ;;
    *) echo "usage: run.sh bookworm|trixie [arguments of pytest]" >&2; exit 2 ;;
esac
cache=${TICTACTOE_ROOTS:-/var/tmp/tictactoe-roots}
[ "$(id -u)" = 0 ] || { echo "make test-debian: roots need root. Remedy: sudo make test-debian" >&2; exit 2; }
command -v mmdebstrap >/dev/null ||
    { echo "make test-debian: mmdebstrap is missing. Remedy: sudo apt install mmdebstrap" >&2; exit 2; }
"$here/../system/make_root.sh" "$suite" "$cache/$suite.tar"

root=$cache/debian-$suite
if [ ! -e "$root/ready" ]; then
    rm -rf "$root"
    mkdir -p "$root"
    tar -C "$root" -xf "$cache/$suite.tar" --exclude='./dev/*'
fi
rm -rf "$root/srv/checkout"
mkdir -p "$root/srv/checkout"
cd "$here/../.."
tar -cf - --exclude=.venv --exclude=.git --exclude=__pycache__ --exclude='.*_cache' --exclude=.hypothesis --exclude=dist \
    --exclude='.lgd*' . | tar -C "$root/srv/checkout" -xf -
cp /etc/resolv.conf "$root/etc/resolv.conf"

# The tools of testing are those of `make test`: bookworm's are too old for the tests. They bring none of the libraries
# that the product uses.
if [ ! -e "$root/srv/tools/.ready" ]; then
    rm -rf "$root/srv/tools"
    # shellcheck disable=SC2046  # several words are meant
    python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target "$root/srv/tools" \
        --only-binary :all: --python-version "$python" $(sed -n 's/^ *"\(\(pytest\|hypothesis\|pyte\)==.*\)",/\1/p' pyproject.toml)
    touch "$root/srv/tools/.ready"
fi
# shellcheck disable=SC2016  # the inner shells expand it
exec unshare --mount --propagation private sh -euc '
    root=$1
    shift
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    exec chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 PYTHONPATH=/srv/tools HOME=/root CI="${CI:-}" \
        DEBIAN_FRONTEND=noninteractive sh -euc "
        if [ ! -e /ready ]; then
            apt-get -qq update
            apt-get -qq install --no-install-recommends python3-gpiozero python3-luma.oled python3-smbus2 \
                python3-yaml >/dev/null
            touch /ready
        fi
        cd /srv/checkout
        dpkg-query --show python3 python3-gpiozero python3-luma.oled python3-yaml python3-pil
        exec python3 -m pytest -q -p no:cacheprovider -W \"ignore:pkg_resources is deprecated\" \"\$@\"
    " sh "$@"
' sh "$root" "$@"
