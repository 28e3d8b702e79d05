#!/bin/sh
# Tests of the page: run.sh units|bundle|page|real [PROGRAM SOURCE]. Ends with 77, skipped, and says why if
# Node, the packages of web/ or Chromium are not there.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
what=$1

skip() {
    echo "skipped: $1"
    exit 77
}

command -v node > /dev/null || skip "node is not installed"
[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 18 ] || skip "node is older than version 18"
if [ "$what" = units ]; then
    exec node --test "$here/units.test.mjs"
fi
[ -d "$here/../../web/node_modules/three" ] || skip "web/node_modules is not there: run \`make web\`"
if [ "$what" = bundle ]; then
    exec node --test "$here/bundle.test.mjs"
fi
[ -d "$here/../../web/node_modules/playwright-core" ] || skip "web/node_modules is not complete: run \`make web\`"
[ -n "${CHROMIUM:-}" ] || command -v chromium chromium-browser google-chrome > /dev/null || skip "chromium is not installed"
if [ "$what" = page ]; then
    exec node --test --test-concurrency=1 "$here/page.test.mjs"
fi
PLIANT=$2 PLIANT_SOURCE=$3 exec node --test --test-concurrency=1 "$here/real.test.mjs"
