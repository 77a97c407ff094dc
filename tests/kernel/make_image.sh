#!/bin/sh
# usage: make_image.sh ROOT KERNEL OUT
# Make OUT.vmlinuz, OUT.initrd and OUT.ext4 from a root and an unpacked kernel. No loop device, no boot loader.
set -eu
root=$1 kernel=$2 out=$3
version=$(cat "$kernel/version")
work=$(mktemp -d /var/tmp/image.XXXXXX)
trap 'rm -rf "$work"' EXIT
needed() { # BASE NAME...: print the files of these modules and their dependencies, in load order
    base=$1
    shift
    for name in "$@"; do
        modprobe -d "$base" -S "$version" --show-depends "$name" | sed -n 's/^insmod \([^ ]*\).*/\1/p'
    done | awk '!seen[$0]++'
}
modules=$root/usr/lib/modules/$version
mkdir -p "$modules"
cp "$kernel/usr/lib/modules/$version"/modules.builtin* "$kernel/usr/lib/modules/$version/modules.order" "$modules/"
for file in $(needed "$kernel" virtio_pci virtio_blk ext4 configfs gpio-sim i2c-i801 i2c-stub i2c-dev); do
    to=$modules/${file#*/modules/"$version"/}
    mkdir -p "$(dirname "$to")"
    cp "$file" "$to"
done
find "$modules" -name '*.xz' -exec xz -d {} +
depmod -b "$root" "$version"

# The first program: mount the disk and continue there.
mkdir -p "$work/bin" "$work/dev" "$work/proc" "$work/sys" "$work/new" "$work/modules"
cp /bin/busybox "$work/bin/"
for name in sh mount switch_root insmod sleep; do ln -s busybox "$work/bin/$name"; done
{
    echo '#!/bin/sh'
    echo 'mount -t devtmpfs d /dev; mount -t proc p /proc; mount -t sysfs s /sys'
    for file in $(needed "$root" virtio_pci virtio_blk ext4); do
        cp "$file" "$work/modules/"
        echo "insmod /modules/$(basename "$file")"
    done
    echo 'until [ -b /dev/vda ]; do sleep 0.2; done'
    echo 'mount /dev/vda /new && mount --move /dev /new/dev && mount --move /proc /new/proc && mount --move /sys /new/sys'
    echo 'exec switch_root /new /sbin/init'
} >"$work/init"
chmod 755 "$work/init"
(cd "$work" && find . | cpio --create --format=newc --quiet | gzip -1) >"$out.initrd"
cp "$kernel/vmlinuz" "$out.vmlinuz"
size=$(du -sm "$root" | cut -f1)
rm -f "$out.ext4"
mke2fs -q -t ext4 -d "$root" "$out.ext4" "$((size * 5 / 4 + 64))M"
