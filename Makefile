# Sandriver: every job has one command. Needs Python 3.11 or newer; everything else is set up here.
ifeq ($(origin PATH),undefined)
export PATH := /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
endif
PYTHON := $(shell for p in python3.14 python3.13 python3.12 python3.11 python3 python; do \
	if command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then echo $$p; break; fi; done)
ifeq ($(PYTHON),)
$(error Python 3.11 or newer is needed, and none was found on the PATH)
endif
PREPARE := $(PYTHON) tools/prepare.py
PY := .venv/bin/python
HOST ?= 127.0.0.1
PORT ?= 8000
DATA ?= .make/data

.DEFAULT_GOAL := help
.PHONY: help play test check full campaign bench web wheel docs screenshots lock format hooks clean

help: ## List the commands
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' $(MAKEFILE_LIST)

play: ## Set everything up and serve the table (PORT=8000, HOST=127.0.0.1, DATA=folder)
	@$(PREPARE) play
	@exec $(PY) tools/serve.py --host $(HOST) --port $(PORT) --data $(DATA)

test: ## Set everything up and prove it: checks, tests, browser
	@began=$$(date +%s) && $(PREPARE) test && SANDRIVER_BEGAN=$$began exec $(PY) tools/run_checks.py all

check: ## Formatting, lint, types, floors, known vulnerabilities; no tests
	@$(PREPARE) check
	@exec $(PY) tools/run_checks.py static

full: ## The large samples: everything of `make test` and the slow suites
	@began=$$(date +%s) && $(PREPARE) test && SANDRIVER_BEGAN=$$began exec $(PY) tools/run_checks.py full

campaign: ## The long proofs: kill -9 under load, simulated schedules, indistinguishable positions
	@$(PREPARE) test
	@exec $(PY) tools/campaign.py

bench: ## Print speed, also of what one would pick instead, start-up time and sizes
	@$(PREPARE) bench
	@exec $(PY) bench/run.py

web: ## Build the web client
	@$(PREPARE) web

wheel: ## Build sdist and wheel into dist/
	@$(PREPARE) wheel

docs: ## Build the documentation, warnings are errors
	@$(PREPARE) docs
	@$(PY) -m sphinx -W --keep-going -q -b html docs docs/_build/html && echo "docs/_build/html/index.html"

screenshots: ## Draw docs/screenshots anew
	@$(PREPARE) test
	@exec $(PY) tools/screenshots.py

lock: ## Renew requirements/*.txt from pyproject.toml
	@$(PREPARE) test
	@exec $(PY) tools/lock.py

format: ## Format all Python
	@$(PREPARE) check
	@$(PY) -m ruff check --fix -q . ; $(PY) -m ruff format .

hooks: ## Check every commit before it is made
	@$(PREPARE) check
	@$(PY) -m prek install

clean: ## Remove everything that was built (not the games: .make/data stays)
	@rm -rf build dist docs/_build web/node_modules src/sandriver/server/static test-results .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find src -name '*.so' -delete -o -name '*.pyd' -delete -o -name '*.c' -delete
	@find .make -mindepth 1 -maxdepth 1 ! -name data -exec rm -rf {} + 2>/dev/null || true
