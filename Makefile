# A thin face over CMake: `make run` and `make test` are all a newcomer needs.
#
#   make run [SCENE=scenes/x.json]   install what is missing, build, simulate, say where results are
#   make test                        the same set-up, then every test
#   make build                       only build; the command is build/pliant
#   make bench                       benchmark scenes, as a table
#   make validate                    problems with known answers: docs/validation/, table and plots
#   make asan | tsan                 the tests under address + undefined | thread sanitizer
#   make install [PREFIX=/usr/local] library, headers, command
#   make clean                       remove all build folders

SCENE ?= scenes/tutorial/1_mass_spring.json
PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

.PHONY: all build run test bench validate asan tsan debug install clean setup setup-test
.DEFAULT_GOAL := build

setup:
	@tools/setup.sh

setup-test:
	@tools/setup.sh --tests

build: setup
	@cmake --preset release > build.log 2>&1 || { cat build.log; exit 1; }; rm -f build.log
	@cmake --build build -j $(JOBS) -- --no-print-directory

run: build
	@build/pliant run $(SCENE)

# The test build keeps assertions; warnings are errors.
test: setup-test
	@cmake --preset test
	@cmake --build build-test -j $(JOBS) -- --no-print-directory
	@ctest --test-dir build-test --output-on-failure -j $(JOBS)

asan tsan debug: setup-test
	@cmake --preset $@
	@cmake --build build-$@ -j $(JOBS) -- --no-print-directory
	@ctest --test-dir build-$@ --output-on-failure -j $(JOBS)

bench: build
	@cmake --build build --target pliant_bench pliant_bench_elements -j $(JOBS) -- --no-print-directory
	@build/pliant_bench_elements bench/scenes/bar_10k.json
	@echo
	@build/pliant_bench bench/scenes build/pliant $(SCENE)

validate: build
	@cmake --build build --target pliant_validate -j $(JOBS) -- --no-print-directory
	@mkdir -p docs/validation
	@build/pliant_validate docs/validation

install: build
	@cmake --install build --prefix $(PREFIX)

clean:
	@rm -rf build build-test build-asan build-tsan build-debug
