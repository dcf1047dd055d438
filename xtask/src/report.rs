//! The page `docs/benchmarks.md`.

use std::fmt::Write;

/// The measurement of one benchmark.
#[derive(Clone)]
pub(crate) struct Row {
    pub(crate) case: String,
    pub(crate) about: String,
    pub(crate) unit: String,
    /// Units of work in one pass.
    pub(crate) units: f64,
    /// Units per CPU second.
    pub(crate) rate: f64,
    /// Effective clock of the thread, in GHz.
    pub(crate) clock: f64,
    pub(crate) target: Option<f64>,
    /// Other programs, and their units per CPU second.
    pub(crate) peers: Vec<(String, f64)>,
    pub(crate) signature: String,
    /// Instructions per unit, if they were counted.
    pub(crate) instructions: Option<f64>,
    /// Whether the case only runs by name.
    pub(crate) is_long: bool,
}

/// Processor and compiler of the measurement.
pub(crate) struct Machine {
    pub(crate) cpu: String,
    pub(crate) rustc: String,
}

const INTRO: &str = "\
# Benchmarks

Written by `cargo xtask bench`; do not edit by hand.

Each case is a fixed amount of work on one thread.
The rate is units of work per CPU second of that thread, in the fastest of four passes (one pass for cases that take minutes), because other work on the machine only slows a pass down.
Instructions are counted by valgrind over one pass, without those of the program around it.
They depend only on the build, not on the load of the machine.
`palestra bench` runs the same cases without the instruction counts, and so does `cargo bench`.
The cases run the players, matches and solvers of the program itself, not copies compiled for the benchmark.
";

const PEERS: &str = "\
The rates of other programs were recorded on a similar machine at about 3.6 GHz, in a separate run.
A ratio of 2× means that Palestra is twice as fast.
";

const OTHER_SOLVERS: &str = "\
## Other solvers

Figures that other exact solvers publish, on their own machines and positions; none was measured in this run.

| solver | task | figure |
| --- | --- | --- |
| BitBully 0.0.79 | Connect 4, empty board | 197.5 s on a laptop of 2012, on which Pons' solver takes 386 s |
| connect-four-ai 1.0.0 | Connect 4, mean of a position without a book: middle-medium, begin-medium, begin-hard | 2.87 ms, 87.3 ms, 5.09 s; with a book of 12 plies 1.40 ms for begin-hard |
| Fhourstones | the same sets, won, drawn or lost only | 1.70 ms, 80.6 ms, 5.58 s |
| Steininger's c4 | Connect 4, empty board, all threads, 1 GB | 3 s |
| Kalah with databases (Rawlings 2015) | 6 holes, 4 seeds | a fraction of a second with 39 GB of precomputed tables |
";

const SIGNATURES: &str = "\
## Signatures

A signature is a digest of the results of a case: the same in every pass and on every machine.
An optimization must not change it; another signature means other play.
";

/// The page: this build, and the comparison with another build if there is one.
pub(crate) fn markdown(rows: &[Row], before: Option<&[Row]>, machine: &Machine) -> String {
    let mut text = format!("{INTRO}\nMeasured on {}, with {}.\n", machine.cpu, machine.rustc);
    let clock = rows.iter().map(|row| row.clock).fold(0.0, f64::max);
    let _ = writeln!(
        text,
        "Effective clock of the thread: {clock:.1} GHz, measured with a chain of dependent operations."
    );
    if rows.iter().all(|row| row.instructions.is_none()) {
        text.push_str("Instructions were not counted in this run.\n");
    }
    text.push_str("\n| case | work | per CPU second | target | instructions | other programs (ratio) |\n");
    text.push_str("| --- | --- | ---: | ---: | ---: | --- |\n");
    for row in rows {
        let target = row.target.map_or("–".to_owned(), short);
        let count = row.instructions.map_or("–".to_owned(), |count| format!("{} per unit", short(count)));
        let peer =
            |(name, rate): &(String, f64)| format!("{name} {} ({}×)", short(*rate), ratio(row.rate / rate));
        let peers = row.peers.iter().map(peer).collect::<Vec<_>>().join("<br>");
        let peers = if peers.is_empty() { "–".to_owned() } else { peers };
        let _ = writeln!(
            text,
            "| `{}` | {} | {} {} | {target} | {count} | {peers} |",
            row.case,
            row.about,
            short(row.rate),
            row.unit
        );
    }
    let _ = write!(text, "\n{PEERS}\n{OTHER_SOLVERS}");
    if let Some(before) = before {
        text.push_str(&comparison(rows, before));
    }
    let _ = write!(text, "\n{SIGNATURES}\n| case | units in a pass | signature |\n| --- | ---: | --- |\n");
    for row in rows {
        let _ = writeln!(text, "| `{}` | {:.0} {} | `{}` |", row.case, row.units, row.unit, row.signature);
    }
    text
}

/// The comparison of another build with this one.
fn comparison(rows: &[Row], before: &[Row]) -> String {
    let mut text = String::from(
        "\n## Against another build\n\n\
         The two builds were measured alternately in the same run.\n\
         A ratio above 1 is a faster build, or one with fewer instructions.\n\n\
         | case | rate before | rate now | ratio | instructions before | now | ratio |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for row in rows {
        let Some(old) = before.iter().find(|old| old.case == row.case) else { continue };
        let counts = old.instructions.zip(row.instructions).map_or_else(
            || "– | – | –".to_owned(),
            |(old, new)| format!("{} | {} | {:.2}", short(old), short(new), old / new),
        );
        let same = if old.signature == row.signature { "" } else { " (plays differently)" };
        let _ = writeln!(
            text,
            "| `{}`{same} | {} | {} | {:.2} | {counts} |",
            row.case,
            short(old.rate),
            short(row.rate),
            row.rate / old.rate
        );
    }
    text
}

/// A number with three digits, the precision of a measurement.
fn short(value: f64) -> String {
    let (scaled, suffix) = match value {
        v if v >= 1e6 => (v / 1e6, " M"),
        v if v >= 1e4 => (v / 1e3, " k"),
        v => (v, ""),
    };
    let digits = if scaled >= 100.0 {
        0
    } else if scaled >= 10.0 {
        1
    } else if scaled >= 0.1 {
        2
    } else {
        4
    };
    let text = format!("{scaled:.digits$}");
    let text = if digits > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}{suffix}")
}

fn ratio(value: f64) -> String {
    if value >= 10.0 { format!("{value:.0}") } else { format!("{value:.1}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_three_digits() {
        for (value, expected) in [
            (12.0, "12"),
            (0.5, "0.5"),
            (0.0043, "0.0043"),
            (1713.0, "1713"),
            (20_634.0, "20.6 k"),
            (515_000.0, "515 k"),
            (4e6, "4 M"),
            (291e6, "291 M"),
        ] {
            assert_eq!(short(value), expected);
        }
    }

    #[test]
    fn a_page_names_every_case_and_every_peer() {
        let row = |case: &str, peers: &[(&str, f64)], instructions| Row {
            case: case.to_owned(),
            about: "random games".to_owned(),
            unit: "games".to_owned(),
            units: 1000.0,
            rate: 6e6,
            clock: 3.21,
            target: Some(4e6),
            peers: peers.iter().map(|&(name, rate)| (name.to_owned(), rate)).collect(),
            signature: "00ff".to_owned(),
            instructions,
            is_long: false,
        };
        let machine = Machine { cpu: "a processor".to_owned(), rustc: "rustc 1.95".to_owned() };
        let rows = [row("playouts", &[("x", 3e6), ("y", 0.1e6)], Some(321.4))];
        let before = [Row { rate: 3e6, instructions: Some(642.8), ..rows[0].clone() }];
        let text = markdown(&rows, Some(&before), &machine);
        assert!(text.contains("| `playouts` | 3 M | 6 M | 2.00 | 643 | 321 | 2.00 |"), "{text}");
        assert!(text.contains("Measured on a processor, with rustc 1.95."));
        assert!(text.contains("thread: 3.2 GHz"));
        assert!(text.contains(
            "| `playouts` | random games | 6 M games | 4 M | 321 per unit | x 3 M (2.0×)<br>y 100 k (60×) |"
        ));
        assert!(text.contains("| `playouts` | 1000 games | `00ff` |"));
        assert!(!text.contains("not counted"));
        assert!(markdown(&[row("perft", &[], None)], None, &machine).contains("not counted"));
    }
}
