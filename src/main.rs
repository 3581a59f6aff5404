//! The `duramen` command.

fn main() -> std::process::ExitCode {
    duramen::cli::main()
}
