# `make help` lists all targets. The most important ones are `make ingest` and `make test`.

# The input of `make ingest`: a file, a folder, or `-` for a description on standard input.
FROM   ?= Samples/shares
PREFIX ?= /usr/local
# The time of `make fuzz` for each target, in seconds.
SECONDS ?= 60
# Some shells do not expand the tilde of PREFIX=~/.local.
override PREFIX := $(patsubst ~/%,$(HOME)/%,$(PREFIX))

SINKS   := pdf-import image-import office-import text-note media-import link-capture keep upload
RELEASE := .build/release
QUICK   := .build/quick/release
# The tests start the programs thousands of times. With an optimized build they need a third of the processor time, which
# is more than the build costs. A debug build is ready sooner after a small change: `make test DEBUG=1 ONLY=…`.
TESTS   := $(if $(DEBUG),,-c release -Xswiftc -enable-testing --scratch-path .build/tests)

# These tests fail each disk call, or simulate a power cut after it. `make torture` runs them for all calls.
FAULTS  := sluiceTests\.(FaultTests|LibraryFaultTests|PowerCutTests|TwoWritersTests)

# At most 8 test cases run at a time. Without a limit all of them start at once, and a test that waits for a process
# resumes minutes later, behind the tests that block a thread. The time limits of the tests only end a test that hangs.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 8

export FROM

.DEFAULT_GOAL := help
.PHONY: help deps release ingest build test bench torture fuzz examples nightly check lint format install clean

help:  ## print this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "  make ingest FROM=~/Downloads        ingest your own files instead of the samples"
	@echo "  make install PREFIX=~/.local        install in another folder than $(PREFIX)"
	@echo "  make test DEBUG=1 ONLY=InputTests   a debug build, which is ready sooner after a small change, and one suite"
	@echo "  make fuzz SECONDS=10                10 seconds for each inspector"
	@echo '  make bench BENCH="--rounds 1"       one round instead of the best of five'
	@echo '  make bench BENCH=container          only this part; the others are identify, sinks, search, channel, share, transfers and sync'

deps:  ## install the system libraries (fast if they exist)
	@Scripts/install-deps

release:  ## build the optimized programs, in .build/release
	@Scripts/release

ingest:  ## build quickly, without optimization, and ingest FROM (default: the samples, into a container of their own)
	@Scripts/ingest
	@Scripts/release quick
	@Scripts/ingest $(QUICK)/sluice

build: deps  ## build everything, with the tests; DEBUG=1 for debugging
	@Scripts/swift build $(TESTS) --build-tests --explicit-target-dependency-import-check error

test: build  ## run the tests; ONLY=TypeSampleTests selects suites by name
	@Scripts/swift test $(TESTS) --skip-build --disable-xctest $(if $(ONLY),--filter '$(ONLY)')

bench: release  ## compare the speed with other programs; prints ratios
	@Scripts/bench $(BENCH)

torture: release  ## disturb the real program (kills, signals, faults, full disks, power cuts); TORTURE=--short takes a minute
	@Scripts/torture $(TORTURE)
ifneq (,$(filter --short,$(TORTURE)))
	@$(MAKE) --no-print-directory test ONLY='$(FAULTS)'
else
	@SLUICE_TORTURE=1 $(MAKE) --no-print-directory test ONLY='$(FAULTS)'
endif

fuzz: deps  ## fuzz each inspector for SECONDS (default 60)
	@Scripts/fuzz seconds $(SECONDS)

examples: build  ## run the examples of the README, and build its package that embeds the pipeline
	@SLUICE_EXAMPLES=1 Scripts/swift test $(TESTS) --skip-build --disable-xctest --filter ReadmeTests

nightly: deps  ## run what takes more than an hour: torture and fuzz, at the same time
	@$(MAKE) --no-print-directory -j2 torture fuzz

check:  ## run everything that CI runs: lint, import check, tests
	@.ci/run

lint:  ## check the formatting without changes
	@swift format lint --strict --parallel --recursive Sources Plugins Tests Package.swift

format:  ## format the sources in place
	@swift format --in-place --parallel --recursive Sources Plugins Tests Package.swift

install: release  ## install the program and its sinks below PREFIX
	install -D -m 755 $(RELEASE)/sluice "$(DESTDIR)$(PREFIX)/bin/sluice"
	install -D -m 755 $(RELEASE)/sluice-launch "$(DESTDIR)$(PREFIX)/libexec/sluice/sluice-launch"
	install -D -m 755 $(RELEASE)/sluice-account "$(DESTDIR)$(PREFIX)/libexec/sluice/sluice-account"
	install -D -m 755 $(RELEASE)/sluice-transfer "$(DESTDIR)$(PREFIX)/libexec/sluice/sluice-transfer"
	@set -e; for unit in sluice-agent.socket sluice-agent.service; do \
	    to="$(DESTDIR)$(PREFIX)/share/systemd/user/$$unit"; echo "install $$to"; \
	    install -D -m 644 "Scripts/units/$$unit" "$$to"; sed -i 's|@BINDIR@|$(PREFIX)/bin|' "$$to"; \
	done
	@set -e; for sink in $(SINKS); do \
	    to="$(DESTDIR)$(PREFIX)/libexec/sluice/sinks/$$sink"; echo "install $$to"; \
	    install -D -m 755 "$(RELEASE)/$$sink" "$$to/$$sink"; \
	    cp -R "$(RELEASE)/sluice_$$sink.resources/." "$$to/"; \
	done

clean:  ## remove all build results
	swift package clean
	rm -rf .build/quick .build/tests .build/examples .build/samples .build/samples-container
