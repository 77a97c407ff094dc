#!/bin/sh
# Downloads the packages that the box needs and a fresh card lacks, so that it can be installed without a network:
#
#     sh fetch-packages.sh trixie arm64 packages/
#     tictactoe boot prepare DIR --package packages/ --package tictactoe-appliance_VERSION_all.deb
#
# Run it on Debian, Ubuntu or Raspberry Pi OS, with a network and without root. Release and architecture are the
# card's: bookworm or trixie; arm64, or armhf for the 32-bit image. Debian's armhf needs an ARMv7 processor: the
# first Zero (ARMv6) cannot run it, and installs with a network instead (README.md here).
set -eu
if [ $# -ne 3 ]; then
    echo "usage: sh $0 bookworm|trixie arm64|armhf FOLDER" >&2
    exit 2
fi
fail() {
    echo "$0: $1" >&2
    exit 2
}
command -v apt-get >/dev/null || fail "apt-get is missing: run this on Debian, Ubuntu or Raspberry Pi OS"
keys=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r $keys ] || fail "$keys is missing; remedy: sudo apt install debian-archive-keyring"
mkdir -p "$3"
folder=$(cd "$3" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A separate apt, for another release and architecture, and as if nothing were installed.
mkdir -p "$work/etc/apt/preferences.d" "$work/state/lists/partial" "$work/cache/archives/partial"
: >"$work/status"
echo "deb [signed-by=$keys] ${MIRROR:-http://deb.debian.org/debian} $1 main" >"$work/etc/apt/sources.list"
cat >"$work/apt.conf" <<CONF
Dir "$work"; Dir::State "$work/state"; Dir::State::status "$work/status"; Dir::Cache "$work/cache";
Dir::Etc "$work/etc/apt"; Dir::Etc::parts "/dev/null"; Dir::Etc::sourceparts "/dev/null";
APT::Architecture "$2"; APT::Architectures { "$2"; }; APT::Install-Recommends "false";
APT::Sandbox::User "root"; quiet "2";
CONF
APT_CONFIG="$work/apt.conf"
export APT_CONFIG
apt-get update

closure() { apt-get --simulate install "$@" | awk '/^Inst/ { print $2 }' | sort; }
closure python3-luma.oled python3-gpiozero python3-yaml >"$work/wanted"
closure python3 python3-gpiozero systemd udev >"$work/there" # on every image
cd "$folder"
# shellcheck disable=SC2046 # one package a word
apt-get download $(comm -23 "$work/wanted" "$work/there")
[ "$2" != armhf ] || echo "note: these are for ARMv7 and newer; the first Zero installs with a network instead"
set -- "$folder"/*.deb
echo "$# packages are in $folder"
