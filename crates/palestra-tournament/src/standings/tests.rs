use super::*;
use crate::pairing::{Bye, Pairing};
use palestra_arena::{Forfeit, StartPoint};
use std::sync::Arc;

fn record(winner: Option<Side>, moves: u64) -> GameRecord {
    let margin_points = winner.map_or(0.0, |side| if side == Side::First { 3.0 } else { -3.0 });
    GameRecord {
        winner,
        margin_points,
        reason: "end".to_owned(),
        moves: moves.to_string(),
        plies: 10,
        milliseconds: [5, 7],
        ..GameRecord::default()
    }
}

fn crash(culprit: Side) -> GameRecord {
    let forfeit = Forfeit { culprit, kind: "crash".to_owned(), detail: String::new() };
    GameRecord { forfeit: Some(forfeit), reason: "crash".to_owned(), ..record(Some(culprit.other()), 0) }
}

/// Adds a pairing: a single game, or a pair.
fn meet(results: &mut TournamentResults, players: [usize; 2], first: GameRecord, second: Option<GameRecord>) {
    let number = results.next_number();
    let pairing = Pairing {
        players,
        start: StartPoint { game: "toy".to_owned(), opening_plies: 0, seed: number },
        stage: 0,
        round: 0,
        number,
        single: second.is_none(),
        walkover: false,
    };
    results.add(pairing, [Some(Arc::new(first)), second.map(Arc::new)]);
}

fn entrants(names: &[&str]) -> Vec<Entrant> {
    names.iter().map(|name| Entrant { name: (*name).to_owned(), ..Entrant::default() }).collect()
}

fn standings(
    results: &TournamentResults,
    entrants: &[Entrant],
    tie_breaks: &[TieBreak],
    rate: bool,
) -> Standings {
    let field: Vec<usize> = (0..entrants.len()).collect();
    let points = PointSystem::default();
    let scope = StandingsInput {
        entrants,
        field: &field,
        stage: 0,
        points: &points,
        tie_breaks,
        placing: None,
        rate,
    };
    Standings::of(results, &scope)
}

const WIN: Option<Side> = Some(Side::First);
const LOSS: Option<Side> = Some(Side::Second);

/// A>B, B>C, C>A, A=D, B>D, C=D: points 1.5, 2, 1.5, 1; Sonneborn-Berger 2.5, 2.5, 2, 1.5.
#[test]
fn ties_are_broken() {
    let mut results = TournamentResults::new(4, None);
    for (i, (players, winner)) in
        [([0, 1], WIN), ([1, 2], WIN), ([2, 0], WIN), ([0, 3], None), ([1, 3], WIN), ([2, 3], None)]
            .into_iter()
            .enumerate()
    {
        meet(&mut results, players, record(winner, i as u64), None);
    }
    let entrants = entrants(&["A", "B", "C", "D"]);
    let check = |tie_breaks: &[TieBreak], order: [usize; 4], ranks: [u32; 4]| {
        let table = standings(&results, &entrants, tie_breaks, false);
        assert_eq!(table.rows.iter().map(|row| row.player).collect::<Vec<_>>(), order);
        assert_eq!(table.rows.iter().map(|row| row.rank.unwrap()).collect::<Vec<_>>(), ranks);
        let by_player = |value: fn(&PlayerStanding) -> f64| {
            let mut values: Vec<(usize, f64)> =
                table.rows.iter().map(|row| (row.player, value(row))).collect();
            values.sort_by_key(|(player, _)| *player);
            values.into_iter().map(|(_, value)| value).collect::<Vec<f64>>()
        };
        assert_eq!(by_player(|row| row.points), [1.5, 2.0, 1.5, 1.0]);
        assert_eq!(by_player(|row| row.sonneborn_berger), [2.5, 2.5, 2.0, 1.5]);
        assert_eq!(by_player(|row| row.buchholz), [4.5, 4.0, 4.5, 5.0]);
    };
    check(&[], [1, 0, 2, 3], [1, 2, 2, 4]);
    check(&[TieBreak::SonnebornBerger], [1, 0, 2, 3], [1, 2, 3, 4]);
    check(&[TieBreak::Direct], [1, 2, 0, 3], [1, 2, 3, 4]);
    check(&[TieBreak::Wins, TieBreak::Buchholz], [1, 0, 2, 3], [1, 2, 2, 4]);
}

/// The direct games count only if each two of the tied entrants have met.
#[test]
fn direct_games_count_only_if_all_have_met() {
    let mut results = TournamentResults::new(3, None);
    meet(&mut results, [0, 1], record(WIN, 1), None);
    meet(&mut results, [1, 0], record(WIN, 2), None);
    results.add_bye(Bye { player: 2, stage: 0, round: 0, n_games: 1 });
    let table = standings(&results, &entrants(&["A", "B", "C"]), &[TieBreak::Direct], false);
    assert!(table.rows.iter().all(|row| row.rank == Some(1) && row.points == 1.0));
    assert_eq!(table.rows[2].byes, 1);
}

#[test]
fn quarantine_follows_the_order_of_the_schedule() {
    let mut results = TournamentResults::new(3, Some(2));
    meet(&mut results, [0, 1], record(WIN, 1), Some(record(WIN, 2)));
    meet(&mut results, [0, 2], crash(Side::Second), Some(record(WIN, 3)));
    meet(&mut results, [1, 2], record(LOSS, 4), Some(crash(Side::First)));
    // Played before the quarantine was known, and dropped.
    meet(&mut results, [1, 2], crash(Side::Second), Some(crash(Side::Second)));
    assert_eq!((results.quarantined_at(2), results.failures(2), results.failures(1)), (Some(2), 2, 0));
    assert_eq!(results.pair_results()[3].games, [None, None]);
    let table = standings(&results, &entrants(&["A", "B", "C"]), &TieBreak::ALL, true);
    let row = |player: usize| table.rows.iter().find(|row| row.player == player).unwrap();
    assert_eq!([0, 1].map(|player| (row(player).points, row(player).rank)), [(1.0, Some(1)), (1.0, Some(1))]);
    assert_eq!(row(2).rank, None);
    assert_eq!(row(2).count(), WinDrawLoss::default());
    assert_eq!(row(2).forfeits, BTreeMap::from([("crash".to_owned(), 2)]));
    assert_eq!(row(0).count().games(), 2);
    assert_eq!(table.head_to_head(0, 2), None);
    assert!(
        table
            .notes()
            .contains(&"C is quarantined since pairing 2 (crash 2×): none of its games count".to_owned())
    );
    assert_eq!(table.ratings.as_ref().unwrap().players()[2].games, 0.0);
}

#[test]
fn walkovers_are_byes() {
    let mut results = TournamentResults::new(3, Some(1));
    meet(&mut results, [0, 1], crash(Side::Second), Some(record(WIN, 1)));
    assert_eq!(results.byes().count(), 0);
    let mut results = TournamentResults::new(3, Some(1));
    let start = StartPoint { game: "toy".to_owned(), opening_plies: 0, seed: 1 };
    let pairing =
        Pairing { players: [0, 1], start, stage: 0, round: 0, number: 0, single: false, walkover: true };
    results.add(pairing, [Some(Arc::new(crash(Side::Second))), None]);
    assert_eq!(results.byes().map(|bye| (bye.player, bye.n_games)).collect::<Vec<_>>(), [(0, 2)]);
    assert_eq!(results.points(&PointSystem::default(), 0), [2.0, 0.0, 0.0]);
    assert_eq!(results.points(&PointSystem::Margin, 0), [0.0; 3]);
}

#[test]
fn the_crosstable_is_seen_from_both_sides() {
    let mut results = TournamentResults::new(2, None);
    meet(&mut results, [0, 1], record(WIN, 1), Some(record(None, 2)));
    meet(&mut results, [0, 1], record(WIN, 1), Some(record(WIN, 3)));
    meet(&mut results, [0, 1], record(WIN, 1), Some(record(None, 2)));
    let table = standings(&results, &entrants(&["A", "B"]), &[], true);
    let of_a = table.head_to_head(0, 1).unwrap();
    assert_eq!(
        of_a.by_side,
        [WinDrawLoss { wins: 3, draws: 0, losses: 0 }, WinDrawLoss { wins: 0, draws: 2, losses: 1 }]
    );
    assert_eq!((of_a.points, of_a.pairs, of_a.repeats), ([4.0, 2.0], [0, 0, 1, 1, 0], 2));
    let of_b = table.head_to_head(1, 0).unwrap();
    assert_eq!(
        of_b.by_side,
        [WinDrawLoss { wins: 1, draws: 2, losses: 0 }, WinDrawLoss { wins: 0, draws: 0, losses: 3 }]
    );
    assert_eq!((of_b.points, of_b.pairs, of_b.reversed()), ([2.0, 4.0], [0, 1, 1, 0, 0], of_a));
    assert_eq!((table.duplicates.games, table.duplicates.effective_games), (6, 4));
    assert_eq!(table.first_side, WinDrawLoss { wins: 4, draws: 2, losses: 0 });
    assert_eq!(table.rows[0].milliseconds, 3 * (5 + 7));
    assert_eq!(table.ratings.as_ref().unwrap().players()[0].games, 4.0, "a repeated game is no new evidence");
    let sum = table.superiority(0, 1).unwrap() + table.superiority(1, 0).unwrap();
    assert!((sum - 1.0).abs() < 1e-9);
    assert!(table.notes().iter().any(|note| note.starts_with("only 4 of 6 games count as evidence")));
    // Between stochastic players an equal game is equal by chance, and counts.
    let mut stochastic = entrants(&["A", "B"]);
    stochastic[1].is_stochastic = true;
    let table = standings(&results, &stochastic, &[], true);
    assert_eq!(table.head_to_head(0, 1).unwrap().pairs, [0, 0, 1, 2, 0]);
    assert_eq!(table.ratings.unwrap().players()[0].games, 6.0);
}

#[test]
fn marks_are_given_with_confidence() {
    let mut results = TournamentResults::new(3, None);
    for i in 0..40 {
        // A beats the reference player nearly always, B half of the time.
        let lost = i % 10 == 0;
        let (first, second) = if lost { (LOSS, WIN) } else { (WIN, LOSS) };
        meet(&mut results, [0, 2], record(first, 4 * i), Some(record(second, 4 * i + 1)));
        let (first, second) = if i % 2 == 0 { (LOSS, WIN) } else { (WIN, LOSS) };
        meet(&mut results, [1, 2], record(first, 4 * i + 2), Some(record(second, 4 * i + 3)));
    }
    let table = standings(&results, &entrants(&["A", "B", "regular"]), &[], true);
    let mark = |confidence, grade| MarkThreshold { above: "regular".to_owned(), confidence, grade };
    let marks = [mark(0.3, 5.0), mark(0.97, 7.0), mark(1.1, 10.0)];
    let of_a = table.mark_of(0, &marks).unwrap();
    assert_eq!((of_a.mark, of_a.grade, of_a.sentence.as_str()), (1, 7.0, "above `regular` with 99.9 %"));
    let of_b = table.mark_of(1, &marks).unwrap();
    assert_eq!((of_b.grade, of_b.sentence.as_str()), (5.0, "above `regular` with 50 %"));
    assert_eq!(table.mark_of(2, &marks), None);
    assert!(table.sentences()[0].starts_with("A is better than "), "{:?}", table.sentences());
}

#[test]
fn cycles_are_reported() {
    let mut results = TournamentResults::new(3, None);
    for i in 0..10 {
        for players in [[0, 1], [1, 2], [2, 0]] {
            let number = results.next_number();
            meet(&mut results, players, record(WIN, 2 * number), Some(record(LOSS, 2 * number + 1)));
        }
        assert_eq!(results.next_number(), 3 * (i + 1));
    }
    let table = standings(&results, &entrants(&["rock", "scissors", "paper"]), &[], true);
    assert!(table.rows.iter().all(|row| row.rank == Some(1)));
    let note = table.cycle_warning().unwrap();
    assert!(note.contains("rock beats scissors, scissors beats paper, paper beats rock"), "{note}");
    assert!(table.notes().contains(&note));
    assert_eq!(table.superiorities(&[0, 1])[0][0], None);
}

/// The ladder is shown and not ranked.
#[test]
fn the_ladder_comes_last() {
    let mut results = TournamentResults::new(4, None);
    meet(&mut results, [0, 1], record(WIN, 1), Some(record(LOSS, 2)));
    meet(&mut results, [0, 2], record(WIN, 3), Some(record(WIN, 4)));
    let entrants = entrants(&["regular", "A", "B", "absent"]);
    let points = PointSystem::default();
    let scope = StandingsInput {
        entrants: &entrants,
        field: &[1, 2],
        stage: 0,
        points: &points,
        tie_breaks: &[],
        placing: None,
        rate: false,
    };
    let table = Standings::of(&results, &scope);
    let rows: Vec<(usize, Option<u32>, f64)> =
        table.rows.iter().map(|row| (row.player, row.rank, row.points)).collect();
    assert_eq!(rows, [(2, Some(1), 1.0), (1, Some(2), 0.0), (0, None, 3.0)]);
    assert_eq!(table.ranked(), [2, 1]);
}
