#!/usr/bin/env bash
# Makes this checkout ready: scripts/setup.sh run|test|slow|lint|docs
#
# Installs the system packages that are missing (Debian and its kin, and only when something is
# missing), makes .venv, and installs svmviz into it with what the purpose needs. Says nothing and
# takes a few milliseconds when there is nothing to do.
set -euo pipefail
cd "$(dirname "$0")/.."

purpose=${1:?usage: scripts/setup.sh run|test|slow|lint|docs}
case $purpose in
    run) extras="" ;;
    test) extras="[test]" ;;
    slow) extras="[test,browser,docs]" ;;
    lint) extras="[dev]" ;;
    docs) extras="[docs]" ;;
    *) echo "scripts/setup.sh: '$purpose' is none of run, test, slow, lint, docs" >&2; exit 2 ;;
esac

# What Qt loads, and the Debian package that has it. Nothing from PyPI replaces these.
libraries="
libGL.so.1            libgl1
libEGL.so.1           libegl1
libglib-2.0.so.0      libglib2.0-0
libfontconfig.so.1    libfontconfig1
libdbus-1.so.3        libdbus-1-3
libxkbcommon.so.0     libxkbcommon0
libxkbcommon-x11.so.0 libxkbcommon-x11-0
libxcb-cursor.so.0    libxcb-cursor0
libxcb-icccm.so.4     libxcb-icccm4
libxcb-keysyms.so.1   libxcb-keysyms1
libxcb-shape.so.0     libxcb-shape0
"
# What the tests start: a screen of their own, and a hand that clicks on it.
programs="
Xvfb     xvfb
xauth    xauth
xdotool  xdotool
"

# A Python that is new enough, and can make a virtual environment with pip in it.
find_python() {
    local name
    for name in ${PYTHON:-} python3 python3.11 python3.12 python3.13 python3.14 python; do
        if "$name" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' \
            >/dev/null 2>&1; then
            echo "$name"
            return
        fi
    done
    return 1
}

missing_packages() {
    local present file package
    [ -x .venv/bin/python ] || find_python >/dev/null || echo python3-venv
    present=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p)
    while read -r file package; do
        case "$present" in *"$file "*) ;; *) [ -z "$file" ] || echo "$package" ;; esac
    done <<<"$libraries"
    [ "$purpose" = run ] || [ "$purpose" = docs ] && return
    while read -r file package; do
        [ -z "$file" ] || command -v "$file" >/dev/null || echo "$package"
    done <<<"$programs"
}

install_packages() {
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "svmviz needs these packages; please have them installed: $*" >&2
            exit 1
        fi
        as_root=(sudo)
    fi
    echo "Installing system packages: $*"
    # A source that does not answer may not matter: the install decides.
    "${as_root[@]}" apt-get update -qq || true
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install \
        -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"
}

if command -v apt-get >/dev/null; then
    packages=$(missing_packages | tr '\n' ' ')
    # shellcheck disable=SC2086  # one word for each package
    [ -z "${packages// /}" ] || install_packages $packages
fi

# The slow tests compile figures for LaTeX. Its packages are large, so only these tests get them.
if [ "$purpose" = slow ]; then
    has_latex() {
        command -v pdflatex >/dev/null \
            && kpsewhich standalone.cls pgfplots.sty fix-cm.sty | [ "$(wc -l)" -eq 3 ]
    }
    if ! has_latex && command -v apt-get >/dev/null; then
        (install_packages texlive-latex-base texlive-latex-extra texlive-pictures) 2>/dev/null \
            || true
    fi
    has_latex || echo "Left out: figures for LaTeX are not compiled, since pdflatex with the" \
        "packages standalone and pgfplots is missing."
    # They also open pages in two browsers.
    for browser in chromium firefox-esr; do
        if ! command -v $browser >/dev/null && command -v apt-get >/dev/null; then
            (install_packages $browser) 2>/dev/null || true
        fi
        command -v $browser >/dev/null \
            || echo "Left out: pages are not opened in $browser, since it is missing."
    done
fi

stamp=.venv/.ready-$purpose
if [ "$stamp" -nt pyproject.toml ] && [ "$stamp" -nt scripts/setup.sh ] \
    && .venv/bin/python -c "" 2>/dev/null; then
    exit
fi

if ! .venv/bin/python -c "import pip" 2>/dev/null; then
    python=$(find_python) || { echo "svmviz needs Python 3.11 or newer, with venv" >&2; exit 1; }
    echo "Making .venv with $("$python" --version)"
    "$python" -m venv --clear .venv
fi
echo "Installing svmviz$extras into .venv"
.venv/bin/python -m pip install --quiet --disable-pip-version-check --editable ".$extras"
# A picture needs the same machine code as the first start, which would wait for it.
if [ "$purpose" = run ]; then
    echo "Compiling what the first start needs"
    folder=$(mktemp -d)
    .venv/bin/python -m svmviz render assets/scenes/two-clouds.svmviz -o "$folder/first.png" \
        2>/dev/null || true
    rm -r "$folder"
fi
touch "$stamp"
