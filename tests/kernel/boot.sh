#!/bin/sh
# usage: boot.sh IMAGE RESULTS CONSOLE
# Run the virtual machine on a throw-away copy of its disk until it switches itself off. Its second serial port has the
# results. No KVM: the processor is emulated, so its times are not those of any real machine. While it works, its clock
# counts instructions (-icount): how busy this machine is makes no difference to the guest. One processor, as in the
# smallest Pi: of two emulated ones, one may run kernel code that the other is patching, and the kernel dies. If it dies,
# the machine ends at once (panic=-1).
set -eu
exec qemu-system-x86_64 -M q35 -accel tcg -icount shift=0 -cpu max -smp 1 -m 1024 -nodefaults -nographic \
    -no-reboot -serial "file:$3" -serial "file:$2" -kernel "$1.vmlinuz" -initrd "$1.initrd" \
    -append "console=ttyS0 root=/dev/vda rw quiet panic=-1 systemd.show_status=0 net.ifnames=0 mitigations=off tsc=nowatchdog" \
    -drive "file=$1.ext4,if=none,id=disk,format=raw,snapshot=on,cache=unsafe" -device virtio-blk-pci,drive=disk </dev/null
