#!/bin/sh
# usage: make_root.sh SUITE TAR
# Make a clean, minimal Debian that boots, as a tar file. It is kept for the next run, since nothing of ours is in it.
set -eu
suite=$1 tar=$2
mkdir -p "$(dirname "$tar")"
exec 9>>"$tar.lock" # only one makes it
flock 9
[ ! -e "$tar" ] || exit 0
nice mmdebstrap --quiet --variant=minbase --include=systemd,systemd-sysv,dbus,udev,kmod \
    --aptopt='Acquire::Languages "none"' --aptopt='APT::Install-Recommends "false"' \
    --dpkgopt='path-exclude=/usr/share/locale/*' "$suite" "$tar.new.tar"
mv "$tar.new.tar" "$tar"
