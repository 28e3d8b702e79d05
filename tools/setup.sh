#!/bin/sh
# Installs what is missing from the distribution's packages. With everything there it only looks.
set -eu

packages="gcc libc6-dev cmake pkg-config libsuitesparse-dev libopenblas-dev libjansson-dev zlib1g-dev libwebsockets-dev"
[ "${1:-}" = "--tests" ] && packages="$packages g++ libcmocka-dev libgmp-dev chromium"

# The glTF validator is for one test, which is skipped without it.
cache=${PLIANT_CACHE:-${XDG_CACHE_HOME:-${HOME:-.}/.cache}/pliant}/npm
if [ "${1:-}" = "--tests" ] && command -v npm > /dev/null && [ ! -d "$cache/node_modules/gltf-validator" ]; then
    { mkdir -p "$cache" && npm install --no-audit --no-fund --fetch-retries=0 --fetch-timeout=20000 \
        --prefix "$cache" gltf-validator@2.0.0-dev.3.10; } > /dev/null 2>&1 ||
        echo "setup: the glTF validator could not be installed; its test will be skipped"
fi

if ! command -v dpkg-query > /dev/null; then
    echo "setup: this is not a Debian system; please install by hand what these packages hold:" >&2
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
