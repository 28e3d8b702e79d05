# A thin wrapper around CMake. Start with `make run` and `make test`.
#
#   make run [SCENE=scenes/x.json]   install missing packages, build, simulate, print where the results are
#   make test                        install missing packages, build, run all tests
#   make build                       build only; the command is build/pliant
#   make bench                       quick benchmarks: about 5 minutes; BASE=REF compares with a revision
#   make bench-contact               all contact benchmarks, compared with other simulators: 10 minutes
#   make bench-growth                time over problem size, up to 300,000 vertices, with charts
#   make bench-scenes                table of solids by phase, solver and threads
#   make validate                    problems with known solutions: table and plots in docs/validation/
#   make torture                     contact stress tests at full size: an hour
#   make soak [STEPS=100000]         a very long run: checks that memory and energy stay bounded
#   make memory                      fails each allocation once, in every feature: minutes
#   make repeat                      checks bit-identical results with gcc and clang, -O2 and -O3: 20 minutes
#   make repeat-renew                replaces the reference results by those of this build
#   make nasty [SEED=1] [COUNT=1000] random stress scenes of 17 families; results in build/nasty.csv
#   make asan | tsan                 run the tests with the address and undefined | thread sanitizer
#   make valgrind [LIMIT=120]        test programs and short runs under memcheck, at most LIMIT seconds each
#   make fuzz [TIME=60] [TARGET=...] run each fuzz target (or TARGET) for TIME seconds; needs clang
#   make lint                        clang-tidy and cppcheck
#   make coverage                    line coverage by module: build-coverage/coverage.html
#   make gallery                     regenerate the pictures of docs/GALLERY.md by running the scenes
#   make web                         build the page of `pliant view`; needs Node
#   make install [PREFIX=/usr/local] install library, headers and command
#   make deb                         Debian packages of library, headers and command: build-deb/*.deb
#   make clean                       remove all build folders

SCENE ?= scenes/tutorial/1_mass_spring.json
PREFIX ?= /usr/local
STEPS ?= 100000
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

.PHONY: repeat repeat-renew lint coverage all build run test bench bench-build bench-contact bench-growth bench-scenes validate torture memory soak asan tsan valgrind debug fuzz nasty install deb clean setup setup-test web gallery
.DEFAULT_GOAL := build

setup:
	@tools/setup.sh

setup-test:
	@tools/setup.sh --tests
	@[ web/node_modules/.package-lock.json -nt web/package-lock.json ] || ! command -v npm > /dev/null || npm --prefix web ci --no-audit --no-fund --silent \
		|| echo "npm ci failed: the tests of the page are skipped"

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

LIMIT ?= 120
valgrind: setup-test
	@tools/setup.sh --valgrind
	@cmake --preset test
	@cmake --build build-test -j $(JOBS) -- --no-print-directory
	@tools/valgrind.sh build-test $(JOBS) $(LIMIT)

# Failing inputs go to build-fuzz/found/NAME, inputs with new coverage to build-fuzz/corpus.
TIME ?= 60
fuzz:
	@tools/setup.sh --fuzz
	@tools/fuzz.sh $(TIME) "$(TARGET)" $(JOBS)

lint:
	@tools/setup.sh --lint
	@cmake --preset test -DCMAKE_EXPORT_COMPILE_COMMANDS=ON > /dev/null
	@tools/lint.sh build-test $(JOBS)

coverage:
	@tools/setup.sh --coverage
	@cmake --preset coverage
	@cmake --build build-coverage -j $(JOBS) -- --no-print-directory
	@find build-coverage -name '*.gcda' -delete
	@failed=0; ctest --test-dir build-coverage --output-on-failure -j $(JOBS) -E '^web/' || failed=1; \
		tools/coverage.sh build-coverage && exit $$failed

# Lines for scripts start with ratio, unit, threads, growth, startup, rate, yardstick, scale, compare.
BENCH_PARTS := scenes contact contact_units elements growth live threads compare
bench-build: build
	@cmake --build build --target $(BENCH_PARTS:%=pliant_bench_%) -j $(JOBS) -- --no-print-directory

ifdef BASE
bench: bench-build
	@tools/bench_base.sh $(BASE) $(JOBS)
else
bench: bench-build
	@build/pliant_bench_live bench build/pliant
	@build/pliant_bench_elements bench/scenes/bar_10k.json
	@build/pliant_bench_contact_units bench/contact
	@build/pliant_bench_growth bench/scenes/bar_3k.json
	@build/pliant_bench_threads bench/scenes
	@build/pliant_bench_contact bench/contact --quick
endif

bench-contact: bench-build
	@build/pliant_bench_contact bench/contact --svg docs/pictures/phases.svg

bench-growth: bench-build
	@build/pliant_bench_growth bench/scenes/bar_3k.json --full --svg docs/pictures
	@build/pliant_bench_threads bench/scenes --full --svg docs/pictures/threads.svg

bench-scenes: bench-build
	@build/pliant_bench_scenes bench/scenes

validate: build
	@cmake --build build --target pliant_validate -j $(JOBS) -- --no-print-directory
	@mkdir -p docs/validation
	@build/pliant_validate docs/validation

torture: build
	@cmake --build build --target pliant_torture -j $(JOBS) -- --no-print-directory
	@build/pliant_torture

# The n-th allocation fails, for every n, in a run of every feature: minutes.
memory: setup-test
	@cmake --preset test
	@cmake --build build-test --target memory_failures -j $(JOBS) -- --no-print-directory
	@PLIANT_MEMORY_ALL=1 build-test/tests/memory_failures

soak: build
	@cmake --build build --target pliant_soak -j $(JOBS) -- --no-print-directory
	@build/pliant_soak $(STEPS) results/soak

# All installed compilers, all rows of the table.
repeat: setup-test
	@tools/repeat.sh build-repeat $(JOBS)

repeat-renew: build
	@cmake --build build --target pliant_repeat -j $(JOBS) -- --no-print-directory
	@build/pliant_repeat -r -f -t 1 tests/repeat/golden.txt . > build/golden.txt
	@mv build/golden.txt tests/repeat/golden.txt

SEED ?= 1
COUNT ?= 1000
nasty: build
	@cmake --build build --target pliant_nasty -j $(JOBS) -- --no-print-directory
	@build/pliant_nasty --jobs $(JOBS) --csv build/nasty.csv $(SEED) $(COUNT)

gallery: build
	@tools/pictures.sh

# The built page is committed: this is needed only after changes in web/src.
web:
	@cd web && npm ci --no-audit --no-fund --silent && npm run --silent build

install: build
	@cmake --install build --prefix $(PREFIX)
	@[ -n "$(DESTDIR)" ] || ldconfig 2> /dev/null || true # so that programs find the library

# Built with the prefix of the distribution.
deb: setup
	@tools/setup.sh --deb
	@cmake --preset release -B build-deb -DCMAKE_INSTALL_PREFIX=/usr > /dev/null
	@cmake --build build-deb -j $(JOBS) -- --no-print-directory
	@cd build-deb && cpack > cpack.log || { cat cpack.log; exit 1; }
	@ls build-deb/*.deb

clean:
	@rm -rf build build-repeat build-base build-test build-asan build-tsan build-debug build-coverage build-fuzz build-deb
