# Two commands do everything, set-up included:
#
#   make run     the window (or: make run ARGS="render scene.svmviz -o picture.png")
#   make test    whether the program is right (or: make test ARGS="tests/test_map.py -x")
#
# For contributors also: make test-slow, make lint, make format, make bench, make campaign,
# make screenshots, make packaging, make docs, make clean.

PYTHON := .venv/bin/python
SCREEN  = $(shell command -v xvfb-run >/dev/null && echo "xvfb-run -a -s '-screen 0 1600x1200x24'")
SOURCES := solvers svmviz tests scripts packaging $(wildcard bench)

# pyright asks a registry for news of itself at every run, unless told not to.
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

# Tests named in ARGS are run whole, slow ones included; files in one process, which starts at once.
# Folders, and all tests, are spread over the cores and one process more, since tests of windows mostly
# wait (tests/conftest.py); a process that runs out of tests takes some of another's. On a screen that
# is not the tests' own, two processes would click on each other's windows.
NAMED = $(findstring tests/,$(ARGS))
ONE_PROCESS = $(findstring .py,$(ARGS))$(filter-out offscreen,$(QT_QPA_PLATFORM))
SPREAD = $(if $(ONE_PROCESS),,--numprocesses=logical --maxprocesses=8 --dist=worksteal)

.PHONY: run test test-slow lint format bench campaign screenshots packaging docs clean
.PHONY: ready-run ready-test ready-slow ready-lint ready-docs
.DEFAULT_GOAL := run

run: ready-run
	$(PYTHON) -m svmviz $(ARGS)

test: ready-test
	$(PYTHON) -m pytest $(if $(NAMED),,-m "not slow") $(SPREAD) $(ARGS)

test-slow: ready-slow
	$(PYTHON) -m pytest -m slow $(SPREAD) $(ARGS)

# Each tool reports, also if one before it has found something.
lint: ready-lint
	@failed=; check() { echo "$$@"; "$$@" || failed="$$failed $$(basename "$$1")"; }; \
	check .venv/bin/ruff check $(SOURCES); \
	check .venv/bin/ruff format --check $(SOURCES); \
	check $(PYTHON) scripts/check_sizes.py $(SOURCES); \
	check .venv/bin/lint-imports; \
	check .venv/bin/pyright; \
	check scripts/check_types.sh; \
	[ -z "$$failed" ] || { echo "Found something:$$failed"; exit 1; }

format: ready-lint
	$(PYTHON) -m ruff check --fix $(SOURCES)
	$(PYTHON) -m ruff format $(SOURCES)

bench: ready-test
	$(SCREEN) $(PYTHON) bench/run.py $(ARGS)

campaign: ready-test
	$(PYTHON) -m tests.campaigns

screenshots: ready-test
	$(SCREEN) $(PYTHON) -m tests.screenshots out/

packaging: ready-lint
	$(PYTHON) -m scripts.make_packaging

# The documentation as a site, in out/docs. Whatever it refers to must be there.
docs: ready-docs
	$(PYTHON) -m sphinx -W --keep-going -q -b html docs out/docs

clean:
	rm -rf .venv build dist out .pytest_cache .ruff_cache .import_linter_cache .hypothesis

ready-run ready-test ready-slow ready-lint ready-docs: ready-%:
	@scripts/setup.sh $*
