#!/bin/sh
# Installs the packages beside it, without a network. Run as root by the first boot: by cloud-init (user-data)
# or by systemd (cmdline.txt); by hand at any time. Until it has worked, every later start runs it again: a
# power cut on the way costs one more start, and a package that was missing can be put on the card at any
# computer. What it did last stands in first-boot.log, readable everywhere.
boot=/boot/firmware
here=$boot/tictactoe
unit=/etc/systemd/system/tictactoe-first-boot.service
log=$here/first-boot.log
if (: >"$log") 2>/dev/null; then exec >"$log" 2>&1; fi # a card that is full is no reason to stop here
echo "== $(date)"

again() {
    cat >"$unit" <<UNIT
[Unit]
Description=Install the tic-tac-toe box, which its first boot did not manage
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

[ -e "$unit" ] || again
sync

# systemd runs this, and nothing else, for as long as cmdline.txt says so: that goes, whatever fails below.
if grep -q 'systemd\.run=[^ ]*/tictactoe/first-boot\.sh' /proc/cmdline; then
    sed -i '1s# systemd\.run=[^ ]*/tictactoe/first-boot\.sh##' $boot/cmdline.txt
    if ! grep -q ' systemd\.run=' $boot/cmdline.txt; then
        sed -i '1s# systemd\.run_success_action=reboot##; 1s# systemd\.unit=kernel-command-line\.target##' \
            $boot/cmdline.txt
    fi
    sync
    # Without a user the next start asks for one, and waits for a keyboard: call that off, unless one is set.
    if systemctl --quiet is-enabled userconfig &&
        ! [ -e $boot/userconf.txt ] && ! [ -e $boot/userconf ]; then
        cancel-rename "$(getent passwd 1000 | cut -d: -f1)"
    fi
    # The name of the box.
    # shellcheck disable=SC1083  # `tictactoe boot prepare` fills it in
    raspi-config nonint do_hostname {hostname}
fi

# dpkg and not apt: apt wants the lists of what there is, which no fresh card has. What an earlier try
# unpacked and could not configure is not installed again, so it is configured before and after.
if ! ls "$here"/*.deb >/dev/null 2>&1; then
    echo "no package lies in the folder tictactoe: put it there, and the next start installs it"
elif packages --configure --pending
    packages --skip-same-version --refuse-downgrade --install "$here"/*.deb &&
        packages --configure --pending; then
    systemctl --quiet disable "${unit##*/}"
    rm -f "$unit"
    echo "installed"
else
    echo "not everything was installed: the lines above say what is missing; put that beside the others in"
    echo "the folder tictactoe, and the next start tries again"
fi
sync
exit 0
