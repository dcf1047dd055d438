//! Hand-made records, and files with errors.

use super::*;

fn record(method: usize, seed: u32, start_elo: f64, elo: &[f64]) -> RunRecord {
    let (start, points) = (vec![0.0], vec![vec![1.0]; elo.len()]);
    RunRecord { method, seed, n_games: 1000, generations: 7, start, start_elo, points, elo: elo.to_vec() }
}

fn labels(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Five runs of three methods; records come in any order.
fn three_methods() -> MethodComparison {
    let mut records = Vec::new();
    for seed in (0..5).rev() {
        let s = f64::from(seed);
        records.push(record(0, seed, -20.0, &[10.0 + s, 100.0 + s]));
        records.push(record(1, seed, -20.0, &[12.5 - s, 0.0 - s]));
        records.push(record(2, seed, -20.0, &[30.0 * (s - 2.0), 33.0 - s]));
    }
    MethodComparison::of(&labels(&["fast", "slow", "wild"]), &[100, 400], 50.0, &records)
}

#[test]
fn curves_have_quartiles_and_shares() {
    let comparison = three_methods();
    assert_eq!((comparison.start_elo, comparison.target_elo), (-20.0, 30.0));
    let [fast, slow, wild] = &comparison.methods[..] else { panic!("three methods") };
    assert_eq!(fast.at[0].elo, [10.0, 11.0, 12.0, 13.0, 14.0]);
    assert_eq!(fast.at[0].quartiles, [11.0, 12.0, 13.0]);
    assert_eq!(fast.at[1].quartiles, [101.0, 102.0, 103.0]);
    assert_eq!(fast.at.iter().map(|at| at.share_reached).collect::<Vec<_>>(), [0.0, 1.0]);
    assert_eq!(fast.reached, [(400, 1.0)]);
    assert_eq!(slow.at[1].quartiles, [-3.0, -2.0, -1.0]);
    assert!(slow.reached.is_empty());
    // 60 and 30 at first; later 33 to 30, and 29 for the run that had 60, which stays counted.
    assert_eq!(wild.reached, [(100, 0.4), (400, 1.0)]);
}

#[test]
fn different_starts_have_a_median() {
    let records = [record(0, 0, -100.0, &[0.0]), record(0, 1, 0.0, &[0.0]), record(0, 2, 10.0, &[0.0])];
    let comparison = MethodComparison::of(&labels(&["a"]), &[5], 25.0, &records);
    assert_eq!((comparison.start_elo, comparison.target_elo), (0.0, 25.0));
    assert!(comparison.differences.is_empty() && comparison.sentences().is_empty());
}

#[test]
fn pairs_are_tested_and_corrected_at_each_checkpoint() {
    let comparison = three_methods();
    assert_eq!(comparison.differences.len(), 6);
    let late: Vec<&MethodDifference> = comparison.differences.iter().filter(|d| d.games == 400).collect();
    // Five against five without overlap: 2 of 252 orders are as extreme.
    let extreme = 2.0 / 252.0;
    for difference in &late {
        assert!((difference.p - extreme).abs() < 1e-12, "{difference:?}");
        // Holm: the smallest of three times 3, and no later one below it.
        assert!((difference.p_corrected - 3.0 * extreme).abs() < 1e-12, "{difference:?}");
    }
    assert_eq!(late.iter().map(|d| d.superiority).collect::<Vec<_>>(), [1.0, 1.0, 0.0]);
    assert_eq!(
        comparison.sentences(),
        [
            "at 100 games: none of the 3 differences is significant",
            "at 400 games: fast is better than slow (p = 0.024); fast is better than wild (p = 0.024); \
             wild is better than slow (p = 0.024)",
        ]
    );
}

#[test]
fn sentences_count_the_rest() {
    let difference = |a: &str, b: &str, superiority, p_corrected| MethodDifference {
        games: 10_000,
        a: a.to_owned(),
        b: b.to_owned(),
        superiority,
        p: p_corrected,
        p_corrected,
    };
    let sentences_of = |differences: Vec<MethodDifference>| {
        let comparison =
            MethodComparison { start_elo: 0.0, target_elo: 0.0, methods: Vec::new(), differences };
        comparison.sentences().join("\n")
    };
    assert_eq!(
        sentences_of(vec![difference("ga", "spsa", 0.1, 0.0001), difference("ga", "cmaes", 0.4, 0.05)]),
        "at 10k games: spsa is better than ga (p < 0.001); the other pair does not differ significantly"
    );
    assert_eq!(
        sentences_of(vec![difference("a", "b", 0.9, 0.2)]),
        "at 10k games: the difference is not significant"
    );
}

#[test]
fn counts_are_short() {
    let cases = [(0, "0"), (200, "200"), (1000, "1k"), (1234, "1234"), (2500, "2.5k"), (100_000, "100k")];
    for (count, text) in cases.into_iter().chain([(1_250_000, "1.25M"), (3_000_000_000, "3G")]) {
        assert_eq!(short_count(count), text);
    }
}

mod files {
    use super::super::*;
    use crate::TuningResolver;
    use palestra_registry::GAMES;
    use palestra_settings::Document;

    const GOOD: &str = r#"game = "connect:4x4x3"
player = "greedy/lines"
opening_plies = 2
checkpoints = [200, "1k"]
[gauntlet]
opening_plies = 3
pairs = 4
[[methods]]
name = "spsa"
r = 0.03
[[methods]]
name = "coevolution"
label = "shared"
population = 4
pairs_per_match = 2
objective = { name = "parasites", n = 3 }
"#;

    fn read(text: &str) -> Result<ComparisonPlan, palestra_core::InputError> {
        let lookup = |player: &str| Ok(player.to_owned());
        let outside = TuningResolver { catalog: &GAMES, lookup: &lookup, methods: &[] };
        ComparisonPlan::read(Document::parse(text, "file.toml")?, &outside)
    }

    #[test]
    fn a_plan_round_trips() {
        let plan = read(GOOD).unwrap();
        assert_eq!((plan.n_seeds, &plan.checkpoints[..], plan.target), (20, &[200, 1000][..], 50.0));
        let labels: Vec<&str> = plan.methods.iter().map(|entry| &*entry.label).collect();
        // The control is added automatically.
        assert_eq!(labels, ["spsa", "shared", "random"]);
        assert_eq!(plan.n_runs(), 60);
        let text = plan.to_string();
        assert_eq!(read(&text).unwrap().to_string(), text);
        // It is small enough to have a recommendation at the first checkpoint: 8 points play 56 games, 16 would play
        // 240.
        assert!(text.ends_with("name = \"random\"\nlabel = \"random\"\npoints = 8\n"), "{text}");
    }

    #[test]
    fn runs_of_a_seed_share_start_and_seed() {
        let plan = read(GOOD).unwrap();
        let [spsa, shared, other] = [plan.plan_of(0, 3), plan.plan_of(1, 3), plan.plan_of(0, 4)];
        assert_eq!((spsa.seed, &spsa.start), (shared.seed, &shared.start));
        assert_ne!((spsa.seed, &spsa.start), (other.seed, &other.start));
        assert_eq!((spsa.pairs, shared.pairs), (1, 2));
        assert_eq!((spsa.objective.name(), shared.objective.name()), ("league", "parasites"));
        assert_eq!((spsa.budget.games, shared.budget.games), (Some(1000), Some(1000)));
        let given = read(&format!("start = [1, 0, 0, 0, 0, 0]\n{GOOD}")).unwrap();
        assert_eq!(given.start_of(0), given.start_of(1));
        assert_eq!(given.plan_of(1, 1).start, Some(vec![1.0, 0.0, 0.0, 0.0, 0.0, 0.0]));
    }

    #[test]
    fn errors_name_the_location() {
        let change = |from: &str, to: &str| {
            assert!(GOOD.contains(from), "{from}");
            read(&GOOD.replacen(from, to, 1)).unwrap_err().to_string()
        };
        let cases = [
            (change("\"spsa\"", "\"spza\""), vec!["line 9, column 8", "did you mean \"spsa\"?"]),
            (change("r = 0.03", "alfa = 0.6"), vec!["line 10, column 1", "did you mean \"alpha\"?"]),
            (change("r = 0.03", "r = -1"), vec!["r in [methods] of file.toml (line 10, column 5)"]),
            (change("\"1k\"", "150"), vec!["line 4, column 21", "than at the previous checkpoint"]),
            (change("\"1k\"", "\"1q\""), vec!["line 4, column 21", "\"100k\""]),
            (change("[200, \"1k\"]", "[]"), vec!["line 4, column 15", "at least one number of games"]),
            (change("pairs = 4", "pears = 4"), vec!["line 7, column 1", "did you mean \"pairs\"?"]),
            (change("pairs = 4", "opponents = [\"nobody\"]"), vec!["line 7, column 14", "nobody"]),
            (change("pairs = 4", "opponents = []"), vec!["line 7, column 13", "at least one player"]),
            (change("label = \"shared\"", "label = \"spsa\""), vec!["line 13, column 9", "no other method"]),
            (
                change("[gauntlet]", "seads = 3\n[gauntlet]"),
                vec!["line 5, column 1", "did you mean \"seeds\"?"],
            ),
            (change("[gauntlet]", "method = \"ga\"\n[gauntlet]"), vec!["line 5, column 10", "[[methods]]"]),
            (
                change("[gauntlet]", "objective = \"chance\"\n[gauntlet]"),
                vec!["line 5", "an objective of games"],
            ),
            (change("population = 4", "population = 4000"), vec!["line 12, column 8", "first generation"]),
            (change("\"parasites\", n = 3", "\"accuracy\""), vec!["line 16", "an objective of games"]),
            (change("[[methods]]\nname = \"spsa\"\nr = 0.03\n", ""), vec!["1 method", "at least two"]),
        ];
        for (message, parts) in cases {
            for part in parts {
                assert!(message.contains(part), "{part} is not in: {message}");
            }
        }
        let grid = GOOD.replacen("opening_plies = 2", "opening_plies = 2\nfresh = \"match\"", 1);
        let grid = grid.replacen("\"spsa\"\nr = 0.03", "\"grid\"\nsteps = 2", 1).replacen("1k", "100k", 1);
        let message = read(&grid).unwrap_err().to_string();
        assert!(message.contains("line 4, column 9") && message.contains("points of a grid"), "{message}");
        let single = "game = \"connect4\"\nplayer = \"greedy/lines\"\nmethods = \"spsa\"\n";
        let message = read(single).unwrap_err().to_string();
        assert!(message.contains("line 3, column 11") && message.contains("[[methods]]"), "{message}");
        assert!(
            read("game = \"connect4\"\nplayer = \"greedy/lines\"\n")
                .unwrap_err()
                .to_string()
                .contains("0 methods")
        );
    }
}
