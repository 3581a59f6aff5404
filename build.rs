//! Links the program to a fixed address on Linux. As a position-independent executable it has ninety thousand addresses that are
//! rewritten at each start, most of them in tables that a run never reads: 2.5 of the 8 milliseconds that one small page takes.
//! The library and the module for Python are not linked here.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |key: &str| std::env::var(key).unwrap_or_default();
    if target("CARGO_CFG_TARGET_OS") == "linux" && target("CARGO_CFG_TARGET_ENV") == "gnu" {
        println!("cargo::rustc-link-arg-bin=duramen=-no-pie");
    }
}
