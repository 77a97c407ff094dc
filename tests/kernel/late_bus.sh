#!/bin/sh
# Make the I2C bus once no other job of systemd's runs: everything else is up by then, or waits for the bus as well.
set -eu
while systemctl list-jobs --no-legend | grep -v 'dev-i2c.x2d1[.]device' | grep -q ' running'; do sleep 0.5; done
modprobe i2c-i801
until [ -e /sys/bus/i2c/devices/i2c-0 ]; do sleep 0.1; done # its probe is asynchronous, and would race for the number
modprobe i2c-stub chip_addr=0x3c
echo 1 >/sys/kernel/tracing/events/smbus/smbus_write/enable
