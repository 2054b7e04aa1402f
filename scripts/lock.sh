#!/bin/sh
# Write requirements.lock (every extra; Python 3.11 and newer; Linux, macOS, Windows) and environment.yml from pyproject.toml.
# Versions already locked are kept; `scripts/lock.sh --upgrade` takes the newest ones, other options go to uv as they are.
#
# No registry address may enter the files, hence --no-config and the --no-emit options: the lock names versions, and every
# machine takes them from the registry or mirror that it is set up for.
set -eu
cd "$(dirname "$0")/.."
bin=${BIN:-.venv/bin}

compile() {
    "$bin/uv" pip compile pyproject.toml --quiet --no-config --universal --no-header \
        --no-emit-index-url --no-emit-find-links "$@"
}

compile --all-extras --python-version 3.11 --annotation-style line "$@" --output-file requirements.lock
compile --extra lab --extra study --python-version 3.12 --no-annotate --constraint requirements.lock |
    "$bin/python" scripts/write_environment.py
