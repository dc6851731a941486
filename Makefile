# Needs Python >= 3.10 and make; everything else is installed into .venv, once.
# Another interpreter: make PYTHON=python3.12 demo

PYTHON ?= python3
VENV := .venv
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
PIP := $(BIN)/python -m pip --quiet --quiet --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help demo test lint typing benchmark clean

help:
	@echo "make demo       search the Adult data set, write demo-output/front.csv and front.png"
	@echo "make test       run the tests, one worker a core (ARGS=\"-k lattice\" is handed to pytest)"
	@echo "make lint       ruff check, ruff format --check and mypy"
	@echo "make benchmark  check that the implementations agree, then time them"
	@echo "make clean      remove .venv and everything else that was made"

demo: $(VENV)/installed
	@$(BIN)/anonopt demo

test: $(VENV)/installed-dev
	$(BIN)/pytest -n auto $(ARGS)

lint: $(VENV)/installed-dev typing
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy -p anonopt

# Type checkers cannot follow the import hook of an editable installation, so the package is
# laid out once more, by links, as it will be installed.
typing:
	@rm -rf build/typing
	@mkdir -p build/typing/anonopt
	@cd build/typing/anonopt && ln -s ../../../anonopt/* ../../../operators ../../../problems .

benchmark: $(VENV)/installed-dev
	@for script in benchmarks/[!_]*.py; do $(BIN)/python $$script || exit 1; done

clean:
	rm -rf $(VENV) build dist demo-output *.egg-info .coverage
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find anonopt operators problems tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/created:
	@$(PYTHON) -c 'import sys; v = "%d.%d" % sys.version_info[:2]; sys.version_info >= (3, 10) or sys.exit("Python >= 3.10 is needed, found " + v + "; try: make PYTHON=python3.12")'
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/installed: pyproject.toml | $(VENV)/created
	@echo "Installing anonopt into $(VENV) (once) ..."
	@$(PIP) install -e .
	@touch $@

$(VENV)/installed-dev: pyproject.toml | $(VENV)/created
	@echo "Installing anonopt and the developers' tools into $(VENV) (once) ..."
	@$(PIP) install -e ".[dev,fast,graphs,math]"
	@touch $(VENV)/installed $@
