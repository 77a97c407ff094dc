#!/bin/sh
# usage: make_root.sh SUITE TAR
# A clean Debian, as small as a machine that boots can be, as a tar file. Kept for the next run: nothing of ours is in it.
set -eu
suite=$1 tar=$2
[ ! -e "$tar" ] || exit 0
mkdir -p "$(dirname "$tar")"
nice mmdebstrap --quiet --variant=minbase --include=systemd,systemd-sysv,dbus,udev,kmod \
    --aptopt='Acquire::Languages "none"' --aptopt='APT::Install-Recommends "false"' \
    --dpkgopt='path-exclude=/usr/share/locale/*' "$suite" "$tar.new.tar"
mv "$tar.new.tar" "$tar"
