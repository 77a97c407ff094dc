#!/bin/sh
# Run once, as root, by the first boot: by cloud-init (user-data) or by systemd (cmdline.txt); by hand at
# any time. Installs the packages beside it, without a network. What it did stands in first-boot.log,
# readable everywhere.
boot=/boot/firmware
here=$boot/tictactoe
exec >>"$here/first-boot.log" 2>&1
echo "== $(date)"

# systemd runs this for as long as cmdline.txt says so. That goes first: whatever fails below, it is not
# repeated.
if grep -q "systemd.run=$here/" /proc/cmdline; then
    sed -i "1s# systemd\.run=$here/[^ ]*##" $boot/cmdline.txt
    if ! grep -q ' systemd\.run=' $boot/cmdline.txt; then
        sed -i '1s# systemd\.run_success_action=reboot##; 1s# systemd\.unit=kernel-command-line\.target##' \
            $boot/cmdline.txt
    fi
    # Without a user the next start asks for one, and waits for a keyboard: call that off, unless one is set.
    if [ -x /usr/bin/cancel-rename ] && ! [ -e $boot/userconf.txt ] && ! [ -e $boot/userconf ]; then
        cancel-rename "$(getent passwd 1000 | cut -d: -f1)"
    fi
    # The name of the box.
    raspi-config nonint do_hostname {hostname}
fi

# dpkg and not apt: apt wants the lists of what there is, which no fresh card has.
if ! ls "$here"/*.deb >/dev/null 2>&1; then
    echo "no package lies in the folder tictactoe: nothing was installed"
elif DEBIAN_FRONTEND=noninteractive dpkg --force-confdef --force-confold --skip-same-version \
    --refuse-downgrade --install "$here"/*.deb </dev/null; then
    echo "installed"
else
    echo "not everything was installed: the lines above say what is missing; put that beside the others"
    echo "and run: sudo sh $here/first-boot.sh"
fi
sync
exit 0
