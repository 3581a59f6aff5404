//! The `duramen` command.

fn main() -> std::process::ExitCode {
    duramen::program_main()
}
