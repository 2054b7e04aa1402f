#!/bin/sh
# Make .venv and install Pyramide into it, in the versions of requirements.lock: scripts/setup_venv.sh play|lab|test
#
# It works on a fresh machine with nothing but a Python, and says in one sentence what stands in the way. The Makefile
# calls it and keeps a stamp per argument, so that nothing is installed twice. PYTHON=... picks the interpreter.
set -eu
cd "$(dirname "$0")/.."

stop() {
    echo "pyramide: $*" >&2
    exit 1
}

new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

pick_python() {
    for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11 python}; do
        if new_enough "$candidate"; then
            python=$candidate
            return
        fi
    done
    named=${PYTHON:-python3}
    found=$("$named" --version 2>&1) || stop "Python 3.11 or newer is needed, and $named does not run here; install it, or name another one with PYTHON=..."
    stop "Python 3.11 or newer is needed, and $named is $found; install a newer one, or name it with PYTHON=..."
}

case ${1:-} in
    play) what='.[study]' ;;
    lab) what='.[lab,study]' ;;
    test) what='.[lab,study,test,dev]' ;;
    *) stop "setup_venv.sh takes play, lab or test, not '${1:-}'." ;;
esac

if ! new_enough .venv/bin/python; then
    pick_python
    "$python" -c 'import ensurepip, venv' 2>/dev/null ||
        stop "$python has no venv module; on Debian or Ubuntu install the package python3-venv."
    echo "pyramide: making .venv with $("$python" --version)"
    "$python" -m venv --clear .venv
fi
echo "pyramide: installing into .venv what 'make $1' needs; the first time this takes a minute or more"
.venv/bin/python -m pip install --quiet --quiet --disable-pip-version-check --no-input \
    --constraint requirements.lock --editable "$what" ||
    stop "the installation failed, see above; is the network there?"
