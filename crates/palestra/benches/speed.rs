//! `cargo bench`: the cases of `palestra bench`, as a table.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a benchmark reads its arguments and prints"
)]

use palestra_cli::bench::{CASES, measure};

/// Passes of each case; the fastest counts.
const REPEAT: u32 = 3;

fn main() {
    // `cargo test --benches` also runs this program, but without `--bench`: there is nothing to test.
    if !std::env::args().any(|word| word == "--bench") {
        return;
    }
    palestra_cli::set_games(&palestra_registry::GAMES);
    // `cargo bench -- playouts` runs only the cases whose names contain one of the arguments.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    println!("{:14} {:>16}  {:8} {:>16}", "case", "per CPU second", "of", "signature");
    for case in CASES {
        if wanted.is_empty() || wanted.iter().any(|word| case.name.contains(word.as_str())) {
            let measured = measure(case, REPEAT);
            println!(
                "{:14} {:16.0}  {:8} {:016x}",
                case.name,
                measured.rate(),
                case.unit,
                measured.signature
            );
        }
    }
}
