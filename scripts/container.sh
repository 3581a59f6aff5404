#!/usr/bin/env bash
# Builds the image of Containerfile and tests it: static, not as root, under 40 MB, no network and nothing to write to.
#
#     scripts/container.sh [NAME]        # the image is called duramen:VERSION without a name
#
# Needs podman, or docker with its engine, and the registry that has the image of Rust; without them it says so and ends well.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/prerequisites.sh

engine=
for candidate in podman docker; do
    if "$candidate" info >/dev/null 2>&1; then engine=$candidate && break; fi
done
[ -n "$engine" ] || { echo "left out: the container image (needs podman or docker)"; exit 0; }
image=${1:-duramen:$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)}
"$engine" build --file Containerfile --tag "$image" .

run() { "$engine" run --rm -i --network none --read-only --cap-drop all "$image" "$@"; }
run extract - <examples/pages/lighthouse.html | grep -q '112 steps' || fail "$image does not extract"
user=$("$engine" image inspect --format '{{.Config.User}}' "$image")
[ "$user" = 65534:65534 ] || fail "$image runs as ${user:-root}"
bytes=$("$engine" image inspect --format '{{.Size}}' "$image")
[ "$bytes" -lt 40000000 ] || fail "$image has $bytes bytes; 40,000,000 are allowed"
echo "$image: $bytes bytes, user $user"
