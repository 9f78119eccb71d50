# Everything runs in a virtual environment of its own, made on first use.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SHELL := /bin/bash

# What concerns machine code: kernels, sines, packing, gufuncs.
CODE_TESTS := tests/compiler/targets/test_backends.py tests/compiler/graph tests/runtime/test_kernel_limits.py

.PHONY: demo test test-cuda test-frameworks test-slow test-targets test-arm test-fuzz test-oracle
.PHONY: test-seeds test-guard test-first-use test-cache-storm soak mutants lint format octave clean
.PHONY: docs test-scale test-shown test-browser chromium package three native
.PHONY: bench bench-here bench-frameworks bench-frameworks-here bench-scale bench-scale-here
.PHONY: test-gpu bench-gpu

demo: $(VENV)/demo.stamp
	$(BIN)/python -m jounce demo -o build/demo --force

test: $(VENV)/test.stamp
	$(BIN)/python -m pytest -m "not slow and not frameworks and not gpu and not browser and not docs and not shown and not scale"

# What people see and read: the command line, examples, pages, pictures, tables of benchmarks.
test-shown: $(VENV)/test.stamp
	$(BIN)/python -m pytest -m "shown and not slow and not browser and not docs and not scale"

# Code for GPUs without one: assembled, run by the processor, launched by a simulated driver.
test-cuda: $(VENV)/test.stamp
	$(BIN)/python -m pytest -m "gpu and not slow"

# The same quantities inside JAX and PyTorch, which are large: with an extra of its own.
test-frameworks: $(VENV)/frameworks.stamp
	$(BIN)/python -m pytest -m "frameworks and not slow" tests/frameworks

# Arrays of Dask and xarray, identification and studies on clusters of processes, and Ray.
test-scale: $(VENV)/scale.stamp
	$(BIN)/python -m pytest -m "scale and not slow"

# Debian's browser, installed from its packages if need be.
chromium:
	command -v chromium >/dev/null || \
	  { SUDO=$$([ $$(id -u) = 0 ] || echo sudo); $$SUDO apt-get update -q && \
	    $$SUDO env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends chromium; }

# The viewer and the pages in a real browser, and WebAssembly in node.
test-browser: $(VENV)/browser.stamp chromium
	$(BIN)/python -m pytest -m "browser and not slow"

# The documentation as a site, build/site/index.html: every page executed, no warnings, all public
# names and all links there.
docs: $(VENV)/docs.stamp
	$(BIN)/python -m sphinx -q -E -W --keep-going -b html docs build/site
	$(BIN)/python -m pytest -n 0 -m docs tests/docs
	@echo "open build/site/index.html"

# The parts of three.js that pages need, as one file, from its npm package; kept in the repository.
THREE := src/jounce/viewer/web/assets
three:
	mkdir -p build/three && cp $(THREE)/three.entry.js build/three/entry.js
	cd build/three && npm init -y >/dev/null && npm install three esbuild && npx esbuild entry.js \
	  --bundle --minify --format=iife --global-name=THREE --legal-comments=none --outfile=three.js
	{ node -p '"/* three.js " + require("./build/three/node_modules/three/package.json").version + \
	    ", the parts of three.entry.js; MIT licence, see three.LICENSE. */"'; \
	  cat build/three/three.js; } > $(THREE)/three.min.js
	cp build/three/node_modules/three/LICENSE $(THREE)/three.LICENSE

# The C code of the runtime as LLVM text, which is kept in the repository.
native: $(VENV)/native.stamp
	$(BIN)/python tools/native.py

# The source and binary distributions, checked as an index would, against the repository, installed
# in an environment of their own, and tested from the unpacked source.
package: $(VENV)/package.stamp
	rm -rf build/dist build/lib src/*.egg-info/SOURCES.txt
	$(BIN)/python -m build --outdir build/dist
	$(BIN)/python -m twine check --strict build/dist/*
	PYTHONPATH=tests $(BIN)/python -m support.distribution build/dist build/package

# On a real GPU, by the Python that is there: nothing is installed, jounce comes from its source.
# Needs numpy, llvmlite, cuda-bindings and CuPy; PyTorch and JAX for their areas (AREAS="torch jax").
test-gpu:
	$(PYTHON) -m tests.gpu $(AREAS) --write

# Without the runs that have commands of their own.
APART := hostile/test_soak hostile/test_guard_pages hostile/test_cache_storm peers/test_oracle \
  hostile/test_first_use
test-slow: $(VENV)/frameworks.stamp
	$(BIN)/python -m pytest -m slow $(APART:%=--ignore tests/%.py)

# Machine code for every level of x86-64 that this machine has (JOUNCE_TARGET).
test-targets: $(VENV)/test.stamp
	for target in $$($(BIN)/python -c \
	  'from jounce.compiler.targets import llvm; print(*llvm.processors.processor_names()[1:])'); do \
	  echo $$target; JOUNCE_TARGET=$$target $(BIN)/python -m pytest $(CODE_TESTS) || exit 1; \
	done

# Machine code for AArch64 under QEMU, in a Debian arm64 root (docs/guide/machines.md).
test-arm: $(VENV)/test.stamp
	tests/arm/run $(BIN)/python build/arm

# Ten thousand broken robot files, four thousand mesh files, and data files, in full.
test-fuzz: $(VENV)/test.stamp
	$(BIN)/python -m pytest tests/hostile/test_fuzz*.py

# Every randomised test over SEEDS seeds, at most SECONDS long each; figures in docs/guide/trust.md.
SEEDS ?= 1000
SECONDS ?= 10
test-seeds: $(VENV)/test.stamp
	$(BIN)/python -m pytest -m "not slow" --seeds $(SEEDS) --seed-seconds $(SECONDS)

# Calls on operands that lie against forbidden pages; JOUNCE_GUARD_CALLS says how many.
test-guard: $(VENV)/test.stamp
	$(BIN)/python -m pytest -n 0 -s -m "slow or not slow" tests/hostile/test_guard_pages.py

# Fresh processes in which threads meet at the first use; JOUNCE_FIRST_USES says how many (500).
test-first-use: $(VENV)/test.stamp
	$(BIN)/python -m pytest -n 0 -s -m slow tests/hostile/test_first_use.py

# Processes that compile, prune, delete and corrupt in one cache directory; JOUNCE_STORM_SECONDS.
test-cache-storm: $(VENV)/test.stamp
	$(BIN)/python -m pytest -n 0 -s -m "slow or not slow" tests/hostile/test_cache_storm.py

# Three thousand broken URDF files beside Pinocchio: what both accept, both compute alike.
test-oracle: $(VENV)/test.stamp
	$(BIN)/python -m pytest -n 0 -s tests/peers/test_oracle.py

# Many threads, robots and processes at once; JOUNCE_SOAK_SECONDS=120 make soak for a shorter time.
soak: $(VENV)/test.stamp
	$(BIN)/python -m pytest -n 0 -s -m slow tests/hostile/test_soak.py

# Small mistakes put into a copy of formulas, papers and inertia, each to be noticed by some test.
SAMPLE ?= 300
SEED ?= 0
mutants: $(VENV)/test.stamp
	PYTHONPATH=tests $(BIN)/python -m support.mutants --sample $(SAMPLE) --seed $(SEED)

lint: $(VENV)/lint.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/basedpyright

format: $(VENV)/lint.stamp
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# The exported MATLAB functions under GNU Octave, installed from Debian's packages if need be.
octave: $(VENV)/test.stamp
	command -v octave-cli >/dev/null || command -v octave >/dev/null || \
	  { SUDO=$$([ $$(id -u) = 0 ] || echo sudo); $$SUDO apt-get update -q && \
	    $$SUDO env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends octave; }
	$(BIN)/python -m pytest tests/export/test_source.py -k "octave or matlab"

# In an environment of its own, with the newest Pinocchio: the tests' is the one of Crocoddyl.
bench:
	$(MAKE) bench-here VENV=$(VENV)-bench

bench-here: $(VENV)/bench.stamp
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.plots

# Inside JAX and PyTorch, beside plain versions of the same in them, and adam-robotics.
bench-frameworks:
	$(MAKE) bench-frameworks-here VENV=$(VENV)-bench

bench-frameworks-here: $(VENV)/bench-frameworks.stamp
	$(BIN)/python -m benchmarks --sections jax torch

# More than one process: Dask's arrays, identification of many files, studies.
bench-scale:
	$(MAKE) bench-scale-here VENV=$(VENV)-bench

bench-scale-here: $(VENV)/bench-scale.stamp
	$(BIN)/python -m benchmarks --sections scale

# On a real GPU, like test-gpu; JOUNCE_ROBOTS names a folder with the robots' files if
# example-robot-data is not installed.
bench-gpu:
	$(PYTHON) -m benchmarks.gpu --write

clean:
	rm -rf $(VENV) $(VENV)-bench build dist src/*.egg-info

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "jounce needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/demo.stamp: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable ".[cli]"
	touch $@

$(VENV)/%.stamp: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable ".[$*]"
	touch $@
