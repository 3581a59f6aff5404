# Installs what building Duramen needs and the machine lacks: Rust and a C compiler. Sourced by quickstart.sh, test.sh
# and .ci/run. What is there is left as it is.
#
# C code is compiled by three dependencies (zstd-sys, liblzma-sys, ring); a C compiler and the C library's headers are
# all they need. Neither cmake nor pkg-config is used.

say() { printf 'duramen: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

needed_rust=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)

# A rustup installation is found even where the shell's profile was not read.
[ -d "${CARGO_HOME:-${HOME:-}/.cargo}/bin" ] && PATH="${CARGO_HOME:-${HOME:-}/.cargo}/bin:$PATH"
export PATH

# Installs Debian packages as root, or with sudo if that asks nothing or somebody can answer.
install_packages() {
    command -v apt-get >/dev/null || return 1
    local as_root=""
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || return 1
        if [ -t 0 ]; then as_root=sudo; elif sudo -n true 2>/dev/null; then as_root="sudo -n"; else return 1; fi
    fi
    say "installing $*"
    # shellcheck disable=SC2086
    { $as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq &&
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@"; } </dev/null >&2
}

# Sees to it that Python can make virtual environments, if that can be had without asking.
python_makes_environments() {
    python3 -c 'import ensurepip, venv' 2>/dev/null || install_packages python3 python3-venv
}

# Sees to it that there is a Chromium, if that can be had without asking.
chromium_is_there() {
    command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null ||
        install_packages chromium
}

# Whether `cargo` and `rustc` are there and new enough.
rust_is_new_enough() {
    command -v cargo >/dev/null || return 1
    local version
    version=$(rustc --version 2>/dev/null | cut -d ' ' -f 2) || return 1
    [ -n "$version" ] && [ "$(printf '%s\n%s\n' "$needed_rust" "$version" | sort -V | head -n 1)" = "$needed_rust" ]
}

# The current stable Rust by rustup, for this run: what the user set as default stays.
use_stable_of_rustup() {
    command -v rustup >/dev/null || return 1
    say "installing the current stable Rust with rustup"
    rustup toolchain install stable --profile minimal --component clippy,rustfmt </dev/null >&2 || return 1
    # A fresh rustup has no default, without which plain `cargo` does not work; another default is left alone.
    rustup default >/dev/null 2>&1 || rustup default stable >&2
    export RUSTUP_TOOLCHAIN=stable
}

# Whether Debian's own rustc, once installed, would be new enough.
packaged_rust_is_new_enough() {
    command -v apt-cache >/dev/null || return 1
    local candidate
    candidate=$(apt-cache policy rustc 2>/dev/null | sed -n 's/ *Candidate: //p')
    dpkg --compare-versions "${candidate:-0}" ge "$needed_rust"
}

if ! rust_is_new_enough; then
    if command -v rustup >/dev/null || install_packages rustup; then
        use_stable_of_rustup || true
    elif packaged_rust_is_new_enough; then
        install_packages cargo rustc || true
    fi
    rust_is_new_enough || fail "Rust $needed_rust or newer is needed, found $(rustc --version 2>/dev/null || echo none);" \
        "install rustup as your system provides it (or from the Rust project's site), run 'rustup default stable'," \
        "then give this command again"
fi

if ! command -v cc >/dev/null && ! command -v gcc >/dev/null && ! command -v clang >/dev/null; then
    install_packages build-essential || true
    command -v cc >/dev/null ||
        fail "a C compiler is needed; install one (Debian: build-essential, Fedora: gcc, macOS: xcode-select --install)," \
            "then give this command again"
fi

# A full disk shows as a linker that fails, or as an archive that cannot be unpacked.
free_mb=$(df -Pk . 2>/dev/null | awk 'NR == 2 { print int($4 / 1024) }') || true
[ "${free_mb:-999999}" -ge 5000 ] ||
    say "only $free_mb MB are free on this disk; a build with all tests takes some 4 GB"
