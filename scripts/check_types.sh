#!/usr/bin/env bash
# Checks the scripts of pages, in assets/page, by TypeScript. Where it is not there and cannot be
# fetched, says so, and succeeds.
set -euo pipefail
cd "$(dirname "$0")/.."

tsc=(npx --yes --prefer-offline --fetch-retries=1 --package=typescript@5.9.3 tsc)
if ! "${tsc[@]}" --version >/dev/null 2>&1; then
    echo "Left out: the scripts of pages are not checked, since npx is missing or cannot fetch TypeScript."
    exit
fi
"${tsc[@]}" --project assets/page
