# The verbs of this project; `make` alone lists them.
# Byte code must be kept: without it every start compiles the libraries anew, which takes seconds.
unexport PYTHONDONTWRITEBYTECODE
.DEFAULT_GOAL := help
PYTHON ?= $(shell for one in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$one -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null && echo $$one && break; done)
BIN := .venv/bin
READY := .venv/.ready
CODE := bot integrations policies playground tests

.PHONY: help setup demo scene test thorough again steady coverage mutants flips chaos fuzz redteam soak bench lint types imports map format docs screenshots lock sbom advisories clean

help: ## list the verbs
	@awk -F':.*## ' '/^[a-z]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(READY) ## install everything into .venv (the other verbs do it by themselves)

# A lock holds every library, so pip resolves nothing: for an extra its resolver may take a newer release than the pin.
$(READY): requirements/dev.lock
	@test -n "$(PYTHON)" || { echo "Python 3.11 to 3.14 is needed and none was found: install one, or name it with make PYTHON=/path/to/python"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "$(PYTHON) lacks venv or ensurepip: install them (on Debian and Ubuntu the package is python3-venv)"; exit 1; }
	@echo "Installing into .venv: the first time this takes two minutes, or up to five on a slow machine or network."
	@$(PYTHON) -m venv .venv
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements/dev.lock 2>.venv/pip.log & \
	pip=$$!; waited=0; while kill -0 $$pip 2>/dev/null; do sleep 1; waited=$$((waited + 1)); \
		[ $$((waited % 30)) -ne 0 ] || echo "  … still installing, for $$waited seconds now"; done; \
	wait $$pip || { \
		if grep -q "from versions: none" .venv/pip.log; then \
			echo "pip reaches no package index: connect this machine, or name a proxy (HTTPS_PROXY) or a mirror (PIP_INDEX_URL); then run make again"; \
		else cat .venv/pip.log; fi; exit 1; }
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@$(BIN)/pip --disable-pip-version-check check >/dev/null || { $(BIN)/pip check; exit 1; }
	@$(BIN)/python -m compileall -q -j 0 bot integrations policies playground .venv/lib || true
	@touch $@

demo: $(READY) ## try it in a browser: Slack, Google and Gemini emulated, nothing to sign up for
	@$(BIN)/countersign playground $(ARGS)

scene: $(READY) ## play one request from mention to audit entry in the terminal
	@$(BIN)/countersign playground --script playground/scenes/answer_a_mail.yaml $(ARGS)

# The emulator's log of all tests tells which Slack methods were called; the manifest is held against it at the end.
test thorough again: export SLACK_METHODS_FILE := $(CURDIR)/.pytest_cache/slack-methods.txt
test: $(READY) ## run the tests, in minutes: everything pure, the main job, every crash point
	@mkdir -p .pytest_cache && rm -f $(SLACK_METHODS_FILE)
	@$(BIN)/pytest --part quick $(ARGS)

thorough: $(READY) ## run the other tests: whole worlds, browsers, replicas, emulators, and what CI leaves out (deep)
	@mkdir -p .pytest_cache
	@$(BIN)/pytest --part thorough $(ARGS)
	@$(BIN)/pytest -n0 tests/contract/test_manifest.py

again: $(READY) ## run once more what failed in the last run of the tests
	@$(BIN)/pytest --last-failed --last-failed-no-failures none $(ARGS)
	@$(BIN)/pytest -n0 tests/contract/test_manifest.py

steady: $(READY) ## run all tests five times on a busy machine and name what was not always green; ARGS=paths for some
	@$(BIN)/python -m tests.verification.steady $(ARGS)

coverage: $(READY) ## lines and branches of policies/ and bot/runtime/ that the quick tests reach; ARGS=paths for some
	@mkdir -p .pytest_cache && $(BIN)/coverage erase
	@$(BIN)/coverage run -m pytest --part quick $(ARGS)
	@$(BIN)/coverage combine --quiet
	@$(BIN)/coverage report

mutants: $(READY) ## break promises on purpose, in a copy of the tree, and see that tests notice; takes half an hour
	@$(BIN)/python -m tests.verification.mutants $(ARGS)

flips: $(READY) ## change each comparison, condition and constant of policy, and see that tests notice
	@$(BIN)/python -m tests.verification.mutants.policies $(ARGS)

chaos: $(READY) ## kill the bot at every point, freeze replicas, break everything; takes about ten minutes
	@$(BIN)/python -m tests.verification.chaos $(ARGS)

fuzz: $(READY) ## requests made from the API's own document against the real bot; ARGS="--seconds 600" for longer
	@$(BIN)/python -m tests.verification.fuzz $(ARGS)

redteam: $(READY) ## replay the attacks of AgentDojo through the policy, without any model; takes about ten minutes
	@$(BIN)/python -m tests.verification.redteam $(ARGS)

soak: $(READY) ## work for some minutes and see that nothing grows; make soak ARGS="--minutes 30"
	@$(BIN)/python -m tests.verification.soak $(ARGS)

bench: $(READY) ## figures beside their targets; ARGS=loop for one part, ARGS=--peers for other frameworks, too
	@$(BIN)/python -m tests.verification.benchmarks $(ARGS)

lint: $(READY) ## ruff and codespell
	@$(BIN)/ruff check $(CODE)
	@$(BIN)/ruff format --check $(CODE)
	@$(BIN)/codespell

types: $(READY) ## basedpyright, strict
	@$(BIN)/basedpyright --level error

imports: $(READY) ## the layers, held by import-linter, and what it does not see: folders without an __init__.py, views
	@$(BIN)/ruff check --quiet --select INP001 $(filter-out tests,$(CODE))
	@$(BIN)/lint-imports
	@$(BIN)/python -m tests.verification.walls

map: $(READY) ## how far a newcomer has to look, counted, beside its bounds
	@$(BIN)/python -m tests.verification.map

format: $(READY) ## put the code into shape
	@$(BIN)/ruff check --fix --quiet $(CODE)
	@$(BIN)/ruff format $(CODE)

docs: $(READY) ## run the code blocks of README and docs
	@$(BIN)/pytest tests/docs $(ARGS)

screenshots: $(READY) ## take the pictures of README and docs from the playground
	@$(BIN)/python -m tests.verification.browser.screenshots $(ARGS)

lock: ## resolve the dependencies anew (needs uv)
	uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-annotate --no-header --python-version 3.11 pyproject.toml -o requirements/run.lock
	uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-annotate --no-header --python-version 3.11 --group dev pyproject.toml -o requirements/dev.lock
	echo 'hatchling>=1.27' | uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-annotate --no-header --python-version 3.11 -c requirements/dev.lock - -o requirements/build.lock

sbom: $(READY) ## write dist/sbom.json: every library that an installation takes, with its hashes (CycloneDX)
	@$(BIN)/python -m tests.verification.supply sbom

advisories: $(READY) ## what is known against these libraries; status 2 where that cannot be asked
	@$(BIN)/python -m tests.verification.supply advisories

clean: ## remove what was built and the demo's data
	rm -rf .venv .demo .coverage .pytest_cache .ruff_cache dist
