# Two commands do everything, set-up included:
#
#   make run     the window (or: make run ARGS="render scene.svmviz -o picture.png")
#   make test    the tests (or: make test ARGS="tests/test_wheel.py -x")
#
# For contributors also: make lint, make format, make bench, make campaign, make screenshots,
# make clean.

PYTHON := .venv/bin/python
SCREEN  = $(shell command -v xvfb-run >/dev/null && echo "xvfb-run -a -s '-screen 0 1600x1200x24'")
SOURCES := solvers svmviz tests scripts $(wildcard bench)

# pyright asks a registry for news of itself at every run, unless told not to.
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

.PHONY: run test lint format bench campaign screenshots clean ready-run ready-test ready-lint
.DEFAULT_GOAL := run

run: ready-run
	$(PYTHON) -m svmviz $(ARGS)

test: ready-test
	$(PYTHON) -m pytest $(ARGS)

lint: ready-lint
	$(PYTHON) -m ruff check $(SOURCES)
	$(PYTHON) -m ruff format --check $(SOURCES)
	$(PYTHON) scripts/check_sizes.py $(SOURCES)
	.venv/bin/lint-imports
	.venv/bin/pyright

format: ready-lint
	$(PYTHON) -m ruff check --fix $(SOURCES)
	$(PYTHON) -m ruff format $(SOURCES)

bench: ready-test
	$(SCREEN) $(PYTHON) bench/run.py $(ARGS)

campaign: ready-test
	$(PYTHON) -m tests.campaigns

screenshots: ready-test
	$(SCREEN) $(PYTHON) -m tests.screenshots out/

clean:
	rm -rf .venv build dist out .pytest_cache .ruff_cache .import_linter_cache .hypothesis

ready-run ready-test ready-lint: ready-%:
	@scripts/setup.sh $*
