# Everything runs in a virtual environment of its own, made on first use.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SHELL := /bin/bash
SUDO := $(shell [ $$(id -u) = 0 ] || echo sudo)

# Further arguments of pytest, such as ARGS="--seeds 1000 --seed-seconds 10" or ARGS="-k loops".
ARGS ?=

# Kinds of tests that run separately (markers in pyproject.toml), and their dependency group if it is
# not `test`.
KINDS := sweeps shown cuda frameworks scale browser
GROUP_frameworks := frameworks
GROUP_scale := scale
GROUP_browser := browser

.PHONY: demo test test-all $(KINDS:%=test-%) test-targets test-octave lint format docs package
.PHONY: bench bench-gpu gpu fuzz soak slow mutants native clean

demo: $(VENV)/demo.stamp
	$(BIN)/python -m jounce demo -o build/demo --force

# NumPy alone: identities, papers, peers, broken input, everything that needs no large library.
test: $(VENV)/test.stamp
	$(BIN)/python -m pytest -m "not slow and not docs $(KINDS:%=and not %)" $(ARGS)

# All that .ci/run runs.
test-all: lint demo test-octave test test-targets $(KINDS:%=test-%)
	# each of these two works on one core; what they need is installed before
	$(MAKE) $(VENV)/docs.stamp
	$(MAKE) $(VENV)/package.stamp
	$(MAKE) -j 2 docs package

$(KINDS:%=test-%): test-%:
	$(MAKE) $(VENV)/$(or $(GROUP_$*),test).stamp
	[ $* != browser ] || command -v chromium >/dev/null || $(call INSTALL,chromium)
	$(BIN)/python -m pytest -m "$* and not slow and not docs" $(ARGS)

# Machine code for every level of x86-64 that this machine has (JOUNCE_TARGET).
test-targets: $(VENV)/test.stamp
	for target in $$($(BIN)/python -c \
	  'from jounce.compiler.targets import llvm; print(*llvm.processors.processor_names()[1:])'); do \
	  echo $$target; JOUNCE_TARGET=$$target $(BIN)/python -m pytest -m machine_code $(ARGS) || exit 1; \
	done

# The exported MATLAB functions under GNU Octave.
test-octave: $(VENV)/test.stamp
	command -v octave-cli >/dev/null || command -v octave >/dev/null || $(call INSTALL,octave)
	$(BIN)/python -m pytest tests/export/test_source.py -k "octave or matlab"

lint: $(VENV)/lint.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/basedpyright

format: $(VENV)/lint.stamp
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# The documentation, build/site/index.html: every page executed, no warnings, all public names and
# all links there.
docs: $(VENV)/docs.stamp
	$(BIN)/python -m sphinx -q -E -W --keep-going -b html docs build/site
	$(BIN)/python -m pytest -n 0 -m docs tests/docs
	@echo "open build/site/index.html"

# The source and binary distributions, checked as an index would, against the repository, installed
# in an environment of their own, and tested from the unpacked source.
package: $(VENV)/package.stamp
	rm -rf build/dist build/lib src/*.egg-info/SOURCES.txt
	$(BIN)/python -m build --outdir build/dist
	$(BIN)/python -m twine check --strict build/dist/*
	PYTHONPATH=tests $(BIN)/python -m support.distribution build/dist build/package

# Beside other libraries; SECTIONS="jax torch" or SECTIONS=scale for what is not run by default.
# In an environment of its own, with the newest Pinocchio: the tests' is the one of Crocoddyl.
bench:
	$(MAKE) $(VENV)-bench/bench.stamp VENV=$(VENV)-bench
	$(VENV)-bench/bin/python -m benchmarks $(if $(SECTIONS),--sections $(SECTIONS))
	$(VENV)-bench/bin/python -m benchmarks.plots

# On a real GPU, by the Python that is there: nothing is installed, jounce comes from its source.
# Needs numpy, llvmlite, cuda-bindings and CuPy; PyTorch and JAX for their areas (AREAS="torch jax").
gpu:
	$(PYTHON) -m tests.gpu $(AREAS) --write

# Like gpu; JOUNCE_ROBOTS names a folder with the robots' files if example-robot-data is missing.
bench-gpu:
	$(PYTHON) -m benchmarks.gpu --write

# Broken robot, mesh and data files, and those that Pinocchio accepts too.
fuzz: $(VENV)/test.stamp
	$(BIN)/python -m pytest tests/hostile/test_fuzz*.py $(ARGS)
	$(BIN)/python -m pytest -n 0 -s tests/peers/test_oracle.py

# Threads, forks, guard pages, first uses and processes on one cache, for a long time:
# JOUNCE_SOAK_SECONDS, JOUNCE_GUARD_CALLS, JOUNCE_FIRST_USES and JOUNCE_STORM_SECONDS say how long.
LONG := soak guard_pages first_use cache_storm
soak: $(VENV)/test.stamp
	$(BIN)/python -m pytest -n 0 -s -m "slow or not slow" $(LONG:%=tests/hostile/test_%.py) $(ARGS)

# Long sweeps, without those of soak.
slow: $(VENV)/frameworks.stamp
	$(BIN)/python -m pytest -m slow $(LONG:%=--ignore tests/hostile/test_%.py) $(ARGS)

# Small mistakes put into a copy of formulas, papers and inertia, each to be noticed by some test.
SAMPLE ?= 300
SEED ?= 0
mutants: $(VENV)/test.stamp
	PYTHONPATH=tests $(BIN)/python -m support.mutants --sample $(SAMPLE) --seed $(SEED)

# The C code of the runtime as LLVM text, which is kept in the repository.
native: $(VENV)/native.stamp
	$(BIN)/python tools/native.py

clean:
	rm -rf $(VENV) $(VENV)-bench build dist src/*.egg-info

# Debian's packages.
INSTALL = { $(SUDO) apt-get update -q && \
  $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $(1); }

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "jounce needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"  # dependency groups

$(VENV)/%.stamp: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable . --group $*
	touch $@
