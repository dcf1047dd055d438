use super::swiss::pairing::pair_up;
use super::toy::{ToyRunner, ToyStore, entrants, terms};
use super::*;
use crate::driver::{TournamentDriver, TournamentEnd, TournamentProgress};
use crate::results::TournamentResults;
use crate::standings::{Ranking, RankingCriteria, TieBreak};
use crate::starts::StageBoards;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};

pub(super) fn setup(n: usize, rules: FormatOptions) -> FormatSetup {
    let boards = StageBoards::Listed(vec!["toy:1".to_owned(), "toy:2".to_owned(), "toy:3".to_owned()]);
    FormatSetup {
        field: (0..n).collect(),
        ladder: Vec::new(),
        starts: StartSchedule::plain(boards, 2, rules.games, Seed(7)),
        points: PointSystem::default(),
        options: rules,
        stage: 0,
        seed: Seed(9),
    }
}

pub(super) struct NoWatch;
impl TournamentProgress for NoWatch {}

/// Says stop after so many questions.
struct Stopper(AtomicU64);

impl TournamentProgress for Stopper {
    fn go_on(&self) -> bool {
        self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok()
    }
}

pub(super) fn drive(
    format: &mut dyn Format,
    venue: &ToyRunner,
    book: &ToyStore,
    watch: &dyn TournamentProgress,
) -> (TournamentEnd, TournamentResults) {
    let n = venue.strengths.len();
    let mut results = TournamentResults::new(n, Some(3));
    let (entrants, terms) = (entrants(n), terms());
    let driver = TournamentDriver {
        entrants: &entrants,
        conditions: &terms,
        runner: venue,
        store: book,
        progress: watch,
    };
    let outcome = driver.run(format, &mut results).unwrap();
    (outcome, results)
}

pub(super) fn play(name: &str, setup: FormatSetup, venue: &ToyRunner) -> TournamentResults {
    let mut format = (format_named(name).unwrap().open)(setup);
    let (outcome, results) = drive(&mut *format, venue, &ToyStore::default(), &NoWatch);
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

/// How often each two met, in each round.
pub(super) fn meetings(results: &TournamentResults) -> BTreeMap<[usize; 2], Vec<u32>> {
    let mut met: BTreeMap<[usize; 2], Vec<u32>> = BTreeMap::new();
    for meeting in results.pair_results() {
        let [a, b] = meeting.pairing.players;
        assert_ne!(a, b);
        met.entry([a.min(b), a.max(b)]).or_default().push(meeting.pairing.round);
    }
    met
}

/// All encounters of a round are on the same scenes, and no scene is shared by rounds.
pub(super) fn check_scenes(results: &TournamentResults, per_round: usize) {
    let mut scenes: BTreeMap<u32, BTreeSet<_>> = BTreeMap::new();
    for meeting in results.pair_results() {
        scenes.entry(meeting.pairing.round).or_default().insert(meeting.pairing.scene.clone());
    }
    assert!(scenes.values().all(|scenes| scenes.len() <= per_round), "{scenes:?}");
    let all: BTreeSet<_> = scenes.values().flatten().collect();
    assert_eq!(all.len(), scenes.values().map(BTreeSet::len).sum::<usize>());
    for (round, scenes) in &scenes {
        let board = format!("toy:{}", 1 + round % 3);
        assert!(scenes.iter().all(|scene| scene.game == board));
    }
}

pub(super) fn check_numbers(results: &TournamentResults) {
    assert!((0..).zip(results.pair_results()).all(|(number, meeting)| meeting.pairing.number == number));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn round_robin_lets_all_meet_all(n in 2usize..12, cycles in 1u32..4, games in 1u32..3, single: bool) {
        let rules = FormatOptions { cycles, games, single, ..FormatOptions::default() };
        let estimate = (INFO_ROUND_ROBIN.open)(setup(n, rules)).estimate(&TournamentResults::new(n, None));
        let results = play("round-robin", setup(n, rules), &ToyRunner::by_index(n));
        let met = meetings(&results);
        prop_assert_eq!(met.len(), n * (n - 1) / 2);
        prop_assert!(met.values().all(|rounds| rounds.len() as u32 == cycles * games));
        check_scenes(&results, games as usize);
        check_numbers(&results);
        prop_assert_eq!(results.games().count() as u64, estimate);
        // Sides: exactly even in pairs, and as even as can be in single games.
        let mut firsts = vec![0i32; n];
        for game in results.games() {
            firsts[game.seats[0]] += 1;
            firsts[game.seats[1]] -= 1;
        }
        let most = if single { 1 } else { 0 };
        prop_assert!(firsts.iter().all(|lead| lead.abs() <= most), "{:?}", firsts);
        prop_assert_eq!(ranked(&results).order, (0..n).collect::<Vec<_>>());
    }

    #[test]
    fn swiss_has_no_rematch_and_no_second_bye(n in 2usize..40, rounds in 1u32..8, luck in 0.0..30.0f64, single: bool) {
        let rules = FormatOptions { rounds, single, ..FormatOptions::default() };
        let venue = ToyRunner { luck, ..ToyRunner::by_index(n) };
        let results = play("swiss", setup(n, rules), &venue);
        check_scenes(&results, 1);
        check_numbers(&results);
        prop_assert_eq!(results.pair_results().len(), n / 2 * rounds as usize);
        // Everybody plays or sits out in every round.
        prop_assert_eq!(results.given_byes().len(), n % 2 * rounds as usize);
        let most = n - 1 + n % 2;
        if rounds as usize <= most / 2 + 1 {
            prop_assert!(meetings(&results).values().all(|rounds| rounds.len() == 1));
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

    /// As many rounds as there are rivals: the last rounds leave hardly a choice.
    #[test]
    fn small_swiss_is_paired_to_the_last_round(half in 1usize..5, odd: bool, luck in 0.0..30.0f64) {
        let n = 2 * half - usize::from(odd);
        let rounds = 2 * half as u32 - 1;
        let rules = FormatOptions { rounds, ..FormatOptions::default() };
        let venue = ToyRunner { luck, ..ToyRunner::by_index(n) };
        let results = play("swiss", setup(n, rules), &venue);
        if n > 1 {
            let met = meetings(&results);
            prop_assert_eq!(met.len(), n * (n - 1) / 2);
            prop_assert!(met.values().all(|rounds| rounds.len() == 1));
        }
    }

    /// Whatever has been met before, a rematch happens only where no pairing avoids it.
    #[test]
    fn rematches_only_where_there_is_no_other_way(n in 2usize..9, seed: u64, density in 0.0..1.0f64) {
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
    fn a_knockout_is_won_by_the_best(n in 1usize..20, games in 1u32..3, luck in 0.0..0.5f64) {
        let rules = FormatOptions { games, ..FormatOptions::default() };
        let venue = ToyRunner { luck, ..ToyRunner::by_index(n) };
        let mut format = (format_named("knockout").unwrap().open)(setup(n, rules));
        let (outcome, results) = drive(&mut *format, &venue, &ToyStore::default(), &NoWatch);
        prop_assert_eq!(outcome, TournamentEnd::Finished);
        check_scenes(&results, 3);
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
        // Places count those before them.
        for (i, place) in places.iter().enumerate() {
            prop_assert!(*place as usize <= i + 1);
        }
    }

    /// Called off again and again, every event ends in the same results.
    #[test]
    fn interruptions_change_nothing(
        format in 0usize..FORMATS.len(),
        n in 3usize..9,
        seed: u64,
        broken in proptest::option::of(0usize..3),
    ) {
        let info = &FORMATS[format];
        let rules = FormatOptions { rounds: 4, cycles: 2, games: 2, budget: Some(80), ..FormatOptions::default() };
        let venue = ToyRunner { luck: 4.0, broken: broken.into_iter().collect(), ..ToyRunner::by_index(n) };
        let fresh = || (info.open)(FormatSetup { ladder: vec![n - 1, n - 2], ..setup(n, rules) });
        let alone = ToyRunner { parallel: false, strengths: venue.strengths.clone(), broken: venue.broken.clone(), ..venue };
        let (_, at_once) = drive(&mut *fresh(), &alone, &ToyStore::default(), &NoWatch);
        let book = ToyStore::default();
        for attempt in 0.. {
            let patience = 1 + Seed(seed).child(attempt).0 % 12;
            let (outcome, results) = drive(&mut *fresh(), &venue, &book, &Stopper(AtomicU64::new(patience)));
            if outcome == TournamentEnd::Finished {
                prop_assert_eq!(&results, &at_once);
                break;
            }
            prop_assert!(attempt < 2000);
        }
    }

    /// The table of the others is the same with and without somebody who fails all the time.
    #[test]
    fn the_broken_change_nothing(n in 2usize..7, luck in 0.0..6.0f64, gauntlet: bool) {
        let rules = FormatOptions { cycles: 2, ..FormatOptions::default() };
        let name = if gauntlet { "gauntlet" } else { "round-robin" };
        let ladder = if gauntlet { vec![0] } else { Vec::new() };
        let venue = ToyRunner { luck, ..ToyRunner::by_index(n) };
        let honest = play(name, FormatSetup { ladder: ladder.clone(), ..setup(n, rules) }, &venue);
        let broken: Vec<usize> = (n..n + 3).collect();
        let venue = ToyRunner { luck, broken, ..ToyRunner::by_index(n + 3) };
        let all = play(name, FormatSetup { ladder, ..setup(n + 3, rules) }, &venue);
        let (a, b) = (ranked(&honest), ranked(&all));
        // Each of them has four games at least, all of them lost.
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
fn the_study_is_paired_quickly() {
    let n = 7776;
    let rules = FormatOptions { rounds: 6, ..FormatOptions::default() };
    let venue = ToyRunner { luck: 5000.0, ..ToyRunner::by_index(n) };
    let results = play("swiss", setup(n, rules), &venue);
    assert_eq!(results.pair_results().len(), n / 2 * 6);
    assert!(meetings(&results).values().all(|rounds| rounds.len() == 1));
}

/// Many who have met everybody near them: the pairs at the end have to be undone.
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
    let rules = FormatOptions { rounds: 3, ..FormatOptions::default() };
    let results = play("swiss", setup(8, rules), &ToyRunner::by_index(8));
    let rounds: Vec<Vec<[usize; 2]>> = (0..3)
        .map(|round| {
            let of_round = results.pair_results().iter().filter(|meeting| meeting.pairing.round == round);
            of_round.map(|meeting| meeting.pairing.players).collect()
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
        let venue = ToyRunner { strengths: strengths.to_vec(), ..ToyRunner::by_index(n) };
        let mut format = (format_named("king-of-the-hill").unwrap().open)(setup(n, FormatOptions::default()));
        let (_, results) = drive(&mut *format, &venue, &ToyStore::default(), &NoWatch);
        let played: Vec<[usize; 2]> =
            results.pair_results().iter().map(|meeting| meeting.pairing.players).collect();
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
        let format = (info.open)(FormatSetup { ladder: vec![0], ..setup(5, FormatOptions::default()) });
        assert!(format.describe().contains(" players"), "{}", format.describe());
    }
}
