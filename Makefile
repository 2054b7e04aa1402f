# Pyramide. `make play` and `make test` set up all that they need in .venv first; nothing is installed outside this folder
# but a browser for the tests, where there is none. PYTHON=python3.12 picks the interpreter, ARGS="..." goes to the program.

BIN := .venv/bin
# An editable install copies the Voila template (share/), so a change there installs again.
INSTALLED_FROM := pyproject.toml requirements.lock scripts/setup_venv.sh $(shell find share -type f 2>/dev/null)

help:  ## say what there is
	@sed -n 's/^\([a-z]*\):.*## /make \1	/p' Makefile

play: .venv/ready-play  ## play in the browser
	@$(BIN)/pyramide play $(ARGS)

lab: .venv/ready-lab  ## open the lesson notebooks in JupyterLab
	@$(BIN)/pyramide lab $(ARGS)

test: .venv/ready-test  ## run every test: core, doctests, notebooks, browser
	@$(BIN)/python scripts/setup_browser.py
	@# The browser's tests watch the clock, so nothing else runs beside them. 5: of ARGS none was among these tests.
	@quick=0; slow=0; \
	$(BIN)/python -m pytest --numprocesses logical --dist loadfile -m "not browser" $(ARGS) || quick=$$?; \
	$(BIN)/python -m pytest -m browser $(ARGS) || slow=$$?; \
	case $$quick$$slow in 00 | 05 | 50) ;; *) exit 1 ;; esac

lint: .venv/ready-test  ## check style, format and types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

bench: .venv/ready-test  ## measure speed, and print ratios
	@$(BIN)/python scripts/setup_browser.py
	@for benchmark in benchmarks/*.py; do echo "$$benchmark"; $(BIN)/python "$$benchmark" $(ARGS) || exit; done

messages: .venv/ready-test  ## bring the translations up to date with the texts, and write the translated lessons
	@$(BIN)/python scripts/messages.py $(ARGS)
	@$(BIN)/python scripts/translate_notebooks.py $(ARGS)

lock: .venv/ready-test  ## write requirements.lock and environment.yml from pyproject.toml
	@scripts/lock.sh $(ARGS)

clean:  ## remove .venv, builds and caches
	rm -rf .venv build dist htmlcov test-results .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

.venv/ready-%: $(INSTALLED_FROM)
	@PYTHON="$(PYTHON)" scripts/setup_venv.sh $*
	@touch $@

.PHONY: help play lab test lint bench messages lock clean
