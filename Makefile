# `make help` lists what there is. The two that matter: `make ingest` and `make test`.

# What `make ingest` takes in: a file, a folder or `-` for a description on standard input.
FROM   ?= Samples/shares
PREFIX ?= /usr/local
# How long `make fuzz` takes for each target.
SECONDS ?= 60
# Not every shell expands the tilde of PREFIX=~/.local.
override PREFIX := $(patsubst ~/%,$(HOME)/%,$(PREFIX))

SINKS   := pdf-import image-import link-capture keep
RELEASE := .build/release
# One set of flags for every debug build, so that `build`, `test` and `check` share their work.
DEBUG   := --build-tests --explicit-target-dependency-import-check error

# The tests that fail each call to the disk, and cut the power behind each; `make torture` tries all that they can.
FAULTS  := sluiceTests\.(FaultTests|PowerCutTests|TwoWritersTests)

export FROM

.DEFAULT_GOAL := help
.PHONY: help deps release ingest build test bench torture fuzz check lint format install clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "  make ingest FROM=~/Downloads        take in your own files instead of the samples"
	@echo "  make install PREFIX=~/.local        install elsewhere than in $(PREFIX)"
	@echo "  make fuzz SECONDS=10                so long for each inspector"
	@echo '  make bench BENCH="--rounds 1"       once instead of the best of five'
	@echo '  make bench BENCH=container          the container alone; identify, sinks and sync are the others'

deps:  ## install the system libraries (quick when they are there)
	@Scripts/install-deps

# One call for all products: the sinks are found beside the program.
release: deps
	@Scripts/swift build -c release

ingest:  ## build for release and take in FROM (default: the samples)
	@Scripts/ingest
	@$(MAKE) --no-print-directory release
	@Scripts/ingest $(RELEASE)/sluice

build: deps  ## build for debugging, tests included
	@Scripts/swift build $(DEBUG)

test: build  ## run the tests; ONLY=TypeSampleTests runs those of a name
	@Scripts/swift test --skip-build --disable-xctest $(if $(ONLY),--filter '$(ONLY)')

bench: release  ## measure side by side with the peers; prints ratios
	@Scripts/bench $(BENCH)

torture: release  ## kill, starve and crowd the real program, and cut its power; TORTURE=--short takes a minute
	@Scripts/torture $(TORTURE)
	@$(if $(filter --short,$(TORTURE)),,SLUICE_TORTURE=1) $(MAKE) --no-print-directory test ONLY='$(FAULTS)'

fuzz: deps  ## fuzz each inspector for SECONDS each (default 60)
	@Scripts/fuzz seconds $(SECONDS)

check:  ## all that CI runs: lint, import check, tests
	@.ci/run

lint:  ## check the formatting, changing nothing
	@swift format lint --strict --parallel --recursive Sources Plugins Tests Package.swift

format:  ## format the sources in place
	@swift format --in-place --parallel --recursive Sources Plugins Tests Package.swift

install: release  ## install the program and its sinks below PREFIX
	install -D -m 755 $(RELEASE)/sluice "$(DESTDIR)$(PREFIX)/bin/sluice"
	install -D -m 755 $(RELEASE)/sluice-launch "$(DESTDIR)$(PREFIX)/libexec/sluice/sluice-launch"
	@set -e; for sink in $(SINKS); do \
	    to="$(DESTDIR)$(PREFIX)/libexec/sluice/sinks/$$sink"; echo "install $$to"; \
	    install -D -m 755 "$(RELEASE)/$$sink" "$$to/$$sink"; \
	    install -D -m 644 "$(RELEASE)/sluice_$$sink.resources/sink.json" "$$to/sink.json"; \
	done

clean:  ## remove everything that was built
	swift package clean
