# make extract [URL=https://...]   the content of a page, as Markdown (without URL: of a page that it brings along)
# make test                        all tests; says first what it does, and how long it took the last time
# make test-fast                   those without a browser, but the long ones
# Each does all the set-up that it needs: a virtual environment in .venv, the package in it, and a browser.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# The address reaches the shell through the environment, and unexpanded, so that no character of it is taken for syntax.
override URL := $(value URL)
export URL
# Many tests start a Python of their own, which would otherwise compile the package each time.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help extract test test-fast test-raw test-browser lint types docs format constraints clean
.DELETE_ON_ERROR:

help:
	@sed -n 's/^# //p' Makefile

extract: $(VENV)/browser-stamp
	@if [ -n "$$URL" ]; then $(BIN)/blocksight extract "$$URL"; else $(BIN)/blocksight extract --demo; fi

# Tests wait for pages: more processes than cores. Files begin in the order of tests/conftest.py.
TEST_PROCESSES ?= 3
PYTEST := $(BIN)/python -m pytest --numprocesses=$(TEST_PROCESSES) --dist=loadfile --no-loadscope-reorder
# $(call half,NAME,SELECTION): run tests, say how long they took the last time, and keep how long they take now.
define half
@mkdir -p .pytest_cache; echo "$(1): tests $(2); last time: $$(cat .pytest_cache/$(1) 2>/dev/null || echo unknown)"; \
start=$$(date +%s); $(PYTEST) -m "$(2)"; code=$$?; \
[ $$code -gt 1 ] || echo "$$(($$(date +%s) - start)) s on $$(nproc 2>/dev/null || echo ?) cores" > .pytest_cache/$(1); exit $$code
endef

# Both halves run, even if the first fails.
test: $(VENV)/browser-stamp $(VENV)/dev-stamp
	@echo "make test: test-browser, then test-raw, in $(TEST_PROCESSES) processes, also if the first fails;" \
		"last time: $$(cat .pytest_cache/test 2>/dev/null || echo unknown)"
	@code=0; start=$$(date +%s); for half in test-browser test-raw; do $(MAKE) --no-print-directory $$half && said="passed" || { said="FAILED"; code=1; }; \
	results="$$results $$half $$said;"; done; echo "$$(($$(date +%s) - start)) s on $$(nproc 2>/dev/null || echo ?) cores" \
		> .pytest_cache/test; echo "make test:$$results $$(cat .pytest_cache/test)"; exit $$code

test-browser: $(VENV)/browser-stamp $(VENV)/dev-stamp
	$(call half,test-browser,browser)

test-raw: $(VENV)/dev-stamp
	$(call half,test-raw,not browser)

test-fast: $(VENV)/dev-stamp
	$(call half,test-fast,not browser and not long)

lint: $(VENV)/dev-stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/dev-stamp
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

FOLDERS := files processes lexicon page render segment features records classify document gold train compare batch inspector app

# mypy does not follow an editable install of this layout: it sees the package through a link.
types: $(VENV)/dev-stamp
	@mkdir -p build/path && ln -sfn ../.. build/path/blocksight
	$(BIN)/mypy $(FOLDERS:%=-p blocksight.%)
	@MYPYPATH=build/path $(BIN)/mypy benchmarks/*.py docs/*.py

# The site of the guides, in build/site: strict about links and anchors. Misspelt words first. griffe reads all files
# below the package: it gets one of links to the folders, as through a link to the root it would also read .venv and build.
docs: $(VENV)/dev-stamp
	@rm -rf build/docs && mkdir -p build/docs/blocksight
	@ln -s $(patsubst %,../../../%,$(FOLDERS) $(wildcard *.py *.pyi)) build/docs/blocksight
	@$(BIN)/typos docs README.md CHANGELOG.md SECURITY.md CODE_OF_CONDUCT.md
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# One version of each dependency with the hashes of its files, for every supported Python and system.
constraints: $(VENV)/bin/python
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'uv>=0.5'
	$(BIN)/python -m uv pip compile pyproject.toml --quiet --extra all --extra mcp --universal --python-version 3.11 --upgrade \
		--generate-hashes --no-annotate --no-emit-index-url --no-emit-find-links \
		--custom-compile-command "make constraints" --output-file constraints.txt

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(not ((3, 11) <= sys.version_info[:2] < (3, 15)))' || \
		{ echo "Python 3.11 to 3.14 is needed: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
		echo "python3 -m venv does not work here; on Debian and Ubuntu: sudo apt-get install python3-venv" >&2; exit 1; }

$(VENV)/stamp: pyproject.toml | $(VENV)/bin/python
	@echo "installing blocksight into $(VENV)" >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[browser]'
	@touch $@

$(VENV)/dev-stamp: pyproject.toml $(VENV)/stamp
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

$(VENV)/browser-stamp: $(VENV)/stamp
	@$(BIN)/blocksight setup >&2
	@touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
