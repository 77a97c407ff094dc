#!/bin/sh
# Installs the packages beside it, without a network. The first boot runs it as root: cloud-init does (user-data),
# or systemd (cmdline.txt); you can run it by hand at any time. Until it succeeds, each later start runs it again,
# so a power cut costs one more start, and a missing package can be added to the card on any computer. Its last
# result is in first-boot.log, readable on any computer.
boot=/boot/firmware
here=$boot/tictactoe
unit=/etc/systemd/system/tictactoe-first-boot.service
log=$here/first-boot.log
if (: >"$log") 2>/dev/null; then exec >"$log" 2>&1; fi # a full card must not stop the installation
echo "== $(date)"

# `tictactoe boot prepare --hostname` fills this in.
# shellcheck disable=SC1083
hostname={hostname}

retry_at_next_start() {
    cat >"$unit" <<UNIT
[Unit]
Description=Install the tic-tac-toe box, which its first boot did not finish
RequiresMountsFor=$boot
ConditionPathExists=$here/first-boot.sh

[Service]
Type=oneshot
ExecStart=/bin/sh $here/first-boot.sh

[Install]
WantedBy=multi-user.target
UNIT
    systemctl --quiet enable "${unit##*/}"
}
packages() {
    DEBIAN_FRONTEND=noninteractive dpkg --force-confdef --force-confold "$@" </dev/null
}

[ -e "$unit" ] || retry_at_next_start
sync

# While cmdline.txt has systemd.run=, each start runs this and nothing else: remove it before anything can fail.
if grep -q 'systemd\.run=[^ ]*/tictactoe/first-boot\.sh' /proc/cmdline; then
    sed -i '1s# systemd\.run=[^ ]*/tictactoe/first-boot\.sh##' $boot/cmdline.txt
    if ! grep -q ' systemd\.run=' $boot/cmdline.txt; then
        sed -i '1s# systemd\.run_success_action=reboot##; 1s# systemd\.unit=kernel-command-line\.target##' \
            $boot/cmdline.txt
    fi
    sync
    # Without a user the next start asks for one and waits for a keyboard: cancel that, unless one is configured.
    if systemctl --quiet is-enabled userconfig &&
        ! [ -e $boot/userconf.txt ] && ! [ -e $boot/userconf ]; then
        cancel-rename "$(getent passwd 1000 | cut -d: -f1)"
    fi
    [ -z "${hostname:-}" ] || raspi-config nonint do_hostname "$hostname"
fi

# dpkg, because apt needs package lists, which a fresh card does not have. Packages that an earlier run unpacked
# but could not configure are not installed again, so configure pending ones before and after.
if ! ls "$here"/*.deb >/dev/null 2>&1; then
    echo "there is no package in the folder tictactoe: copy it there, and the next start installs it"
elif packages --configure --pending
    packages --skip-same-version --refuse-downgrade --install "$here"/*.deb &&
        packages --configure --pending; then
    systemctl --quiet disable "${unit##*/}"
    rm -f "$unit"
    echo "installed"
else
    echo "not everything was installed: see above for what is missing; copy that into the folder tictactoe,"
    echo "and the next start tries again"
fi
sync
exit 0
