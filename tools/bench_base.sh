#!/bin/bash
# Compares the build in build/ with another revision of this repository, built in build-base/, on a
# few short scenes with interleaved runs. usage: bench_base.sh REF JOBS, from the source root
set -eu
base=$(git rev-parse --verify "$1^{commit}")
tree=build-base/tree
[ -d "$tree" ] || git clone --quiet --shared --no-checkout . "$tree"
git -C "$tree" fetch --quiet origin
git -C "$tree" checkout --detach --quiet "$base"
cmake -S "$tree" -B build-base/build -DCMAKE_BUILD_TYPE=Release -DPLIANT_TESTS=OFF > build-base/log
cmake --build build-base/build --target pliant_command -j "$2" > build-base/log
echo "# base is $(git log -1 --format='%h %s' "$base")"
scenes="bench/scenes/bar_10k.json:3 bench/scenes/stretched_square_40.json:20
    bench/contact/box_drop_1k.json:40 bench/contact/hanging_box.json:30"
data=${PLIANT_DATA:-../shared/data}
if [ -d "$data" ]; then
    PLIANT_DATA=$(cd "$data" && pwd)
    export PLIANT_DATA
    scenes="$scenes bench/contact/arch.json:20 bench/contact/chain.json:25
        bench/contact/mat40_twist.json:10 bench/contact/card_house.json:3"
fi
# shellcheck disable=SC2086
build/pliant_bench_compare build-base/build/pliant build/pliant $scenes
