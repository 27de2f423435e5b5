# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034
# common.sh - what the scripts of this folder share; sourced, never run. POSIX sh.

ROOT=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
CACHE=${PANDIA_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/pandia}

say() {
    printf '%s\n' "$*"
}

# die TEXT: one line that says what is wrong and what to do about it.
die() {
    printf '%s: %s\n' "$(basename -- "$0")" "$*" >&2
    exit 1
}

# The interpreter that pkg-config's python3-embed names. The python3 first in PATH may be another
# build, and an embedded interpreter can only use environments of its own.
build_python() {
    prefix=$(pkg-config --variable=exec_prefix python3-embed 2>/dev/null) || return 1
    version=$(pkg-config --modversion python3-embed) || return 1
    [ -x "$prefix/bin/python$version" ] || return 1
    printf '%s\n' "$prefix/bin/python$version"
}

# is_right FILE SHA256
is_right() {
    [ -f "$1" ] && printf '%s  %s\n' "$2" "$1" | sha256sum --check --status -
}

# pip_source PACKAGE VERSION SHA256 DIR: downloads a source distribution into DIR. pip knows which
# index this machine uses. It reads the package's metadata after the download, hence the few
# seconds; by then it has checked the hash as well.
pip_source() {
    pip_python=$(build_python) || pip_python=$(command -v python3) || return 1
    mkdir -p -- "$4" || return 1
    printf '%s==%s --hash=sha256:%s\n' "$1" "$2" "$3" >"$4/requirements.txt"
    "$pip_python" -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes \
        --retries 1 --timeout 15 --no-binary "$1" --requirement "$4/requirements.txt" --dest "$4"
}

# make_venv DIR REQUIREMENTS: an environment of the build's interpreter with exactly what the file
# pins. Does nothing when DIR was made from the same file by the same interpreter.
make_venv() {
    venv_python=$(build_python) || die "no python3-embed found; run script/bootstrap first"
    venv_stamp="$("$venv_python" -VV | tr '\n' ' ')$(sha256sum <"$2")"
    if [ "$(cat "$1/.pandia" 2>/dev/null)" = "$venv_stamp" ]; then
        return 0
    fi
    say "making the Python environment $1"
    rm -rf -- "$1"
    mkdir -p -- "$(dirname -- "$1")"
    "$venv_python" -m venv "$1" ||
        die "cannot make $1; run script/bootstrap, which installs python3-venv"
    "$1/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$2" ||
        die "pip could not install $2 into $1; is a package index reachable?"
    printf '%s\n' "$venv_stamp" >"$1/.pandia"
}

# configure_preset PRESET: quiet unless it fails.
configure_preset() {
    mkdir -p "$ROOT/build"
    if ! cmake --preset "$1" >"$ROOT/build/configure-$1.log" 2>&1; then
        cat "$ROOT/build/configure-$1.log" >&2
        die "preset $1 does not configure"
    fi
}
