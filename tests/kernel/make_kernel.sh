#!/bin/sh
# usage: make_kernel.sh OUT
# Unpack Debian's newest kernel for trixie, which has gpio-sim and i2c-stub as modules. Install nothing, and leave apt's
# own lists alone. The version changes, so it is looked up.
set -eu
out=$1
[ ! -e "$out/version" ] || exit 0
work=$(mktemp -d /var/tmp/kernel.XXXXXX)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/debs"
# From this machine's own Debian mirror.
# shellcheck disable=SC2016  # apt-get expands it
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m1 '/debian/$')
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie-backports main" \
    >"$work/sources.list"
ask() {
    command=$1
    shift
    "$command" -q -q -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State::Lists="$work/lists" -o Dir::State::status=/dev/null -o Dir::Cache="$work/cache" \
        -o APT::Architecture=amd64 -o Acquire::Languages=none -o APT::Sandbox::User=root "$@"
}
ask apt-get update
image=$(ask apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p')
[ -n "$image" ] || { echo "make_kernel.sh: trixie-backports has no linux-image-amd64" >&2; exit 1; }
version=${image#linux-image-}
# Newer packages separate the kernel and its modules, older ones have both in the image.
parts=$(ask apt-cache depends "$image" | sed -n "s/.*Depends: \(linux-\(base\|binary\|modules\)-[0-9].*\)/\1/p")
# shellcheck disable=SC2086  # several words are meant
(cd "$work/debs" && ask apt-get download ${parts:-$image})
for deb in "$work"/debs/*.deb; do dpkg-deb -x "$deb" "$work/root"; done
[ -d "$work/root/usr/lib/modules" ] || mv "$work/root/lib" "$work/root/usr/"
ln -s usr/lib "$work/root/lib" # where modprobe looks
find "$work/root" -name 'vmlinuz*' -type f -exec mv {} "$work/root/vmlinuz" \;
depmod -b "$work/root" "$version"
for module in gpio-sim i2c-stub i2c-dev; do
    [ -n "$(find "$work/root/usr/lib/modules" -name "$module.ko*")" ] ||
        { echo "make_kernel.sh: $version has no $module" >&2; exit 1; }
done
rm -rf "$out"
mkdir -p "$(dirname "$out")"
mv "$work/root" "$out"
echo "$version" >"$out/version"
