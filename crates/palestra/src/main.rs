//! Words in, exit code out.

fn main() -> std::process::ExitCode {
    palestra::cli::main()
}
