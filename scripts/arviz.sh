#!/bin/sh
# Makes a virtual environment of Python with ArviZ, pinned, from the package registry; what is there is left as it is.
#
#     scripts/arviz.sh FOLDER
#
# Takes half a minute. Called by tests/program/arviz_store.rs.
set -eu
folder=$1
requirements=$(dirname "$0")/arviz-requirements.txt
cmp -s "$requirements" "$folder/installed.txt" && exit 0
rm -rf "$folder"
python3 -m venv "$folder" >&2
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check -r "$requirements" >&2
# Last, so that an environment that was not finished is made again.
cp "$requirements" "$folder/installed.txt"
