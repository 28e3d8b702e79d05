#!/bin/sh
# Installs missing packages of the distribution. Does nothing if all are installed.
set -eu

# Of libsuitesparse-dev only AMD is linked; it also contains CHOLMOD, the reference of the tests.
packages="gcc libc6-dev cmake pkg-config libsuitesparse-dev libmetis-dev libopenblas-dev libjansson-dev zlib1g-dev"
[ "${1:-}" = "--fuzz" ] && packages="$packages clang libclang-rt-14-dev libcmocka-dev libgmp-dev"
[ "${1:-}" = "--tests" ] && packages="$packages g++ libcmocka-dev libgmp-dev chromium ffmpeg"
[ "${1:-}" = "--lint" ] && packages="$packages libcmocka-dev libgmp-dev clang-tidy cppcheck"
[ "${1:-}" = "--valgrind" ] && packages="$packages valgrind"
[ "${1:-}" = "--deb" ] && packages="$packages dpkg-dev file"
[ "${1:-}" = "--coverage" ] && packages="$packages g++ libcmocka-dev libgmp-dev gcovr"

if ! command -v dpkg-query > /dev/null; then
    echo "setup: this is not a Debian system; please install the equivalents of these packages:" >&2
    echo "  $packages" >&2
    exit 0
fi

missing=""
for package in $packages; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null | grep -q '^installed$' ||
        missing="$missing $package"
done
[ -z "$missing" ] && exit 0

as_root=""
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo > /dev/null || {
        echo "setup: please run as root: apt-get install$missing" >&2
        exit 1
    }
    as_root="sudo"
fi
echo "setup: installing$missing"
log=$(mktemp)
export DEBIAN_FRONTEND=noninteractive
if ! { $as_root apt-get update -qq && $as_root apt-get install -y -qq --no-install-recommends $missing; } \
    > "$log" 2>&1; then
    cat "$log" >&2
    echo "setup: could not install$missing" >&2
    rm -f "$log"
    exit 1
fi
rm -f "$log"
