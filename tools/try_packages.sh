#!/bin/bash
# Installs the packages of build-deb in a new, minimal system (debootstrap, chroot) and uses them there:
# runs a scene, reads the manual page, builds a program. Needs root; about a minute and 600 MB.
# usage: tools/try_packages.sh [DIR]; DIR keeps the system for the next time
set -eu
cd "$(dirname "$0")/.."
source=$PWD
[ "$(id -u)" -eq 0 ] || { echo "try_packages: please run as root"; exit 1; }
ls build-deb/*.deb > /dev/null || { echo "try_packages: no packages; run make deb"; exit 1; }
command -v debootstrap > /dev/null || apt-get install -y -qq debootstrap > /dev/null
root=${1:-}
if [ -z "$root" ]; then
    root=$(mktemp -d)
    trap 'rm -rf "$root"' EXIT
fi
# The archive that this system uses.
site=$(apt-get indextargets --format '$(SITE) $(CODENAME) $(COMPONENT)' | grep ' main$' | head -1)
[ -x "$root/bin/sh" ] || debootstrap --variant=minbase "$(echo "$site" | cut -d' ' -f2)" "$root" \
    "$(echo "$site" | cut -d' ' -f1)" > "$root.log" 2>&1 || { tail -5 "$root.log"; exit 1; }
cp -r /etc/apt/apt.conf.d /etc/resolv.conf "$root/etc/" 2> /dev/null || true
mkdir -p "$root/packages"
cp build-deb/*.deb "$root/packages/"
awk '/^```c$/ {on = 1; next} /^```$/ {if (on) exit} on' "$source/README.md" > "$root/packages/example.c"
cat > "$root/packages/try.sh" <<'END'
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends /packages/*.deb > /packages/log 2>&1 || { tail /packages/log; exit 1; }
cd /tmp
pliant version
pliant run /usr/share/pliant/scenes/disks.json -n 3 -q -o disks
test -s disks/run.json
apt-get install -y -qq --no-install-recommends gcc libc6-dev pkg-config > /packages/log 2>&1
cc /packages/example.c -o example $(pkg-config --cflags --libs pliant)
./example
apt-get remove -y -qq pliant libpliant-dev 'libpliant[0-9]*' > /packages/log 2>&1
test ! -e /usr/bin/pliant
echo "the packages install, work and leave"
END
chroot "$root" sh /packages/try.sh
