//! Swiss: each entrant meets an opponent with about the same score, and none twice.

mod matching;
pub(super) mod pairing;

use super::keys::{FormatKey, KeyKind, PAIRS, SINGLE};
use super::{FormatInfo, FormatSetup, count};
use crate::format::Format;
use crate::pairing::{Bye, Pairings};
use crate::results::TournamentResults;
use pairing::{RoundPairs, pair_up};

/// Entry of the Swiss in the list of formats.
pub(super) const INFO: FormatInfo = FormatInfo {
    name: "swiss",
    spanish: "sistema suizo",
    about: "in every round each entrant meets the nearest by score that it has not met; none has two byes",
    keys: &[ROUNDS, PAIRS, SINGLE],
    has_ladder: false,
    check: |_, _| Ok(()),
    open: |setup| Box::new(Swiss::new(setup)),
};

pub(super) const ROUNDS: FormatKey = FormatKey {
    name: "rounds",
    label: ["Rounds", "Rondas"],
    about: "number of rounds",
    kind: KeyKind::Whole,
    bounds: [1.0, 10_000.0],
    default: Some(5.0),
};

/// Swiss; the adaptive format begins with it.
pub(super) struct Swiss {
    setup: FormatSetup,
    round: u32,
}

impl Swiss {
    pub(super) fn new(setup: FormatSetup) -> Swiss {
        Swiss { setup, round: 0 }
    }

    /// For a format that continues after the Swiss rounds with the same start points.
    pub(super) fn setup_mut(&mut self) -> &mut FormatSetup {
        &mut self.setup
    }
}

impl Format for Swiss {
    fn next(&mut self, so_far: &TournamentResults, _go_on: bool) -> Pairings {
        let mut pairings = Pairings::default();
        if self.round >= self.setup.values.whole(&ROUNDS) {
            return pairings;
        }
        let round = next_round(&self.setup, so_far, self.setup.values.whole(&ROUNDS) - self.round);
        let Some(round) = round else { return pairings };
        let first_number = so_far.next_number();
        for players in round.pairs {
            self.setup.meet(players, self.round, true, first_number, &mut pairings.pairings);
        }
        pairings.byes.extend(round.bye.map(|player| Bye {
            player,
            stage: self.setup.stage,
            round: self.round,
            n_games: self.setup.games_per_match() as u32,
        }));
        self.round += 1;
        pairings
    }

    fn estimate(&self, _so_far: &TournamentResults) -> u64 {
        let n_matches = self.setup.field.len() as u64 / 2;
        n_matches * u64::from(self.setup.values.whole(&ROUNDS)) * self.setup.games_per_match()
    }

    fn describe(&self) -> String {
        let rounds = count(u64::from(self.setup.values.whole(&ROUNDS)), "round");
        let each = count(self.setup.games_per_match(), "game");
        format!("Swiss of {} players, {rounds} of {each} each", self.setup.field.len())
    }
}

/// The pairs of a round, as entrants; `None` if fewer than two entrants are left. In single games the first of a pair
/// has the first side: the entrant that had it less often.
fn next_round(setup: &FormatSetup, so_far: &TournamentResults, rounds_left: u32) -> Option<RoundPairs> {
    let points = so_far.points(&setup.points, setup.stage);
    let mut order: Vec<usize> =
        setup.field.iter().copied().filter(|&player| !so_far.is_quarantined(player)).collect();
    if order.len() < 2 {
        return None;
    }
    // The sort is stable: entrants with equal scores keep the order of the field.
    order.sort_by(|a, b| points[*b].total_cmp(&points[*a]));
    let mut places = vec![usize::MAX; so_far.n_entrants()];
    order.iter().enumerate().for_each(|(place, &player)| places[player] = place);
    let mut met = vec![Vec::new(); order.len()];
    let mut firsts = vec![0i32; so_far.n_entrants()];
    let of_stage = so_far.pair_results().iter().filter(|pair| pair.pairing.stage == setup.stage);
    for pair in of_stage {
        let [a, b] = pair.pairing.players;
        if pair.pairing.single {
            firsts[a] += 1;
            firsts[b] -= 1;
        }
        let [a, b] = [places[a], places[b]];
        if a != usize::MAX && b != usize::MAX {
            met[a].push(b);
            met[b].push(a);
        }
    }
    let of_stage = |bye: &&Bye| bye.stage == setup.stage;
    let sat_out = so_far.given_byes().iter().filter(of_stage).map(|bye| places[bye.player]);
    let round = pair_up(met, &sat_out.filter(|&place| place != usize::MAX).collect::<Vec<_>>(), rounds_left);
    let seat = |(i, [a, b]): (usize, [usize; 2])| {
        let [a, b] = [order[a], order[b]];
        let swap = firsts[a] > firsts[b] || (firsts[a] == firsts[b] && i % 2 == 1);
        if swap { [b, a] } else { [a, b] }
    };
    let pairs = round.pairs.into_iter().enumerate().map(seat).collect();
    Some(RoundPairs { pairs, bye: round.bye.map(|place| order[place]) })
}
