# Two commands: `make demo` (set-up, then a real model through lm_eval) and `make test` (set-up, then every check).
# A set-up whose stamp is current calls neither apt nor pip, so the second run needs no network.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# The CPU build of torch: set TORCH to whatever pip should install for it.
TORCH ?= torch==2.13.0
KEY := $(shell cat pyproject.toml Makefile .ci/setup 2>/dev/null | sha256sum | cut -c1-16)
export HF_HOME ?= $(CURDIR)/$(VENV)/hf-home
export HF_HUB_OFFLINE ?= 1
export HF_DATASETS_OFFLINE ?= 1
export TOKENIZERS_PARALLELISM := false

.PHONY: help demo test check nightly proof clean
help:
	@echo "make demo     set up, then evaluate a small real model on law and tax cases (about 5 minutes on two cores)"
	@echo "make test     set up, then run every check"
	@echo "make nightly  more seeds, more kills, benchmarks"
	@echo "make proof    prove every shipped test case with HOL Light and write the certificates (about 15 minutes)"

$(VENV)/demo-$(KEY):
	PYTHON="$(PYTHON)" TORCH="$(TORCH)" .ci/setup demo
	@rm -f $(VENV)/demo-*; touch $@

$(VENV)/test-$(KEY):
	PYTHON="$(PYTHON)" TORCH="$(TORCH)" .ci/setup test
	@rm -f $(VENV)/demo-* $(VENV)/test-*; touch $@ $(VENV)/demo-$(KEY)

demo: $(VENV)/demo-$(KEY)
	@.ci/demo

check: $(VENV)/test-$(KEY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: check
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not nightly"

nightly: check
	$(BIN)/python -m pytest -n 2 --dist loadfile
	for b in benchmarks/*.py; do echo "== $$b"; $(BIN)/python $$b; done

proof: $(VENV)/test-$(KEY)
	$(BIN)/python -m holmes.formal.certificates
	$(BIN)/python -m holmes.formal.dataset

clean:
	rm -rf $(VENV) build dist outputs
