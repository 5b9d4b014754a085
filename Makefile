# Two commands do all set-up on a fresh machine: `make demo` and `make test`. Needs python3 (3.11 or newer) and make.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet
SOURCES := $(shell find grm exporters mocks addin -name '*.py' -o -name '*.typed' -o -name '*.json' -o -name '*.yaml' -o -name '*.txt' -o -name '*.png')

.DEFAULT_GOAL := help
.PHONY: help demo test test-kernels coverage check lint types docs bench survival judges browser site release fuzz combench installer test-installer clean

help:
	@echo "make demo    a sample robot through the main job"
	@echo "make test    the test suite, on the built wheel"
	@echo "make test-kernels  its numerical part as on other processors, and their exports compared"
	@echo "make coverage  the same, with branch coverage; fails under the floor in pyproject.toml"
	@echo "make check   lint, types and the documentation's examples"
	@echo "make bench   the benchmarks"
	@echo "make survival  every member of SolidWorks failing in turn; writes the table in docs/reader.md"
	@echo "make fuzz    100,000 damaged URDF files, 20,000 damaged SDF files"
	@echo "make judges  other programs on what swgrm writes; FULL=1 adds real robots in the simulators"
	@echo "make browser the 3D pages in a real browser; writes their pictures with PICTURES=1"
	@echo "make site    the documentation as a site that works offline, in build/site/html"
	@echo "make release the packages in dist/, built twice and compared, with bills of materials and hashes"
	@echo "make combench  real COM between Windows programs, through Wine on Linux"
	@echo "make installer       the set-up program for Windows, in dist/"
	@echo "make test-installer  installs it, uses it and removes it, on Windows or through Wine"
	@echo "make clean   remove what these made"

# The virtual environment with the pinned dependencies; made anew when the pins change.
$(VENV)/.deps: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "swgrm needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	@test -d $(VENV) || { echo "making $(VENV)"; $(PYTHON) -m venv $(VENV); }
	@echo "installing the pinned dependencies"
	@$(BIN)/python -m installer.dependencies meshes coacd moveit batch test check build > $(VENV)/requirements.txt
	@$(PIP) install -c constraints.txt -r $(VENV)/requirements.txt
	@touch $@

# The wheel, built from the sources and installed: what is tested is what is shipped.
$(VENV)/.wheel: $(VENV)/.deps $(SOURCES) README.md
	@rm -f dist/*.whl  # and not a set-up program
	@$(PIP) wheel --no-deps --no-build-isolation --wheel-dir dist .
	@$(PIP) install --no-deps --force-reinstall dist/swgrm-*.whl
	@touch $@

demo: $(VENV)/.wheel
	@$(BIN)/swgrm demo -o build/demo

# COVERAGE=1 measures branch coverage of the whole suite, which must not fall below the floor in pyproject.toml.
# Processes that tests kill leave broken data files (data.*), which `combine` leaves out with a warning.
test: $(VENV)/.wheel
	@rm -rf build/coverage
	@$(BIN)/python $(if $(COVERAGE),-m coverage run) -m pytest -m "not docs" $(ARGS)
	@$(if $(COVERAGE),$(BIN)/python -W ignore -m coverage combine --quiet && rm -f build/coverage/data.* && $(BIN)/python -m coverage report)

# Numerical results depend on the processor in their last digits; robots and files must not. WITH="aarch64 lowest newest"
# adds an emulated processor and other versions of the dependencies.
test-kernels: $(VENV)/.wheel
	@$(BIN)/python -m tests.kernels $(WITH)

coverage:
	@$(MAKE) test COVERAGE=1

check: lint types docs

lint: $(VENV)/.deps
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(VENV)/.deps
	@$(BIN)/mypy grm/swgrm exporters/swgrm_exporters mocks/swgrm_mocks addin/swgrm_addin installer tests

docs: $(VENV)/.wheel
	@$(BIN)/python -m pytest -m docs

survival: $(VENV)/.wheel
	@$(BIN)/python -m tests.addin.survival

BROWSER_HASH := $(shell $(PYTHON) -c 'import hashlib; print(hashlib.sha256(open("pyproject.toml", "rb").read() + open("constraints.txt", "rb").read()).hexdigest()[:12])')
CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/swgrm
BROWSER := $(CACHE)/browser-$(BROWSER_HASH)
bench: $(VENV)/.wheel $(BROWSER)/.deps $(CACHE)/engine-urdf2mjcf-0.2.39/.deps
	@$(BIN)/python -m tests.bench
	@$(BROWSER)/bin/python -m pip --disable-pip-version-check --quiet install --no-deps --force-reinstall dist/swgrm-*.whl
	@$(BROWSER)/bin/python -m tests.browser.figures

# Independent readers and real robots, in an environment of their own; yourdfpy alone, without its viewer.
# The environment is kept in a cache folder, named after the hash of its requirements and pins.
JUDGES_HASH := $(shell $(PYTHON) -c 'import hashlib; print(hashlib.sha256(b"".join(line for line in open("pyproject.toml", "rb") if line.startswith(b"judges")) + open("constraints.txt", "rb").read()).hexdigest()[:12])')
JUDGES := $(CACHE)/judges-$(JUDGES_HASH)
$(JUDGES)/.deps: | $(VENV)/.deps
	@echo "installing the judges"
	@mkdir -p $(JUDGES)
	@$(PYTHON) -m venv $(JUDGES)
	@$(BIN)/python -m installer.dependencies judges > $(JUDGES)/requirements.txt
	@$(JUDGES)/bin/python -m pip --disable-pip-version-check --quiet install -c constraints.txt -r $(JUDGES)/requirements.txt
	@$(JUDGES)/bin/python -m pip --disable-pip-version-check --quiet install -c constraints.txt --no-deps yourdfpy urchin
	@touch $@

# Simulators that cannot be in one environment: older releases of MuJoCo, and Drake. Each folder is named after its pins.
SIMULATORS := mujoco-3.2.7 mujoco-3.5.0 drake-1.51.1
NUMPY := $(shell grep '^numpy==' constraints.txt)
simulator = $(CACHE)/simulator-$(1)-$(subst ==,-,$(NUMPY))
$(call simulator,%)/.deps:
	@echo "installing $*"
	@$(PYTHON) -m venv $(@D)
	@$(@D)/bin/python -m pip --disable-pip-version-check --quiet install $(subst -,==,$*) $(NUMPY)
	@touch $@

# Readers of USD, each in a folder named after its pins; all but usd-core only with FULL=1. What `make bench` compares with.
ENGINE_newton-1.7.0 := newton[sim,importers]==1.7.0
ENGINE_mujoco-usd-4.0.1 := mujoco-usd==4.0.1
ENGINE_usd-26.11 := usd-core==26.11
ENGINE_asset-validator-1.18.0 := omniverse-asset-validator==1.18.0 usd-exchange==3.0.1
ENGINE_urdf2mjcf-0.2.39 := urdf2mjcf==0.2.39
ENGINES := usd-26.11 $(if $(FULL),newton-1.7.0 mujoco-usd-4.0.1 asset-validator-1.18.0)
engine = $(CACHE)/engine-$(1)
$(call engine,%)/.deps:
	@echo "installing $*"
	@$(PYTHON) -m venv $(@D)
	@$(@D)/bin/python -m pip --disable-pip-version-check --quiet install $(ENGINE_$*)
	@touch $@

# Gazebo's physics on SDF 1.9, from Debian's packages; a small program that loads its default engine.
GAZEBO := $(CACHE)/gazebo-$(shell $(PYTHON) -c 'import hashlib; print(hashlib.sha256(open("tests/judges/gazebo.cc", "rb").read()).hexdigest()[:12])')
$(GAZEBO):
	@command -v ign > /dev/null && pkg-config --exists ignition-physics5 || { echo "install Debian's packages libignition-physics-dev libignition-physics5-dartsim-plugin5 libsdformat-dev ignition-tools" >&2; exit 1; }
	@mkdir -p $(@D)
	@$(CXX) -std=c++17 tests/judges/gazebo.cc -o $@ $(shell pkg-config --cflags --libs ignition-physics5 ignition-plugin1-loader sdformat12 2> /dev/null)

DRAKE := $(call simulator,drake-1.51.1)/bin/python
judges: $(VENV)/.wheel $(JUDGES)/.deps $(foreach each,$(SIMULATORS),$(call simulator,$(each))/.deps) $(foreach each,$(ENGINES),$(call engine,$(each))/.deps) $(if $(FULL),$(GAZEBO))
	@$(BIN)/python -m tests.judges $(JUDGES)/bin/python
	@$(BIN)/python -m tests.judges.robotinfo $(JUDGES)/bin/python
	@$(BIN)/python -m tests.judges.synthetic $(JUDGES)/bin/python
	@$(BIN)/python -m tests.judges.mjcf $(JUDGES)/bin/python
	@$(BIN)/python -m tests.judges.moveit $(JUDGES)/bin/python
	@$(BIN)/python -m tests.judges.ros2 $(JUDGES)/bin/python $(if $(FULL),sdf=ign)
	@$(BIN)/python -m tests.judges.tutorials $(JUDGES)/bin/python
	@$(if $(FULL),$(BIN)/python -m tests.judges.newton_loops $(call engine,newton-1.7.0)/bin/python)
	@$(BIN)/python -m tests.judges.law real=$(JUDGES)/bin/python pinocchio=$(JUDGES)/bin/python mujoco=$(JUDGES)/bin/python drake=$(DRAKE) $(if $(FULL),newton=$(call engine,newton-1.7.0)/bin/python mujoco-usd=$(call engine,mujoco-usd-4.0.1)/bin/python dartsim=$(GAZEBO))
	@$(BIN)/python -m tests.judges.validators usd=$(call engine,usd-26.11)/bin/python binary=$(call engine,usd-26.11)/bin/python drake=$(DRAKE) $(if $(FULL),asset=$(call engine,asset-validator-1.18.0)/bin/omni_asset_validate sdf=ign)
	@$(BIN)/python -m tests.judges.motion mujoco-newest=$(JUDGES)/bin/python $(foreach each,$(SIMULATORS),$(each)=$(call simulator,$(each))/bin/python)

# The 3D pages in Chromium, which Debian's package `chromium` installs; Playwright drives it from an environment of its own.
$(BROWSER)/.deps: | $(VENV)/.deps
	@echo "installing the driver of the browser"
	@mkdir -p $(BROWSER)
	@$(PYTHON) -m venv $(BROWSER)
	@$(BIN)/python -m installer.dependencies meshes moveit batch test browser > $(BROWSER)/requirements.txt
	@$(BROWSER)/bin/python -m pip --disable-pip-version-check --quiet install -c constraints.txt -r $(BROWSER)/requirements.txt
	@touch $@

browser: $(VENV)/.wheel $(BROWSER)/.deps
	@$(BROWSER)/bin/python -m pip --disable-pip-version-check --quiet install --no-deps --force-reinstall dist/swgrm-*.whl
	@$(if $(PICTURES),SWGRM_PICTURES=1) $(BROWSER)/bin/python -m pytest tests/browser $(ARGS)

# The documentation as a site. It is built strictly: a broken link or a page without a place in the menu is an error.
SITE_HASH := $(shell $(PYTHON) -c 'import hashlib; print(hashlib.sha256(b"".join(line for line in open("pyproject.toml", "rb") if line.startswith((b"site", b"release"))) + open("constraints.txt", "rb").read()).hexdigest()[:12])')
SITE := $(CACHE)/site-$(SITE_HASH)
$(SITE)/.deps:
	@echo "installing what builds the site and checks releases"
	@mkdir -p $(SITE)
	@$(PYTHON) -m venv $(SITE)
	@$(PYTHON) -m installer.dependencies --only site release > $(SITE)/requirements.txt
	@$(SITE)/bin/python -m pip --disable-pip-version-check --quiet install -c constraints.txt -r $(SITE)/requirements.txt
	@touch $@

site: $(VENV)/.wheel $(SITE)/.deps
	@$(BIN)/python -m installer.site prepare build/site/docs
	@NO_MKDOCS_2_WARNING=1 $(SITE)/bin/mkdocs build --strict --clean --quiet
	@rm -f build/site/html/404.html  # it is for servers, and its links begin at their root
	@$(BIN)/python -m installer.site check build/site/html

# The packages of a release: built twice and compared byte by byte; each with its bill of materials (CycloneDX), which
# names the origin of every file, and its licence report. The set-up program is included if `make installer` made it.
VERSION = $(shell sed -n 's/^__version__ = "\(.*\)"/\1/p' grm/swgrm/__init__.py)
release: $(VENV)/.deps $(SITE)/.deps
	@rm -rf build/release && rm -f dist/*.whl dist/*.tar.gz dist/*.cdx.json dist/*.licences.md dist/SHA256SUMS
	@$(BIN)/python -m installer.release build build/release/first
	@$(BIN)/python -m installer.release build build/release/second
	@$(BIN)/python -m installer.release compare build/release/first build/release/second
	@mkdir -p dist && cp build/release/first/* dist/
	@$(SITE)/bin/twine check --strict dist/*.whl dist/*.tar.gz
	@$(SITE)/bin/python -m installer.release describe $(VERSION)

# Random damage to URDF and SDF files: a robot or a sentence must come of each.
fuzz: $(VENV)/.wheel
	@$(BIN)/python -m tests.fuzz.urdf 100000
	@$(BIN)/python -m tests.fuzz.mjcf 10000
	@$(BIN)/python -m tests.fuzz.sdf 20000

# Windows' Python and a native host, under Wine where there is no Windows; set up once, in a cache folder.
combench: $(VENV)/.wheel
	@$(BIN)/python -m installer.combench test $(ARGS)
	@test -n "$(CI)" || $(BIN)/python -m installer.combench bench  # figures are for people

# The set-up program for Windows: needs NSIS, mingw and Wine on Linux, and says which are missing.
installer: $(VENV)/.wheel
	@$(BIN)/python -m installer.setup

test-installer: installer tests
	@SWGRM_FAST=1 $(BIN)/python -m installer.setup again 99.0.0
	@$(BIN)/python -m installer.combench test tests/setup $(ARGS)

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
