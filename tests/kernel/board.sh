#!/bin/sh
# Set up the board before the service starts: a GPIO chip of the board's own, the header's with the name of a Pi's, the
# keys' wires, and, once everything else is up or waits for it, the I2C bus with a device at the display's address that
# accepts every byte.
set -eu
mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null || true
mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null || true
echo 8192 >/sys/kernel/tracing/buffer_size_kb
echo mono >/sys/kernel/tracing/trace_clock
modprobe -a configfs gpio-sim i2c-dev
mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
power=/sys/kernel/config/gpio-sim/power
mkdir -p $power/bank0
echo 8 >$power/bank0/num_lines
echo gpio-brcmstb >$power/bank0/label
echo 1 >$power/live
bank=/sys/kernel/config/gpio-sim/box/bank0
mkdir -p "$bank"
echo 54 >"$bank/num_lines"
echo pinctrl-bcm2835 >"$bank/label"
echo 1 >"$bank/../live"
# Our udev rule, with this chip's driver instead of a Pi's.
sed "s/DRIVERS==\"[^\"]*\"/KERNELS==\"$(cat "$bank/../dev_name")\"/" /usr/lib/udev/rules.d/60-tictactoe.rules \
    >/etc/udev/rules.d/60-tictactoe.rules
udevadm control --reload
mkdir -p /run/wires
systemd-run --unit=wires --property=DefaultDependencies=no /srv/vm/wires "$(cat "$bank/chip_name")" 17,27,22 5,6,13
while [ ! -s /run/wires/page ]; do sleep 0.1; done
systemd-run --unit=late-bus --property=DefaultDependencies=no sh /srv/vm/late_bus.sh
