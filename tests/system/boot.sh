#!/bin/sh
# usage: boot.sh ROOT [more arguments of systemd-nspawn]
# Run a real systemd as PID 1 of the root, even on a machine with another PID 1. The mounts are in their own namespace:
# they are invisible outside, and end with the process.
set -eu
root=$1
shift
# shellcheck disable=SC2016  # the inner shell expands it
exec unshare --mount --propagation private sh -euc '
    root=$1
    shift
    mount -t tmpfs tmpfs /run
    mkdir /run/systemd
    # One cgroup2 hierarchy for it, even if this machine has its controllers in cgroup v1.
    if [ "$(stat -f -c %T /sys/fs/cgroup)" != cgroup2fs ]; then
        umount -l /sys/fs/cgroup
        mount -t cgroup2 cgroup2 /sys/fs/cgroup
    fi
    export SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1
    exec systemd-nspawn --quiet --directory="$root" --boot --register=no --keep-unit --console=read-only \
        --private-network --kill-signal=SIGRTMIN+3 "$@" </dev/null
' sh "$root" "$@"
