#!/bin/sh
# usage: boot.sh IMAGE RESULTS CONSOLE
# Starts the virtual machine on a throw-away copy of its disk; ends when it switches itself off. What it has to say goes
# out of its second serial port. No KVM: the processor is emulated, so its times are not those of any real machine. One
# processor, as in the smallest Pi: where two are emulated, the kernel changing its own code may be run half changed by
# the other, and dies. Should it die, the machine ends at once (panic=-1), and does not wait for anybody.
set -eu
exec qemu-system-x86_64 -M q35 -accel tcg -cpu max -smp 1 -m 1024 -nodefaults -nographic -no-reboot \
    -serial "file:$3" -serial "file:$2" -kernel "$1.vmlinuz" -initrd "$1.initrd" \
    -append "console=ttyS0 root=/dev/vda rw quiet panic=-1 systemd.show_status=0 net.ifnames=0 mitigations=off tsc=nowatchdog" \
    -drive "file=$1.ext4,if=none,id=disk,format=raw,snapshot=on,cache=unsafe" -device virtio-blk-pci,drive=disk </dev/null
