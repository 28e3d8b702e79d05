#!/bin/bash
# Installs into an empty folder and builds the README's C program against it, by pkg-config and by
# CMake; both must run. usage: install.sh BUILD_DIR SOURCE_DIR CC [COMPILE_FLAGS]
set -eu
build=$1 source=$2 cc=$3 flags=${4:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake --install "$build" --prefix "$folder/prefix" > "$folder/log" || { cat "$folder/log"; exit 1; }
libdir=$(dirname "$(find "$folder/prefix" -name libpliant.so | head -1)")

# The first ```c block of the README.
awk '/^```c$/ {on = 1; next} /^```$/ {if (on) exit} on' "$source/README.md" > "$folder/example.c"
lines=$(wc -l < "$folder/example.c")
[ "$lines" -ge 10 ] && [ "$lines" -le 25 ] || { echo "the README's program has $lines lines, not 10 to 25"; exit 1; }

export PKG_CONFIG_PATH="$libdir/pkgconfig"
$cc -std=c17 -Wall -Wextra -Werror $flags "$folder/example.c" -o "$folder/example" $(pkg-config --cflags --libs pliant)
LD_LIBRARY_PATH="$libdir" "$folder/example"

mkdir "$folder/user"
cp "$folder/example.c" "$folder/user/"
cat > "$folder/user/CMakeLists.txt" <<'EOF'
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C)
find_package(pliant REQUIRED)
add_executable(user example.c)
target_link_libraries(user PRIVATE pliant::pliant)
EOF
cmake -S "$folder/user" -B "$folder/user/build" -DCMAKE_PREFIX_PATH="$folder/prefix" \
    -DCMAKE_C_COMPILER="$cc" -DCMAKE_C_FLAGS="$flags" > "$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
cmake --build "$folder/user/build" > "$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
"$folder/user/build/user"

# The installed command finds its library by itself.
"$folder/prefix/bin/pliant" --version
