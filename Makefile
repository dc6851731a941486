# Needs Python >= 3.10 and make; everything else is installed into .venv, once.
# Another interpreter: make PYTHON=python3.12 demo

PYTHON ?= python3
VENV := .venv
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
LINKS := $(VENV)/links
# Python compiles a module when it is first imported; most of what is installed never is.
PIP := $(BIN)/python -m pip --quiet --quiet --disable-pip-version-check
INSTALL := $(PIP) install --no-compile

# Where this is set, each of the hundreds of processes that tests start would compile that anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test course docs lint fuzz benchmark mutation faults clean

help:
	@echo "make demo       search the Adult data set, write demo-output/front.csv and front.png"
	@echo "make test       run the tests, one worker a core (ARGS=\"-k lattice\" is handed to pytest)"
	@echo "make course     run the lecture and its exercises: notebooks in docs/_build/course"
	@echo "make docs       build the site, and check every link (ARGS=--quick while writing)"
	@echo "make lint       ruff check, ruff format --check and mypy"
	@echo "make fuzz       read 20,000 strange files with each reader (ARGS=\"table --inputs 1000\")"
	@echo "make benchmark  check that implementations agree, then time them (ARGS=--quick, or files)"
	@echo "make faults     run commands under faults, kill them at 100 moments (ARGS=\"--moments 10\")"
	@echo "make mutation   see whether the tests notice small faults (ARGS=\"--sample 100\")"
	@echo "make clean      remove .venv and everything else that was made"

demo: $(VENV)/installed
	@$(BIN)/anonopt demo

# Each core has a worker: threads of linear algebra would only wait for one another.
test: export OMP_NUM_THREADS ?= 1
test: $(VENV)/installed-dev
	$(BIN)/pytest -n auto --dist worksteal $(ARGS)

course: $(VENV)/installed-dev
	@$(BIN)/python docs/build_course.py $(ARGS)

docs: $(VENV)/installed-dev
	@$(BIN)/python docs/build_site.py $(ARGS)

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

fuzz: $(VENV)/installed-dev
	$(BIN)/python -m tests.fuzz $(ARGS)

benchmark: $(VENV)/installed-dev
	@$(BIN)/python -m benchmarks $(ARGS)

faults: $(VENV)/installed-dev
	@$(BIN)/python -m tests.faults.fault_table
	@$(BIN)/python -m tests.faults $(ARGS)

mutation: $(VENV)/installed-mutation
	$(BIN)/python -m tests.mutation $(ARGS)

clean:
	rm -rf $(VENV) build dist demo-output *.egg-info .coverage
	rm -rf docs/_build docs/algorithms/figures docs/gallery docs/reference docs/sg_execution_times.rst
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find anonopt operators problems tests benchmarks docs -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/created:
	@$(PYTHON) -c 'import sys; v = "%d.%d" % sys.version_info[:2]; sys.version_info >= (3, 10) or sys.exit("Python >= 3.10 is needed, found " + v + "; try: make PYTHON=python3.12")'
	@$(PYTHON) -m venv $(VENV)
	@$(INSTALL) "pip>=25" # older ones take twice as long
	@touch $@

# Python finds an editable installation by an import hook, which editors and type checkers cannot
# follow. They follow a .pth file to a folder that lays the package out, by links, as it will be
# installed. Files and folders below those of anonopt/ appear by themselves.
$(VENV)/linked: anonopt | $(VENV)/created
	@rm -rf $(LINKS)
	@mkdir -p $(LINKS)/anonopt
ifeq ($(OS),Windows_NT)
	@echo "No links on Windows: type checkers do not see anonopt.operators and anonopt.problems"
else
	@ln -s "$(CURDIR)"/anonopt/* "$(CURDIR)/operators" "$(CURDIR)/problems" $(LINKS)/anonopt
	@$(BIN)/python -c 'import pathlib, sys, sysconfig; pathlib.Path(sysconfig.get_path("purelib"), "anonopt_links.pth").write_text(sys.argv[1] + "\n")' "$(abspath $(LINKS))"
endif
	@touch $@

$(VENV)/installed: pyproject.toml | $(VENV)/linked
	@echo "Installing anonopt into $(VENV) (once) ..."
	@$(INSTALL) -e .
	@touch $@

$(VENV)/installed-dev: pyproject.toml | $(VENV)/linked
	@echo "Installing anonopt and the developers' tools into $(VENV) (once) ..."
	@$(INSTALL) -e ".[all,dev,docs,frameworks]"
	@touch $(VENV)/installed $@

$(VENV)/installed-mutation: $(VENV)/installed-dev
	@$(INSTALL) -e ".[all,dev,docs,frameworks,mutation]"
	@touch $@
