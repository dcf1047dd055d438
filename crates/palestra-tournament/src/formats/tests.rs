use super::swiss::pairing::pair_up;
use super::toy::{ToyRunner, ToyStore, conditions, entrants};
use super::*;
use crate::driver::{TournamentDriver, TournamentEnd};
use crate::results::TournamentResults;
use crate::standings::{Ranking, RankingCriteria, TieBreak};
use crate::starts::StageBoards;
use palestra_core::Progress;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The values of a plan with these keys.
pub(super) fn values(format: &str, keys: &str) -> FormatValues {
    let mut section = palestra_settings::Document::parse(keys, "a test").unwrap();
    FormatValues::take(format_named(format).unwrap().keys, &mut section).unwrap()
}

pub(super) fn setup(n: usize, values: FormatValues) -> FormatSetup {
    let boards = StageBoards::Listed(vec!["toy:1".to_owned(), "toy:2".to_owned(), "toy:3".to_owned()]);
    FormatSetup {
        field: (0..n).collect(),
        ladder: Vec::new(),
        starts: StartSchedule::plain(boards, 2, values.pairs(), Seed(7)),
        points: PointSystem::default(),
        values,
        stage: 0,
        seed: Seed(9),
    }
}

pub(super) fn drive(
    format: &mut dyn Format,
    runner: &ToyRunner,
    store: &ToyStore,
    progress: &Progress,
) -> (TournamentEnd, TournamentResults) {
    let n = runner.strengths.len();
    let mut results = TournamentResults::new(n, Some(3));
    let (entrants, conditions) = (entrants(n), conditions());
    let (entrants, conditions) = (&entrants, &conditions);
    let driver = TournamentDriver { entrants, conditions, runner, store, progress, observer: &() };
    let outcome = driver.run(format, &mut results).unwrap();
    (outcome, results)
}

pub(super) fn play(name: &str, setup: FormatSetup, runner: &ToyRunner) -> TournamentResults {
    let mut format = (format_named(name).unwrap().open)(setup);
    let (outcome, results) = drive(&mut *format, runner, &ToyStore::default(), &Progress::default());
    assert_eq!(outcome, TournamentEnd::Finished);
    results
}

fn ranked(results: &TournamentResults) -> Ranking {
    let field: Vec<usize> = (0..results.n_entrants()).collect();
    let points = PointSystem::default();
    let tie_breaks = [TieBreak::Direct, TieBreak::SonnebornBerger, TieBreak::Buchholz];
    let criteria = RankingCriteria {
        field: &field,
        stage: 0,
        points: &points,
        tie_breaks: &tie_breaks,
        placing: None,
        ratings: None,
    };
    Ranking::of(results, &criteria)
}

/// The rounds in which each two entrants met.
pub(super) fn rounds_by_pair(results: &TournamentResults) -> BTreeMap<[usize; 2], Vec<u32>> {
    let mut met: BTreeMap<[usize; 2], Vec<u32>> = BTreeMap::new();
    for pair in results.pair_results() {
        let [a, b] = pair.pairing.players;
        assert_ne!(a, b);
        met.entry([a.min(b), a.max(b)]).or_default().push(pair.pairing.round);
    }
    met
}

/// All pairings of a round have the same start points, and no start point belongs to two rounds.
pub(super) fn check_starts(results: &TournamentResults, per_round: usize) {
    let mut starts: BTreeMap<u32, BTreeSet<_>> = BTreeMap::new();
    for pair in results.pair_results() {
        starts.entry(pair.pairing.round).or_default().insert(pair.pairing.start.clone());
    }
    assert!(starts.values().all(|starts| starts.len() <= per_round), "{starts:?}");
    let all: BTreeSet<_> = starts.values().flatten().collect();
    assert_eq!(all.len(), starts.values().map(BTreeSet::len).sum::<usize>());
    for (round, starts) in &starts {
        let board = format!("toy:{}", 1 + round % 3);
        assert!(starts.iter().all(|start| start.game == board));
    }
}

pub(super) fn check_numbers(results: &TournamentResults) {
    assert!((0..).zip(results.pair_results()).all(|(number, pair)| pair.pairing.number == number));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn each_two_meet_in_a_round_robin(n in 2usize..12, cycles in 1u32..4, pairs in 1u32..3, single: bool) {
        let keys = format!("cycles = {cycles}\npairs = {pairs}\nsingle = {single}");
        let values = values("round-robin", &keys);
        let estimate = (INFO_ROUND_ROBIN.open)(setup(n, values.clone())).estimate(&TournamentResults::new(n, None));
        let results = play("round-robin", setup(n, values.clone()), &ToyRunner::by_index(n));
        let met = rounds_by_pair(&results);
        prop_assert_eq!(met.len(), n * (n - 1) / 2);
        prop_assert!(met.values().all(|rounds| rounds.len() as u32 == cycles * pairs));
        check_starts(&results, pairs as usize);
        check_numbers(&results);
        prop_assert_eq!(results.games().count() as u64, estimate);
        // Sides are balanced exactly in pairs, and to within one game in single games.
        let mut firsts = vec![0i32; n];
        for game in results.games() {
            firsts[game.seats[0]] += 1;
            firsts[game.seats[1]] -= 1;
        }
        let max_lead = if single { 1 } else { 0 };
        prop_assert!(firsts.iter().all(|lead| lead.abs() <= max_lead), "{:?}", firsts);
        prop_assert_eq!(ranked(&results).order, (0..n).collect::<Vec<_>>());
    }

    #[test]
    fn swiss_has_no_rematch_and_no_second_bye(n in 2usize..40, rounds in 1u32..8, luck in 0.0..30.0f64, single: bool) {
        let values = values("swiss", &format!("rounds = {rounds}\nsingle = {single}"));
        let runner = ToyRunner { luck, ..ToyRunner::by_index(n) };
        let results = play("swiss", setup(n, values.clone()), &runner);
        check_starts(&results, 1);
        check_numbers(&results);
        prop_assert_eq!(results.pair_results().len(), n / 2 * rounds as usize);
        // Every entrant plays or has a bye in every round.
        prop_assert_eq!(results.given_byes().len(), n % 2 * rounds as usize);
        let max_rounds = n - 1 + n % 2;
        if rounds as usize <= max_rounds / 2 + 1 {
            prop_assert!(rounds_by_pair(&results).values().all(|rounds| rounds.len() == 1));
            let sat_out: BTreeSet<usize> = results.given_byes().iter().map(|bye| bye.player).collect();
            prop_assert_eq!(sat_out.len(), results.given_byes().len());
        }
        if single {
            let mut firsts = vec![0i32; n];
            for game in results.games() {
                firsts[game.seats[0]] += 1;
                firsts[game.seats[1]] -= 1;
            }
            prop_assert!(firsts.iter().all(|lead| lead.abs() <= 3), "{:?}", firsts);
        }
    }

    /// As many rounds as opponents: in the last rounds there is hardly a choice.
    #[test]
    fn small_swiss_is_paired_to_the_last_round(half in 1usize..5, odd: bool, luck in 0.0..30.0f64) {
        let n = 2 * half - usize::from(odd);
        let rounds = 2 * half as u32 - 1;
        let values = values("swiss", &format!("rounds = {rounds}"));
        let runner = ToyRunner { luck, ..ToyRunner::by_index(n) };
        let results = play("swiss", setup(n, values.clone()), &runner);
        if n > 1 {
            let met = rounds_by_pair(&results);
            prop_assert_eq!(met.len(), n * (n - 1) / 2);
            prop_assert!(met.values().all(|rounds| rounds.len() == 1));
        }
    }

    /// A rematch happens only if no pairing avoids it.
    #[test]
    fn rematches_only_where_they_are_unavoidable(n in 2usize..9, seed: u64, density in 0.0..1.0f64) {
        let mut met = vec![Vec::new(); n];
        for a in 0..n {
            for b in a + 1..n {
                if (Seed(seed).child((a * 20 + b) as u64).0 as f64) < density * u64::MAX as f64 {
                    met[a].push(b);
                    met[b].push(a);
                }
            }
        }
        let round = pair_up(met.clone(), &[], 1);
        let n_again = round.pairs.iter().filter(|pair| met[pair[0]].contains(&pair[1])).count();
        prop_assert_eq!(n_again, fewest_rematches(&met, (1 << n) - 1, n % 2 == 1));
        let mut all: Vec<usize> = round.pairs.iter().flatten().copied().chain(round.bye).collect();
        all.sort_unstable();
        prop_assert_eq!(all, (0..n).collect::<Vec<_>>());
    }

    #[test]
    fn a_knockout_is_won_by_the_best(n in 1usize..20, pairs in 1u32..3, luck in 0.0..0.5f64) {
        let values = values("knockout", &format!("pairs = {pairs}"));
        let runner = ToyRunner { luck, ..ToyRunner::by_index(n) };
        let mut format = (format_named("knockout").unwrap().open)(setup(n, values.clone()));
        let (outcome, results) = drive(&mut *format, &runner, &ToyStore::default(), &Progress::default());
        prop_assert_eq!(outcome, TournamentEnd::Finished);
        check_starts(&results, 3);
        check_numbers(&results);
        let placing = format.placing(&results).unwrap();
        prop_assert_eq!(placing.len(), n);
        let places: Vec<u32> = placing.iter().map(|placing| placing.place).collect();
        let players: Vec<usize> = placing.iter().map(|placing| placing.player).collect();
        if n >= 4 && luck < 0.1 {
            prop_assert_eq!(&players[..4], [0, 1, 2, 3]);
            prop_assert_eq!(&places[..4], [1, 2, 3, 4]);
        }
        prop_assert!(places.is_sorted() && places[0] == 1);
        prop_assert_eq!(players.iter().collect::<BTreeSet<_>>().len(), n);
        // A place is at most one more than the number of entrants before it.
        for (i, place) in places.iter().enumerate() {
            prop_assert!(*place as usize <= i + 1);
        }
    }

    /// An event that is cancelled and resumed many times ends with the same results.
    #[test]
    fn interruptions_change_nothing(
        format in 0usize..FORMATS.len(),
        n in 3usize..9,
        seed: u64,
        broken in proptest::option::of(0usize..3),
    ) {
        let info = &FORMATS[format];
        let all = [("rounds", 4), ("cycles", 2), ("pairs", 2), ("budget", 80)];
        let own = all.iter().filter(|(key, _)| info.keys.iter().any(|own| own.name == *key));
        let keys: String = own.map(|(key, value)| format!("{key} = {value}\n")).collect();
        let values = values(info.name, &keys);
        let runner = ToyRunner { luck: 4.0, broken: broken.into_iter().collect(), ..ToyRunner::by_index(n) };
        let fresh = || (info.open)(FormatSetup { ladder: vec![n - 1, n - 2], ..setup(n, values.clone()) });
        let sequential = ToyRunner { parallel: false, strengths: runner.strengths.clone(), broken: runner.broken.clone(), ..runner };
        let (_, at_once) = drive(&mut *fresh(), &sequential, &ToyStore::default(), &Progress::default());
        let store = ToyStore::default();
        for attempt in 0.. {
            // Each attempt may have a few games more than the one before.
            let limit = 1 + 3 * attempt + Seed(seed).child(attempt).0 % 12;
            let progress = Progress::default().with_limit(limit);
            let (outcome, results) = drive(&mut *fresh(), &runner, &store, &progress);
            if outcome == TournamentEnd::Finished {
                prop_assert_eq!(&results, &at_once);
                break;
            }
            prop_assert!(attempt < 2000);
        }
    }

    /// The table of the others is the same with and without entrants that forfeit every game.
    #[test]
    fn broken_entrants_change_nothing(n in 2usize..7, luck in 0.0..6.0f64, gauntlet: bool) {
        let values = values("gauntlet", "cycles = 2");
        let name = if gauntlet { "gauntlet" } else { "round-robin" };
        let ladder = if gauntlet { vec![0] } else { Vec::new() };
        let runner = ToyRunner { luck, ..ToyRunner::by_index(n) };
        let honest = play(name, FormatSetup { ladder: ladder.clone(), ..setup(n, values.clone()) }, &runner);
        let broken: Vec<usize> = (n..n + 3).collect();
        let runner = ToyRunner { luck, broken, ..ToyRunner::by_index(n + 3) };
        let all = play(name, FormatSetup { ladder, ..setup(n + 3, values) }, &runner);
        let (a, b) = (ranked(&honest), ranked(&all));
        // Each of the broken entrants has at least four games, all lost, and so is quarantined.
        prop_assert_eq!(&a.points[..], &b.points[..n]);
        prop_assert_eq!(&a.ranks[..], &b.ranks[..n]);
        prop_assert_eq!(&a.sonneborn_berger[..], &b.sonneborn_berger[..n]);
        prop_assert!(b.ranks[n..].iter().all(Option::is_none));
        prop_assert_eq!(&a.order[..], &b.order[..n]);
    }
}

static INFO_ROUND_ROBIN: &FormatInfo = &super::round_robin::INFO;

/// The fewest pairs that meet again in any pairing, by trying all.
fn fewest_rematches(met: &[Vec<usize>], free: u32, bye: bool) -> usize {
    if free == 0 {
        return 0;
    }
    let a = free.trailing_zeros() as usize;
    let rest = free & !(1 << a);
    let partners = (0..met.len()).filter(|b| rest >> b & 1 == 1);
    let paired = partners
        .map(|b| usize::from(met[a].contains(&b)) + fewest_rematches(met, rest & !(1 << b), bye))
        .min()
        .unwrap_or(usize::MAX);
    if bye { paired.min(fewest_rematches(met, rest, false)) } else { paired }
}

#[test]
fn a_swiss_of_7776_players_is_paired_quickly() {
    let n = 7776;
    let values = values("swiss", "rounds = 6");
    let runner = ToyRunner { luck: 5000.0, ..ToyRunner::by_index(n) };
    let results = play("swiss", setup(n, values.clone()), &runner);
    assert_eq!(results.pair_results().len(), n / 2 * 6);
    assert!(rounds_by_pair(&results).values().all(|rounds| rounds.len() == 1));
}

/// The last places have all met each other: the last pairs have to be undone.
#[test]
fn large_fields_end_without_a_rematch() {
    for n in [40usize, 401, 2000] {
        // The last twelve have all met.
        let mut met = vec![Vec::new(); n];
        for a in n - 12..n {
            met[a] = (n - 12..n).filter(|&b| b != a).collect();
        }
        let round = pair_up(met.clone(), &[], 1);
        assert_eq!(round.pairs.len(), n / 2);
        assert!(round.pairs.iter().all(|pair| !met[pair[0]].contains(&pair[1])));
    }
}

#[test]
fn nearest_scores_meet() {
    let values = values("swiss", "rounds = 3");
    let results = play("swiss", setup(8, values), &ToyRunner::by_index(8));
    let rounds: Vec<Vec<[usize; 2]>> = (0..3)
        .map(|round| {
            let of_round = results.pair_results().iter().filter(|pair| pair.pairing.round == round);
            of_round.map(|pair| pair.pairing.players).collect()
        })
        .collect();
    assert_eq!(rounds[0], [[0, 1], [2, 3], [4, 5], [6, 7]]);
    assert_eq!(rounds[1], [[0, 2], [4, 6], [1, 3], [5, 7]]);
    assert_eq!(rounds[2], [[0, 4], [1, 2], [5, 6], [3, 7]]);
}

#[test]
fn a_king_stays_until_beaten() {
    let check = |strengths: &[f64], matches: &[[usize; 2]], places: &[(usize, u32)]| {
        let n = strengths.len();
        let runner = ToyRunner { strengths: strengths.to_vec(), ..ToyRunner::by_index(n) };
        let mut format = (format_named("king-of-the-hill").unwrap().open)(setup(n, FormatValues::default()));
        let (_, results) = drive(&mut *format, &runner, &ToyStore::default(), &Progress::default());
        let played: Vec<[usize; 2]> =
            results.pair_results().iter().map(|pair| pair.pairing.players).collect();
        assert_eq!(played, matches);
        let placing: Vec<(usize, u32)> =
            format.placing(&results).unwrap().iter().map(|placing| (placing.player, placing.place)).collect();
        assert_eq!(placing, places);
    };
    check(&[1.0, 3.0, 2.0, 3.0], &[[0, 1], [1, 2], [1, 3]], &[(1, 1), (0, 2), (2, 3), (3, 3)]);
    check(&[5.0, 1.0], &[[0, 1]], &[(0, 1), (1, 2)]);
    check(&[5.0], &[], &[(0, 1)]);
}

#[test]
fn formats_are_in_order_and_describe_themselves() {
    assert!(FORMATS.is_sorted_by(|a, b| a.name < b.name));
    for info in FORMATS {
        let format = (info.open)(FormatSetup { ladder: vec![0], ..setup(5, FormatValues::default()) });
        assert!(format.describe().contains(" players"), "{}", format.describe());
    }
}

/// The table of the documentation has every format with its keys.
#[test]
fn formats_are_documented() {
    let docs = include_str!("../../../../docs/tournaments.md");
    for info in FORMATS {
        let row = docs.lines().find(|line| line.starts_with(&format!("| `{}` |", info.name))).unwrap();
        for key in info.keys {
            assert!(row.contains(&format!("`{}`", key.name)), "{} of {}", key.name, info.name);
        }
    }
}

/// Keys of the same name mean the same in all formats: an option of the command sets them.
#[test]
fn keys_of_one_name_are_alike() {
    for (key, formats) in all_keys() {
        let same = formats.iter().flat_map(|format| format.keys).filter(|other| other.name == key.name);
        assert!(same.into_iter().all(|other| other.kind == key.kind && other.bounds == key.bounds));
    }
}
