#!/bin/sh
# usage: make_initrd.sh KERNEL INIT OUT
# Make an initramfs from an unpacked kernel and a first program, in which the functions of image/init work on disks vda,
# vdb... /new has the real e2fsck and mke2fs, like the box's root.
set -eu
kernel=$1 init=$2 out=$3
version=$(cat "$kernel/version")
work=$(mktemp -d /var/tmp/initrd.XXXXXX)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p bin boot data dev modules new/dev new/proc new/usr/sbin proc sys
cp /bin/busybox bin/
for name in $(busybox --list); do [ -e "bin/$name" ] || ln -s busybox "bin/$name"; done
for name in virtio_pci virtio_blk ext4; do
    modprobe -d "$kernel" -S "$version" --show-depends "$name" | sed -n 's/^insmod \([^ ]*\).*/\1/p'
done | awk '!seen[$0]++' | while read -r file; do
    name=$(basename "$file" .xz)
    case $file in *.xz) xz -dc "$file" ;; *) cat "$file" ;; esac >"modules/$name"
    echo "$name" >>modules/card
done
for program in e2fsck mke2fs; do
    cp "$(command -v "$program" || echo "/usr/sbin/$program")" new/usr/sbin/
    ldd "new/usr/sbin/$program" | sed -n 's/.*=> \([^ ]*\).*/\1/p; s/^[[:space:]]*\(\/[^ ]*\).*/\1/p' | while read -r library; do
        mkdir -p "new$(dirname "$library")"
        cp -L "$library" "new$library"
    done
done
install -m 755 "$init" init
find . | cpio --create --format=newc --quiet | gzip -1 >"$out"
